import { runInNewContext } from 'node:vm';

import {
	NEXT_PERIODS,
	PERIODS,
	splitIntoYears,
	toCalendarDate,
	toDays,
	toInstant,
	toLocalDate,
} from '../../nodes/CardPlatform/api/dates';
import { timeOf } from '../../nodes/CardPlatform/api/event';

const instant = (value: unknown, timezone: string, bound: 'start' | 'end' = 'start') =>
	new Date(toInstant(bound)(value, 'Created From', timezone)).toISOString();

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
	// A time that the clocks skip is later.
	['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
	['2026-03-08T02:00:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
	['2026-10-25T02:30:00+02:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
	['2028-02-29', 'UTC', '2028-02-29T00:00:00.000Z'],
])('%s in %s is %s', (value, timezone, expected) => {
	expect(instant(value, timezone)).toBe(expected);
});

test.each([
	'yesterday',
	'2026-02-30',
	'2026-13-01',
	'2027-02-29',
	'2026-01-01T25:00',
	'2026-01-01T24:00',
	'2026-01-01T09:00+24:00',
	'2026-01-01T09',
	'2026-01',
	'2026-W05-1',
	'20260131',
	'1767225600',
	new Date(NaN),
	1767225600,
	{},
])('%s is refused with the name of the field', (value) => {
	expect(() => instant(value, 'UTC')).toThrow('Created From is not a valid date');
});

test.each<[string, (timezone: string) => unknown]>([
	['a date', (timezone) => instant('2026-01-31', timezone)],
	['a moment', (timezone) => instant(new Date(0), timezone)],
	['a period', (timezone) => toDays({ name: 'Today', value: 'today' }, timezone)],
	['the day of a record', (timezone) => toLocalDate(0, timezone)],
])('of %s, the error names a time zone that does not exist', (_name, read) => {
	expect(() => read('Europe/Atlantis')).toThrow(
		'The time zone of the workflow is not valid: Europe/Atlantis',
	);
});

test.each([
	['2026-01-31', 'Europe/Berlin', '2026-01-31T23:00:00.000Z'],
	['2026-10-25', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
	// The day itself, or the next one, has no midnight.
	['2026-09-06', 'America/Santiago', '2026-09-07T03:00:00.000Z'],
	['2026-09-05', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
	['2026-01-31Z', 'Europe/Berlin', '2026-02-01T00:00:00.000Z'],
	['2026-03-29Z', 'Europe/Berlin', '2026-03-30T00:00:00.000Z'],
	['2026-01-31T00:00:00Z', 'Europe/Berlin', '2026-01-31T00:00:00.000Z'],
	['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
	[new Date('2026-01-31T00:00:00Z'), 'Europe/Berlin', '2026-01-31T00:00:00.000Z'],
])('a range that ends with %s in %s ends at %s', (value, timezone, expected) => {
	expect(instant(value, timezone, 'end')).toBe(expected);
});

/** A choice of the form. */
const periodOf = (value: string) => {
	const period = [...PERIODS, ...NEXT_PERIODS].find((each) => each.value === value);
	if (period === undefined) throw new Error(`no period ${value}`);
	return period;
};

describe('days of a period', () => {
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['performance'], now: Date.parse('2026-03-31T22:30:00Z') });
	});
	afterEach(() => {
		jest.useRealTimers();
	});

	test.each([
		['today', 'UTC', '2026-03-31', '2026-03-31'],
		['today', 'Europe/Berlin', '2026-04-01', '2026-04-01'],
		['yesterday', 'Europe/Berlin', '2026-03-31', '2026-03-31'],
		['thisMonth', 'UTC', '2026-03-01', '2026-03-31'],
		['thisMonth', 'Europe/Berlin', '2026-04-01', '2026-04-30'],
		// From 31 March, a month back is 28 February.
		['lastMonth', 'UTC', '2026-02-01', '2026-02-28'],
		['lastMonth', 'Europe/Berlin', '2026-03-01', '2026-03-31'],
		// From Monday to Sunday.
		['thisWeek', 'UTC', '2026-03-30', '2026-04-05'],
		['lastWeek', 'UTC', '2026-03-23', '2026-03-29'],
		['lastQuarter', 'UTC', '2025-10-01', '2025-12-31'],
		['lastQuarter', 'Europe/Berlin', '2026-01-01', '2026-03-31'],
		['thisYear', 'UTC', '2026-01-01', '2026-12-31'],
		['last7Days', 'UTC', '2026-03-25', '2026-03-31'],
		['last30Days', 'UTC', '2026-03-02', '2026-03-31'],
		['last90Days', 'UTC', '2026-01-01', '2026-03-31'],
		['next7Days', 'UTC', '2026-03-31', '2026-04-06'],
		['next30Days', 'UTC', '2026-03-31', '2026-04-29'],
		['nextMonth', 'UTC', '2026-04-01', '2026-04-30'],
	])('%s in %s is from %s to %s', (value, timezone, from, to) => {
		expect(toDays(periodOf(value), timezone)).toEqual({ from, to });
	});

	// Clocks go back from one o'clock to midnight.
	test.each([
		['lastMonth', 'America/Havana', '2026-11-15T12:00:00Z', '2026-10-01', '2026-10-31'],
		['yesterday', 'Atlantic/Azores', '2026-10-25T12:00:00Z', '2026-10-24', '2026-10-24'],
		// And from midnight to one o'clock.
		['today', 'America/Asuncion', '2023-10-01T12:00:00Z', '2023-10-01', '2023-10-01'],
	])('%s in %s at %s: midnight comes twice, or not at all', (value, timezone, now, from, to) => {
		jest.setSystemTime(new Date(now));
		expect(toDays(periodOf(value), timezone)).toEqual({ from, to });
	});
});

