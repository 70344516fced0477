import { z } from 'zod';

import { UserError } from './userError';

/** Whether a field has no value: nothing, blanks only, or an empty list. */
export const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && value.trim() === '') ||
	(Array.isArray(value) && value.length === 0);

/**
 * Makes the error for a field without a value. Such a field never counts as "no filter" or "the default": what follows
 * may be Archive. One that is not required was added, so it can be removed.
 */
export const emptyField = (label: string, isRequired = true): UserError =>
	new UserError(
		`${label} is empty`,
		isRequired
			? `Set "${label}", or check that its expression returns a value for this item.`
			: `Enter a value for "${label}", or remove the field. If an expression sets it, check that it returns a value for this item.`,
	);

const MAX_QUOTED = 100;

/** Shows a value in a message: as JSON, shortened if it is long. */
export function quoteValue(value: unknown): string {
	// In a list, as JSON has nothing for undefined alone.
	const json = JSON.stringify([value]).slice(1, -1);
	return json.length > MAX_QUOTED ? `${json.slice(0, MAX_QUOTED)}…` : json;
}

/** Reads a string, trimmed, or an exact number as its digits; undefined for anything else. */
export function toText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim();
	const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
	return isExact ? String(value) : undefined;
}

/** Reads a list: an array, or a string separated by commas. The error says what it takes. */
export function toList(value: unknown, label: string, takes: string): string[] {
	const values: unknown[] = Array.isArray(value) ? value : [value];
	const entries = values.flatMap((entry) => {
		const text = toText(entry);
		if (text !== undefined) return text.split(',').map((each) => each.trim());
		throw new UserError(
			`${label} is not a list: ${quoteValue(entry)}`,
			`Use ${takes}, separated by commas.`,
		);
	});
	if (!entries.includes('')) return entries;
	throw new UserError(
		`${label} has an empty entry: ${quoteValue(value)}`,
		'Remove the extra comma, or check that each expression returns a value for this item.',
	);
}

/** A uuid of any version, as a regular expression: zod 4's own refuses most versions. */
export const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const uuidSchema = z
	.string()
	.trim()
	.regex(new RegExp(`^${UUID}$`))
	.toLowerCase();

/** Reads an identifier that is a uuid (§2), in lower case. */
export function toUuid(value: unknown, label: string): string {
	const parsed = uuidSchema.safeParse(value);
	if (parsed.success) return parsed.data;
	if (isBlank(value)) throw emptyField(label);
	throw new UserError(
		`${label} is not a valid ID: ${quoteValue(value)}`,
		`"${label}" must be an ID such as 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10. Choose it from the list, or map it from an earlier node (cardId of an event, id of a card).`,
	);
}

/** Reads an account identifier (§2 Account): an integer, or its digits as a string. */
export function toAccountId(value: unknown, label: string): number {
	const id = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return id;
	if (isBlank(value)) throw emptyField(label);
	throw new UserError(
		`${label} is not a whole number: ${quoteValue(value)}`,
		`"${label}" must be an account number, e.g. 1001. It is shown in the dashboard.`,
	);
}

const DECIMAL = /^([+-]?\d+)(?:\.(\d*))?$/;
/** More places than any amount has; what follows them does not count. */
const PLACES = 40;

/** Reads a decimal string (§2: amounts) as a whole number of its smallest parts: exact, unlike a floating-point number. */
export function toDecimal(value: unknown): bigint | undefined {
	const [, whole, fraction = ''] = DECIMAL.exec(toText(value) ?? '') ?? [];
	return whole === undefined
		? undefined
		: BigInt(whole + fraction.padEnd(PLACES, '0').slice(0, PLACES));
}

const AMOUNT = /^(\d+)(?:\.(\d{1,2}))?$/;

/**
 * Reads an amount above zero, as a string with two decimals (§2). A number is accepted if it is exact: 10 or 10.5, but
 * not 0.1 + 0.2, which is 0.30000000000000004.
 */
export function toAmount(value: unknown, label: string): string {
	if (isBlank(value)) throw emptyField(label);
	const refuse = (hint: string) =>
		new UserError(`${label} is not a valid amount: ${quoteValue(value)}`, hint);

	const isExact = typeof value === 'number' && Math.abs(value) * 100 <= Number.MAX_SAFE_INTEGER;
	const digits = isExact || typeof value === 'string' ? String(value).trim() : '';
	if (!AMOUNT.test(digits)) {
		throw refuse(
			typeof value === 'number'
				? `"${label}" allows at most two decimals, and a calculated number can have rounding errors. Use a string with two decimals: {{ (0.1 + 0.2).toFixed(2) }}.`
				: `"${label}" must be digits with at most two decimals after a point, e.g. 250.00: no currency symbol, no thousands separator, no minus sign.`,
		);
	}
	const amount = digits.replace(
		AMOUNT,
		(_, whole: string, cents = '00') => `${BigInt(whole)}.${String(cents).padEnd(2, '0')}`,
	);
	if (amount === '0.00') throw refuse(`"${label}" must be greater than zero.`);
	return amount;
}

/** Reads a count: a whole number above zero. The hint says what to enter instead of anything else. */
export function toCount(value: unknown, label: string, hint: string): number {
	const count = typeof value === 'string' ? Number(value) : value;
	if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count;
	if (isBlank(value)) throw emptyField(label);
	throw new UserError(
		`${label} is not a whole number greater than zero: ${quoteValue(value)}`,
		hint,
	);
}
