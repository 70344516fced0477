import { Problem } from '../../api/problem';
import { toInstant } from './instant';

/** A calendar day as YYYY-MM-DD; such texts sort by time. */
export type CalendarDate = string;

/**
 * Reads a day (§4.9).
 *
 * @param value as {@link toInstant} reads it; a moment counts as the day it then is in `timezone`
 * @param timezone IANA name
 * @param label of the field, for the error
 * @throws Problem
 */
export function toCalendarDate(value: unknown, timezone: string, label: string): CalendarDate {
	const isBlank =
		typeof value === 'string' ? value.trim() === '' : value === undefined || value === null;
	if (isBlank) throw new Problem(`${label} is empty`, `Set "${label}" to a date.`);
	const moment = toInstant(value, timezone, label);
	if (moment < '1970' || moment >= '2200') {
		throw new Problem(
			`${label} is out of range: ${moment}`,
			`Set "${label}" to a date from 1970 to 2199.`,
		);
	}
	// en-CA writes a day as YYYY-MM-DD.
	return new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date(moment));
}

/** The last day of the longest range that starts on a day and is within a year by any count. */
function lastOfYear(from: CalendarDate): CalendarDate {
	const day = new Date(`${from}T00:00:00Z`);
	day.setUTCFullYear(day.getUTCFullYear() + 1, day.getUTCMonth(), day.getUTCDate() - 1);
	return day.toISOString().slice(0, 10);
}

/**
 * Splits a range into windows of at most one year (§8 Date range), leap years or not. Neighbours
 * share a day: whether the API counts `to` in or not, no day falls between them.
 *
 * @param from first day
 * @param to last day, not before `from`
 */
export function splitIntoYears(
	from: CalendarDate,
	to: CalendarDate,
): { from: CalendarDate; to: CalendarDate }[] {
	const windows: { from: CalendarDate; to: CalendarDate }[] = [];
	for (let start = from; ;) {
		const last = lastOfYear(start);
		if (last >= to) return [...windows, { from: start, to }];
		windows.push({ from: start, to: last });
		start = last;
	}
}
