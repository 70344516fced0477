import type { GenericValue, IDataObject, INodePropertyTypeOptions } from 'n8n-workflow';
import { z } from 'zod';

import { UserError } from './userError';

/** Brackets that JSON has at least if it has too many levels. */
const MANY_BRACKETS = 1_000;

/** Parses JSON. Undefined if the string is not JSON, or is nested too deeply for `JSON.stringify`. */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		if (text.split('[').length + text.split('{').length > MANY_BRACKETS) JSON.stringify(value);
		return value;
	} catch {
		return undefined;
	}
}

/** Tells whether a value is an object with names and values, as an event or a card is. */
export const isDataObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a field has no value: nothing, blanks only, or an empty list. */
export const isBlank = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(typeof value === 'string' && value.trim() === '') ||
	(Array.isArray(value) && value.length === 0);

/**
 * Makes the error for a field without a value. Such a field never counts as "no filter" or "the default": the next node
 * may be Archive. A field that is not required was added, so it can be removed.
 */
export const emptyField = (label: string, isRequired = true): UserError =>
	new UserError(
		`${label} is empty`,
		isRequired
			? `Set "${label}", or check that its expression returns a value for this item.`
			: `Enter a value for "${label}", or remove the field. If an expression sets it, check that it returns a value for this item.`,
	);

const shorten = (text: string, length: number): string =>
	text.length > length ? `${text.slice(0, length)}…` : text;

/** Shows a value in a message: as JSON, shortened. In a list, as JSON has nothing for undefined alone. */
export const quoteValue = (value: unknown): string =>
	shorten(JSON.stringify([value]).slice(1, -1), 100);

/** Reads a string, trimmed, or an exact number as its digits; undefined for anything else. */
export function toText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.trim();
	const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
	return isExact ? String(value) : undefined;
}

/**
 * Makes one line of a text from outside, and shortens it. A line break, or a mark for right-to-left text, could make it
 * look like another message.
 */
export const toLine = (value: unknown, length = 80): string =>
	shorten((toText(value) ?? '').replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim(), length);

/** Longer strings are compared as they are: to put many accents in order takes quadratic time. */
const MAX_NORMALIZED = 1_000;

/** Reads a string to compare it with others, whatever their case and blanks; two ways to write one accent are the same. */
export const fold = (value: unknown): string | undefined => {
	const text = toText(value)?.toUpperCase().replace(/\s+/g, ' ');
	return text !== undefined && text.length > MAX_NORMALIZED ? text : text?.normalize();
};

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

/** Reads some of the values that a field offers: one, several separated by commas, or an array. */
export function toChoices(value: unknown, label: string, offered: readonly string[]): string[] {
	if (isBlank(value)) throw emptyField(label);
	const takes = `one or more of ${offered.join(', ')}`;
	const list = toList(value, label, takes);
	const wrong = list.find((each) => !offered.includes(each));
	if (wrong === undefined) return list;
	throw new UserError(`${label} has an invalid value: ${quoteValue(wrong)}`, `Use ${takes}.`);
}

/** The name of a value in the form: books_and_newspapers is "Books and Newspapers", bookStores "Book Stores". */
export const toTitle = (value: string): string =>
	value
		.replace(/_|(?=[A-Z])/g, ' ')
		.replace(/(^| )(?!and )./g, (first) => first.toUpperCase())
		.replace('Saas', 'SaaS');

/** A uuid of any version, as a regular expression: zod 4's own refuses most versions. */
export const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const uuidSchema = z
	.string()
	.trim()
	.regex(new RegExp(`^${UUID}$`))
	.toLowerCase();

/** Makes the function that reads a field, or says that its value is not `what`, and what it `takes`. */
const reader =
	<T>(read: (value: unknown) => T | undefined, what: string, takes: string) =>
	(value: unknown, label: string): T => {
		if (isBlank(value)) throw emptyField(label);
		const found = read(value);
		if (found !== undefined) return found;
		throw new UserError(
			`${label} is not ${what}: ${quoteValue(value)}`,
			`"${label}" must be ${takes}`,
		);
	};

/** Reads an identifier that is a uuid (§2), in lower case. */
export const toUuid = reader(
	(value) => uuidSchema.safeParse(value).data,
	'a valid ID',
	'an ID such as 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10. Choose it from the list, or map it from an earlier node (cardId or transactionId of an event, id of a card or transaction).',
);

/** Reads an exact integer of 0 or more, or its digits. */
function toInteger(value: unknown): number | undefined {
	const digits = toText(value) ?? '';
	return /^\d+$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : undefined;
}

/** Reads an account identifier (§2 Account). */
export const toAccountId = reader(
	toInteger,
	'a whole number',
	'an account number, e.g. 1001. Ask your provider for it.',
);

/** With at most 40 digits before the point: to read millions takes seconds. */
const DECIMAL = /^([+-]?\d{1,40})(?:\.(\d*))?$/;
/** More places than any amount has; what follows them does not count. */
const PLACES = 40;

/** Reads a decimal string (§2: amounts) as a whole number of its smallest parts: exact, unlike a floating-point number. */
export function toDecimal(value: unknown): bigint | undefined {
	const [, whole, fraction = ''] = DECIMAL.exec(String(toText(value))) ?? [];
	return whole === undefined
		? undefined
		: BigInt(whole + fraction.padEnd(PLACES, '0').slice(0, PLACES));
}

