import fc from 'fast-check';

import { splitIntoYears } from '../../nodes/CardPlatform/api/dates';

const DAY = 86_400_000;

const day = fc
	.integer({ min: Date.UTC(1996, 0, 1) / DAY, max: Date.UTC(2044, 11, 31) / DAY })
	.map((number) => new Date(number * DAY).toISOString().slice(0, 10));

const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY;

test('windows cover the range without a gap, and none is longer than a year', () => {
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
