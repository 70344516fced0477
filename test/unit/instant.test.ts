import { runInNewContext } from 'node:vm';

import { toInstant } from '../../nodes/CardPlatform/actions/values/instant';

test.each([
	['2026-01-31', 'Europe/Berlin', '2026-01-30T23:00:00.000Z'],
	['2026-07-01T09:30', 'Europe/Berlin', '2026-07-01T07:30:00.000Z'],
	['2026-07-01T09:30:15', 'America/New_York', '2026-07-01T13:30:15.000Z'],
	['2026-07-01 09:30:15', 'UTC', '2026-07-01T09:30:15.000Z'],
	['2026-07-01T09:30:15.123', 'UTC', '2026-07-01T09:30:15.123Z'],
	['2026-07-01T09:30:15.900Z', 'UTC', '2026-07-01T09:30:15.900Z'],
	['2026-07-01T09:30:15Z', 'Europe/Berlin', '2026-07-01T09:30:15.000Z'],
	['2026-07-01t09:30:15z', 'Europe/Berlin', '2026-07-01T09:30:15.000Z'],
	['2026-07-01T09:30:15+02:00', 'America/New_York', '2026-07-01T07:30:15.000Z'],
	// The hours around a change of the clocks, on both sides.
	['2026-03-29T01:59:59', 'Europe/Berlin', '2026-03-29T00:59:59.000Z'],
	['2026-03-29T03:00:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
	['2026-10-25T03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
	['2028-02-29', 'UTC', '2028-02-29T00:00:00.000Z'],
])('%s in %s is %s', (value, timezone, expected) => {
	expect(toInstant(value, timezone, 'Created After')).toBe(expected);
});

test.each([
	'yesterday',
	'2026-02-30',
	'2026-13-01',
	'2027-02-29',
	'2026-01-01T25:00',
	'1767225600',
	new Date(NaN),
	1767225600,
	{},
])('%s is refused with the name of the field', (value) => {
	expect(() => toInstant(value, 'UTC', 'Created After')).toThrow(
		'Created After is not a valid date',
	);
});

test('a Date, also of another realm, is the moment that it is', () => {
	for (const date of [new Date(1_782_891_015_123), runInNewContext('new Date(1782891015123)')])
		expect(toInstant(date, 'Europe/Berlin', 'Created After')).toBe('2026-07-01T07:30:15.123Z');
});

test('an invalid date is named as one', () => {
	expect(() => toInstant(new Date(NaN), 'UTC', 'Created After')).toThrow(
		'Created After is not a valid date: Invalid Date',
	);
});
