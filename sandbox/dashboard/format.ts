import { formatAmount } from '../money.ts';

// Times are in the time zone of this machine, where the browser usually runs too, and name it.

const DATE_TIME = new Intl.DateTimeFormat('en', {
	year: 'numeric',
	month: 'short',
	day: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	hourCycle: 'h23',
	timeZoneName: 'short',
});

/** Formats an RFC 3339 time as "Jan 31, 2026, 18:05:12 UTC". */
export const dateTime = (time: string): string => DATE_TIME.format(new Date(time));

const SHORT = new Intl.DateTimeFormat('en', {
	month: 'short',
	day: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
	hourCycle: 'h23',
});

const UNITS = [
	['d', 86_400_000],
	['h', 3_600_000],
	['min', 60_000],
	['s', 1_000],
] as const;

/** Formats a time of the last week as "5 min ago", and any other as "Jan 31, 18:05". */
export function ago(time: string, now: Date): string {
	const passed = now.getTime() - Date.parse(time);
	if (passed < 0 || passed > 7 * 86_400_000) return SHORT.format(new Date(time));
	const [unit, size] = UNITS.find(([, each]) => passed >= each) ?? UNITS[3];
	return `${Math.floor(passed / size)} ${unit} ago`;
}

const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Formats a day such as 2026-01-31 as "Jan 31". */
export const dateOf = (date: string): string => DAY.format(new Date(date));

/** Formats a decimal string (§2) or minor units as "$1,250.00". */
export function money(amount: string | number, currency = 'USD'): string {
	const value = Number(typeof amount === 'number' ? formatAmount(amount) : amount);
	return new Intl.NumberFormat('en', { style: 'currency', currency }).format(value);
}

/** Formats a value of the API for people: "suspected_fraud" becomes "suspected fraud". */
export const words = (value: string): string => value.replaceAll('_', ' ');

/** Formats a card as "Team travel •• 7751". */
export const cardName = ({ name, lastFour }: { name: string; lastFour: string }): string =>
	`${name} •• ${lastFour}`;

/** Formats a number of things: "1 delivery", "2 deliveries". */
export const counted = (count: number, noun: string): string =>
	`${count} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`;