test('a Date, also of another realm, keeps its moment', () => {
	for (const date of [new Date(1_782_891_015_123), runInNewContext('new Date(1782891015123)')])
		expect(instant(date, 'Europe/Berlin')).toBe('2026-07-01T07:30:15.123Z');
});

test('an invalid date is reported as one', () => {
	expect(() => instant(new Date(NaN), 'UTC')).toThrow(
		'Created From is not a valid date: Invalid Date',
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
	['1970-01-01', '1970-01-01'],
	['2026-01-31T23:30:00Z', '2026-02-01'],
	['2026-01-31T23:30:00.000-05:00', '2026-02-01'],
	[new Date('2026-01-31T22:59:59Z'), '2026-01-31'],
	[new Date('2026-01-31T23:00:00Z'), '2026-02-01'],
])('%s is %s in Berlin', (value, expected) => {
	expect(toCalendarDate(value, 'From', 'Europe/Berlin')).toBe(expected);
});

test.each([undefined, null, '', ' ', '31.01.2026', '2026-02-30', new Date(NaN), 20260101])(
	'%j is refused',
	(value) => {
		expect(() => toCalendarDate(value, 'From', 'Europe/Berlin')).toThrow(/^From is/);
	},
);

test.each([
	['without a time zone, in UTC', ' 2026-01-30 23:59:59 '],
	['in a short form of ISO 8601', '20260131T015959+02'],
])('the time of a record may be %s', (_name, createdAt) => {
	expect(timeOf({ createdAt })).toBe(Date.parse('2026-01-30T23:59:59Z'));
});

test.each([
	['a time alone', '23:59:59'],
	['the form of HTTP', 'Sat, 31 Jan 2026 01:59:59 GMT'],
	['what takes long to read', ':00'.repeat(100_000)],
])('%s is no time of a record', (_name, createdAt) => {
	const start = performance.now();
	expect(timeOf({ createdAt })).toBeNaN();
	expect(performance.now() - start).toBeLessThan(1_000);
});
