import {
	splitIntoYears,
	toCalendarDate,
} from '../../nodes/CardPlatform/actions/values/calendarDate';

test('a range within a year is one window', () => {
	expect(splitIntoYears('2026-01-01', '2026-12-31')).toHaveLength(1);
	expect(splitIntoYears('2024-02-29', '2025-02-28')).toHaveLength(1);
	expect(splitIntoYears('2026-01-01', '2026-01-01')).toEqual([
		{ from: '2026-01-01', to: '2026-01-01' },
	]);
	expect(splitIntoYears('2024-01-01', '2025-01-01')).toHaveLength(2);
});

test.each([
	['2026-01-31', '2026-01-31'],
	['2026-01-31T00:00:00', '2026-01-31'],
	['2026-01-31T23:30:00Z', '2026-02-01'],
	['2026-01-31T23:30:00.000-05:00', '2026-02-01'],
	[new Date('2026-01-31T22:59:59Z'), '2026-01-31'],
	[new Date('2026-01-31T23:00:00Z'), '2026-02-01'],
])('%s is %s in Berlin', (value, expected) => {
	expect(toCalendarDate(value, 'Europe/Berlin', 'From')).toBe(expected);
});

test.each([undefined, null, '', ' ', '31.01.2026', '2026-02-30', new Date(NaN), 20260101])(
	'%j is refused',
	(value) => {
		expect(() => toCalendarDate(value, 'Europe/Berlin', 'From')).toThrow(/^From is/);
	},
);
