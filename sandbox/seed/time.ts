const HOUR = 60 * 60 * 1000;

/** Gives the RFC 3339 time that lies some hours before `now`, as the store keeps times. */
export const hoursBefore = (now: Date, hours: number): string =>
	new Date(now.getTime() - hours * HOUR).toISOString();

/** Gives the date (YYYY-MM-DD, UTC) that lies some days after `now`, or before it if negative. */
export const daysAfter = (now: Date, days: number): string =>
	hoursBefore(now, -24 * days).slice(0, 10);