/** Writes what {@link toDecimal} reads, exactly and with at least two decimals. */
export function toDecimalString(value: bigint): string {
	const digits = String(value < 0n ? -value : value).padStart(PLACES + 1, '0');
	const decimals = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
	return `${value < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${decimals}`;
}

/** Reads an amount of 0 or more to compare with, as {@link toDecimal} does. */
export const toBound = reader(
	(value) => [toDecimal(value)].find((bound) => bound !== undefined && bound >= 0n),
	'a valid amount',
	'a number of 0 or more without a currency, with a point as the decimal separator, such as 500 or 99.95.',
);

const AMOUNT = /^(\d{1,40})(?:\.(\d{1,2}))?$/;

/** A number is accepted if it is exact: 10 or 10.5, but not 0.1 + 0.2, which is 0.30000000000000004. */
function readAmount(value: unknown): string | undefined {
	const isExact = typeof value === 'number' && Math.abs(value) * 100 <= Number.MAX_SAFE_INTEGER;
	const digits = isExact || typeof value === 'string' ? String(value).trim() : '';
	const [, whole = '0', cents = ''] = AMOUNT.exec(digits) ?? [];
	const amount = `${BigInt(whole)}.${cents.padEnd(2, '0')}`;
	return amount === '0.00' ? undefined : amount;
}

/** Reads an amount above zero, as a string with two decimals (§2). */
export const toAmount = reader(
	readAmount,
	'a valid amount',
	'greater than zero: digits with at most two decimals after a point, e.g. 250.00, without a currency symbol, thousands separator or sign. A calculated number can have rounding errors: use a string, such as {{ (0.1 + 0.2).toFixed(2) }}.',
);

/** Reads a switch; an expression may give it as a string. */
export const toBoolean = reader(
	(value) => [true, false].find((each) => value === each || value === String(each)),
	'true or false',
	'true or false. If an expression sets it, check what it returns.',
);

/** Reads a string, trimmed, or a number as its digits. */
export const toTrimmed = reader(
	toText,
	'a string',
	'a string or a number. To convert a date to a string, use {{ $json.date.toDateTime().toISO() }}.',
);

/** Reads a whole number within the bounds of its field. */
export const toWhole = ({ minValue = 1, maxValue = Infinity }: INodePropertyTypeOptions = {}) =>
	reader(
		(value) => [toInteger(value) ?? NaN].find((each) => each >= minValue && each <= maxValue),
		'valid',
		`a whole number ${maxValue === Infinity ? `of ${minValue} or more` : `from ${minValue} to ${maxValue}`}.`,
	);

const pairSchema = z.object({
	name: z.string().trim().min(1),
	value: z.union([z.string(), z.unknown().transform(toText).pipe(z.string())]).nullish(),
});
const pairsSchema = z.object({ pairs: z.array(pairSchema).default([]) }).strict();

/** Reads "Custom Query Parameters": names and strings that are sent as they are, where a name is undocumented (§4). */
export function toStringMap(value: unknown, label: string): Record<string, string> {
	const { data } = pairsSchema.safeParse(value);
	if (data === undefined) {
		throw new UserError(
			`${label} is not a list of names and values`,
			`Enter "${label}" as names and values. Each value needs a name, and is a string or a number.`,
		);
	}
	const map = new Map<string, string>();
	for (const { name, value: text = null } of data.pairs) {
		if (text === null || isBlank(text)) throw emptyField(`${label}: ${quoteValue(name)}`, false);
		if (map.has(name)) {
			throw new UserError(
				`${label} has the name ${quoteValue(name)} twice`,
				`Remove one of the two from "${label}". Only one could be sent.`,
			);
		}
		map.set(name, text);
	}
	if (map.size === 0) throw emptyField(label, false);
	return Object.fromEntries(map);
}

/** Objects within objects, at most. One that contains itself has no end. */
const MAX_DEPTH = 100;

/** JSON leaves out undefined, has null for NaN and an invalid date, which may clear a field, and rounds large integers. */
const isLost = (value: unknown, depth = 0): boolean =>
	value === undefined ||
	depth > MAX_DEPTH ||
	(Number.isInteger(value) && !Number.isSafeInteger(value)) ||
	(value !== null &&
		((typeof value === 'object' && Object.values(value).some((each) => isLost(each, depth + 1))) ||
			JSON.stringify(value) === 'null'));

/** Reads "Custom Fields": an object of any JSON that is not empty, also as a string. */
export function toJsonMap(value: unknown, label: string): Record<string, GenericValue> {
	const map = typeof value === 'string' ? parseJson(value) : value;
	if (isDataObject(map)) {
		const names = Object.keys(map);
		const blank = names.find((name) => isBlank(map[name]));
		if (names.length === 0) throw emptyField(label, false);
		if (blank !== undefined) throw emptyField(`${label}: ${quoteValue(blank)}`, false);
		if (!isLost(map) && !names.includes('')) return map;
	}
	throw new UserError(
		`${label} is not a JSON object`,
		`Enter "${label}" as a JSON object: {"name": "value", "count": 3, "tags": ["a"]}. An expression must not return NaN or an invalid date. Put a whole number of more than 15 digits in quotes.`,
	);
}
