/** A JSON string, or a number in its parts: whole digits, fraction, exponent. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/g;

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
	text.replace(STRING_OR_NUMBER, (_, whole: string, fraction?: string, exponent?: string) =>
		normalize(whole, fraction, exponent),
	);

/** Puts each number in quotes that JavaScript would change, such as 12345678901234567890. */
const quoteInexact = (json: string): string =>
	json.replace(STRING_OR_NUMBER, (token) =>
		token.startsWith('"') || sizeOf(token) === sizeOf(String(Number(token))) ? token : `"${token}"`,
	);

/**
 * Parses JSON. A number that JavaScript cannot keep exactly becomes a string with the digits as sent:
 * no amount changes, whatever field it is in.
 *
 * @returns the value, or undefined where the string is no JSON
 */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		if (!MAY_BE_INEXACT.test(text)) return value;
		const exact: unknown = JSON.parse(quoteInexact(text));
		return exact;
	} catch {
		return undefined;
	}
}
