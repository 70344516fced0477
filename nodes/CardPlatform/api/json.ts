import type { IDataObject } from 'n8n-workflow';

/** A number in its parts: whole digits, fraction, exponent. */
const NUMBER = /-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/g;

/** Only such numbers may lose digits: 15 are always kept. */
const MAY_BE_INEXACT = /(?:^|[:,[\s])-?(?:\d[\d.]{15}|\d[\d.]*[eE])/;

/** One form for every way to write the size of a number: its digits, and the power of ten of the last. */
function normalize(whole: string, fraction = '', exponent = '0'): string {
	const digits = (whole + fraction).replace(/^0+/, '');
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - end);
	return end === 0 ? '0' : `${digits.slice(0, end)}e${power}`;
}

const sizeOf = (text: string) =>
	text.replace(NUMBER, (_, whole: string, fraction?: string, exponent?: string) =>
		normalize(whole, fraction, exponent),
	);

const isExact = (token: string): boolean =>
	(token.length < 16 && !/e/i.test(token)) || sizeOf(token) === sizeOf(String(Number(token)));

/** The end of a JSON string that starts at a quote. */
function endOfString(json: string, start: number): number {
	for (let end = start + 1; ; end++) {
		end = json.indexOf('"', end);
		let escapes = 0;
		while (json[end - 1 - escapes] === '\\') escapes++;
		if (escapes % 2 === 0) return end + 1;
	}
}

/** Puts each number in quotes that JavaScript would change, such as 12345678901234567890. */
function quoteInexact(json: string): string {
	const parts: string[] = [];
	for (let at = 0; at < json.length;) {
		const quote = json.indexOf('"', at);
		const start = quote === -1 ? json.length : quote;
		const between = json.slice(at, start);
		parts.push(between.replace(NUMBER, (token) => (isExact(token) ? token : `"${token}"`)));
		at = quote === -1 ? start : endOfString(json, start);
		parts.push(json.slice(start, at));
	}
	return parts.join('');
}

/**
 * Parses JSON. A number that JavaScript cannot keep exactly becomes a string with the digits as sent:
 * no amount changes, whatever field it is in.
 *
 * @returns the value, or undefined if the string is not JSON
 */
export function parseJson(text: string): unknown {
	const value = parse(text);
	return value !== undefined && MAY_BE_INEXACT.test(text) ? parse(quoteInexact(text)) : value;
}

function parse(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		return undefined;
	}
}

/** Tells whether a value is an object with names and values, as an event or a card is. */
export const isDataObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
