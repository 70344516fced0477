import fc from 'fast-check';

import {
	splitIntoYears,
	toCalendarDate,
} from '../../nodes/CardPlatform/actions/values/calendarDate';

const DAY = 86_400_000;

const day = fc
	.integer({ min: Date.UTC(1996, 0, 1) / DAY, max: Date.UTC(2044, 11, 31) / DAY })
	.map((number) => new Date(number * DAY).toISOString().slice(0, 10));

const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY;

test('windows cover the range without a gap, and none is longer than a year by any count', () => {
	fc.assert(
		fc.property(day, day, (one, other) => {
			const [from = '', to = ''] = [one, other].sort();
			const windows = splitIntoYears(from, to);
			expect(windows[0]?.from).toBe(from);
			expect(windows.at(-1)?.to).toBe(to);
			for (const [index, window] of windows.entries()) {
				expect(window.to >= window.from).toBe(true);
				expect(days(window.from, window.to)).toBeLessThanOrEqual(365);
				const nextYear = `${Number(window.from.slice(0, 4)) + 1}${window.from.slice(4)}`;
				expect(window.to < nextYear).toBe(true);
				if (index > 0) expect(window.from).toBe(windows[index - 1]?.to);
			}
		}),
	);
});

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
