const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Reads an RFC 3339 date-time: `X-Webhook-Timestamp` (§6 Delivery headers), or `createdAt` (§2).
 *
 * @returns milliseconds since 1970, or undefined where the text is none, or names a moment that
 * the calendar does not have
 */
export function parseTimestamp(text: string): number | undefined {
	if (!RFC_3339.test(text)) return undefined;

	const date = text.slice(0, 10);
	// A leap second is written :60 and stands at the end of its minute.
	const isLeapSecond = text.slice(17, 19) === '60';
	const time = isLeapSecond ? `${text.slice(11, 17)}59` : text.slice(11, 19);
	const local = new Date(`${date}T${time}Z`);
	// JavaScript reads 30 February as 2 March.
	if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(`${date}T${time}`)) {
		return undefined;
	}
	const moment = Date.parse(`${date}T${time}${text.slice(19)}`);
	return isLeapSecond ? moment + 1000 : moment;
}
