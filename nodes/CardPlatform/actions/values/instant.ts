import { Problem } from '../../api/problem';

const DATE_TIME =
	/^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/i;

const wallClock = (timezone: string) =>
	new Intl.DateTimeFormat('en-GB', {
		timeZone: timezone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});

/** How far the zone's clocks are ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, timezone: string): number {
	const parts = wallClock(timezone).formatToParts(moment);
	const part = (type: Intl.DateTimeFormatPartTypes) =>
		Number(parts.find((each) => each.type === type)?.value);
	const shown = Date.UTC(
		part('year'),
		part('month') - 1,
		part('day'),
		part('hour'),
		part('minute'),
		part('second'),
	);
	return shown - Math.floor(moment / 1000) * 1000;
}

/**
 * A moment as expressions give it: a `Date`, or a luxon `DateTime` such as `$now`. Recognised by what
 * it says of itself, as n8n may use another copy of luxon or another realm.
 */
const isMoment = (value: unknown): value is object =>
	Object.prototype.toString.call(value) === '[object Date]' ||
	(typeof value === 'object' &&
		value !== null &&
		'isLuxonDateTime' in value &&
		value.isLuxonDateTime === true);

/**
 * Reads a date field.
 *
 * @param value ISO 8601 date or date-time, `Date` or luxon `DateTime`; a string without an offset is
 * meant in `timezone`
 * @param timezone IANA name, e.g. Europe/Berlin
 * @param label of the field, for the error
 * @returns an RFC 3339 date-time in UTC (§2)
 * @throws Problem where it is no such date, or one that the calendar does not have
 */
export function toInstant(value: unknown, timezone: string, label: string): string {
	const problem = new Problem(
		`${label} is not a valid date: ${isMoment(value) ? 'Invalid Date' : JSON.stringify(value)}`,
		`"${label}" must be a date such as 2026-01-31 or 2026-01-31T09:30:00, or an expression that returns a date, such as {{ $now }} or {{ $json.date.toDateTime() }}.`,
	);
	if (isMoment(value)) {
		const moment = new Date(Number(value));
		if (Number.isNaN(moment.getTime())) throw problem;
		return moment.toISOString();
	}
	const match = typeof value === 'string' ? DATE_TIME.exec(value.trim()) : null;
	if (match === null) throw problem;

	const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] =
		match;
	const milliseconds = Math.floor(Number(`0${fraction}`) * 1000);
	const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
	const asUtc = new Date(`${local}Z`);
	// JavaScript reads 30 February as 2 March; a filter must not move by itself.
	if (Number.isNaN(asUtc.getTime()) || !asUtc.toISOString().startsWith(local)) throw problem;
	if (offset !== undefined) {
		const withOffset = new Date(`${local}${offset.toUpperCase()}`);
		if (Number.isNaN(withOffset.getTime())) throw problem;
		return new Date(withOffset.getTime() + milliseconds).toISOString();
	}

	// The offset is that of the moment sought, which is near enough to try twice.
	const guess = asUtc.getTime() - offsetAt(asUtc.getTime(), timezone);
	return new Date(asUtc.getTime() - offsetAt(guess, timezone) + milliseconds).toISOString();
}
