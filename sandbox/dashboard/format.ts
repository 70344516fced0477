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
