import { formatAmount } from '../money.ts';

// Times are in the time zone of this machine, where the browser usually runs too. The full ones name it.

const date = { month: 'short', day: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const DATE_TIME = new Intl.DateTimeFormat('en', {
	...{ year: 'numeric', ...date, ...clock },
	...{ second: '2-digit', timeZoneName: 'short' },
});
const SHORT = new Intl.DateTimeFormat('en', { ...date, ...clock });
const DAY = new Intl.DateTimeFormat('en', { ...date, timeZone: 'UTC' });

/** Formats an RFC 3339 time as "Jan 31, 2026, 18:05:12 UTC". */
export const dateTime = (time: string): string => DATE_TIME.format(new Date(time));

/** Formats an RFC 3339 time as "Jan 31, 18:05". */
export const shortTime = (time: string): string => SHORT.format(new Date(time));

/** Formats a day such as 2026-01-31 as "Jan 31". */
export const dateOf = (day: string): string => DAY.format(new Date(day));

const UNITS = [
	['d', 86_400_000],
	['h', 3_600_000],
	['min', 60_000],
] as const;

/** Formats a time of the last week as "5 min ago" or "just now", and any other as "Jan 31, 18:05". */
export function ago(time: string, now: Date): string {
	const passed = now.getTime() - Date.parse(time);
	if (passed < 0 || passed > 7 * 86_400_000) return shortTime(time);
	const [unit, size] = UNITS.find(([, each]) => passed >= each) ?? ['', 0];
	return size === 0 ? 'just now' : `${Math.floor(passed / size)} ${unit} ago`;
}

const CURRENCIES = new Map<string, Intl.NumberFormat>();

/** Formats a decimal string (§2) or minor units as "$1,250.00". */
export function money(amount: string | number, currency = 'USD'): string {
	const format =
		CURRENCIES.get(currency) ?? new Intl.NumberFormat('en', { style: 'currency', currency });
	CURRENCIES.set(currency, format);
	return format.format(Number(typeof amount === 'number' ? formatAmount(amount) : amount));
}

/** Formats a value of the API for people: "suspected_fraud" becomes "suspected fraud". */
export const words = (value: string): string => value.replaceAll('_', ' ');

/** The same at the beginning of a line: "Suspected fraud". */
export const capitalized = (value: string): string =>
	words(value.charAt(0).toUpperCase() + value.slice(1));

/** Formats a card as "Team travel •• 7751". */
export const cardName = ({ name, lastFour }: { name: string; lastFour: string }): string =>
	`${name} •• ${lastFour}`;

/** Formats a number of things: "1 delivery", "2 deliveries". */
export const counted = (count: number, noun: string): string =>
	`${count} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`;
