import { DateTime } from 'luxon';

import { UserError } from './userError';
import { emptyField, isBlank, quoteValue } from './values';

/** In milliseconds. */
export const MINUTE = 60_000;
export const DAY = 1_440 * MINUTE;

/** A calendar day as YYYY-MM-DD; such strings sort by time. */
export type CalendarDate = string;

/** ISO 8601, without the shapes that people rarely mean: 2026, 2026-W05, 20260131, 24:00. */
const DATE_TIME =
	/^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i;

const isValid = (moment: DateTime): moment is DateTime<true> => moment.isValid;

/** Recognizes a Date of any realm: expressions run in another one. */
const isDate = (value: unknown): value is object =>
	Object.prototype.toString.call(value) === '[object Date]';

/** Which end of a range a field is. */
export type Bound = 'start' | 'end';

/** A day some days later, by the calendar. */
export const addDays = (day: CalendarDate, days: number): CalendarDate =>
	DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate() ?? '';

/** A moment in a time zone; undefined if the value is not a date that the calendar has. */
function parseMoment(value: unknown, timezone: string, bound: Bound): DateTime | undefined {
	// DateTime.isDateTime() knows the objects of any copy of luxon.
	if (isDate(value) || DateTime.isDateTime(value)) {
		return DateTime.fromMillis(Number(value), { zone: timezone });
	}
	const match = typeof value === 'string' ? DATE_TIME.exec(value.trim()) : null;
	if (match === null) return undefined;
	const [, day = '', time, offset = ''] = match;
	const includesDay = bound === 'end' && time === undefined;
	const first = includesDay ? addDays(day, 1) : day;
	return DateTime.fromISO(`${first}T${time ?? '00:00'}${offset}`, { zone: timezone });
}

/** An unknown time zone, such as one misspelt in the settings of n8n, makes each date of it invalid. */
function checkZone(timezone: string): void {
	if (DateTime.now().setZone(timezone).isValid) return;
	throw new UserError(
		`The time zone of the workflow is not valid: ${timezone}`,
		'Choose a Timezone in the settings of the workflow, or correct the one of n8n (GENERIC_TIMEZONE).',
	);
}

function toMoment(
	value: unknown,
	label: string,
	timezone: string,
	bound: Bound = 'start',
): DateTime<true> {
	const moment = parseMoment(value, timezone, bound);
	if (moment !== undefined && isValid(moment)) return moment;
	checkZone(timezone);
	const isMoment = isDate(value) || DateTime.isDateTime(value);
	throw new UserError(
		`${label} is not a valid date: ${isMoment ? 'Invalid Date' : quoteValue(value)}`,
		`"${label}" must be a date such as 2026-01-31 or 2026-01-31T09:30:00, or an expression that returns a date, such as {{ $now }} or {{ $json.date.toDateTime() }}.`,
	);
}

const toUtcString = (moment: DateTime): string => moment.toJSDate().toISOString();

const toUtcDay = (moment: DateTime): CalendarDate => toUtcString(moment).slice(0, 10);

/**
 * Reads a date field (ISO 8601, `Date` or luxon `DateTime`) as milliseconds since 1970. A string without an
 * offset is a local time; one that the clocks skip counts as that much later. The end of a range without a time includes
 * its day.
 */
export const toInstant =
	(bound: Bound) =>
	(value: unknown, label: string, timezone: string): number =>
		toMoment(value, label, timezone, bound).toMillis();

/** Reads a day (§4.9); a moment counts as the day it then is in the time zone. */
export function toCalendarDate(value: unknown, label: string, timezone: string): CalendarDate {
	if (isBlank(value)) throw emptyField(label);
	const moment = toMoment(value, label, timezone);
	const { year } = moment;
	if (year >= 1970 && year < 2200) return moment.toISODate();
	throw new UserError(
		`${label} is out of range: ${toUtcString(moment)}`,
		`Set "${label}" to a date from 1970 to 2199.`,
	);
}

/** Finds the day of a moment, in milliseconds since 1970; null if it is not a time. */
export function toLocalDate(time: number, timezone: string): CalendarDate | null {
	const moment = DateTime.fromMillis(time, { zone: timezone });
	if (!moment.isValid) checkZone(timezone);
	return moment.toISODate();
}

/** A period, by the calendar of a time zone: this unit, one some units ago, the last days up to today, or (negative) the next ones. */
export interface Period {
	name: string;
	value: string;
	unit?: 'day' | 'week' | 'month' | 'quarter' | 'year';
	ago?: number;
	days?: number;
}

/** The periods to choose from, in the order of the form. */
export const PERIODS: readonly Period[] = [
	{ name: 'Today', value: 'today', unit: 'day', ago: 0 },
	{ name: 'Yesterday', value: 'yesterday', unit: 'day', ago: 1 },
	{ name: 'This Week', value: 'thisWeek', unit: 'week', ago: 0 },
	{ name: 'Last Week', value: 'lastWeek', unit: 'week', ago: 1 },
	{ name: 'This Month', value: 'thisMonth', unit: 'month', ago: 0 },
	{ name: 'Last Month', value: 'lastMonth', unit: 'month', ago: 1 },
	{ name: 'Last Quarter', value: 'lastQuarter', unit: 'quarter', ago: 1 },
	{ name: 'This Year', value: 'thisYear', unit: 'year', ago: 0 },
	{ name: 'Last 7 Days', value: 'last7Days', days: 7 },
	{ name: 'Last 30 Days', value: 'last30Days', days: 30 },
	{ name: 'Last 90 Days', value: 'last90Days', days: 90 },
];

/** Periods that reach into the future; the days begin with today. */
export const NEXT_PERIODS: readonly Period[] = [
	{ name: 'Next 7 Days', value: 'next7Days', days: -7 },
	{ name: 'Next 30 Days', value: 'next30Days', days: -30 },
	{ name: 'Next Month', value: 'nextMonth', unit: 'month', ago: -1 },
];

/** Finds the first and the last day of a period. */
export function toDays(
	{ unit = 'day', ago = 0, days = 1 }: Period,
	timezone: string,
): { from: CalendarDate; to: CalendarDate } {
	checkZone(timezone);
	const now = DateTime.now().setZone(timezone);
	// A day in a zone may have no midnight.
	const then = now.setZone('utc', { keepLocalTime: true }).minus({ [unit]: ago });
	const first = then.startOf(unit).minus({ days: Math.max(days, 1) - 1 });
	const last = then.endOf(unit).plus({ days: Math.max(-days, 1) - 1 });
	return { from: toUtcDay(first), to: toUtcDay(last) };
}

/**
 * Splits a range of days into parts of at most one year (§8 Date range) by any count. Neighbours share a day: whether
 * the API counts `to` in or not, no day falls between them.
 */
export function splitIntoYears(
	from: CalendarDate,
	to: CalendarDate,
): { from: CalendarDate; to: CalendarDate }[] {
	const start = DateTime.fromISO(from, { zone: 'utc' });
	const yearLater = start.plus({ years: 1 });
	// A year after 29 February is 28 February, which is within the year.
	const days = yearLater.day === start.day ? -1 : 0;
	const last = addDays(toUtcDay(yearLater), days);
	return last >= to ? [{ from, to }] : [{ from, to: last }, ...splitIntoYears(last, to)];
}
