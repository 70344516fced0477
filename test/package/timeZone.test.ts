import { listedTimeZone } from '../../harness/n8n/timeZone.ts';

// Some of n8n's own names.
const listed = [
	'Africa/Abidjan',
	'America/Denver',
	'Asia/Colombo',
	'Asia/Kolkata',
	'Etc/GMT',
	'Etc/UTC',
];

test.each([
	['America/Denver', 'America/Denver'],
	['UTC', 'Etc/UTC'],
	['Asia/Calcutta', 'Asia/Kolkata'],
	// Not in the list under any name.
	['America/Boise', 'America/Denver'],
	['Pacific/Apia', 'Etc/UTC'],
	// Of a TZ that no zone has.
	['Etc/Unknown', 'Etc/UTC'],
	[undefined, 'Etc/UTC'],
])('n8n knows the zone %s as %s', (zone, name) => {
	expect(listedTimeZone(zone, listed)).toBe(name);
});
