/** A decimal number, exact; equal values have equal fields. */
export interface Decimal {
	isNegative: boolean;
	/** Digits before the point, without leading zeros. */
	integer: string;
	/** Digits after the point, without trailing zeros. */
	fraction: string;
}

const DECIMAL = /^[+-]?\d+(\.\d*)?$/;

// Not by regular expression: those take time that grows with the square of the number of zeros.
function withoutLeadingZeros(digits: string): string {
	let start = 0;
	while (start < digits.length - 1 && digits[start] === '0') start++;
	return digits.slice(start);
}

function withoutTrailingZeros(digits: string): string {
	let end = digits.length;
	while (digits[end - 1] === '0') end--;
	return digits.slice(0, end);
}

/**
 * Reads a decimal string (§2: monetary amounts). Not as a floating-point number, for which 0.1 and
 * 0.1000000000000000055 are the same.
 *
 * @returns undefined if the string is not a decimal number
 */
export function parseDecimal(text: string): Decimal | undefined {
	if (!DECIMAL.test(text)) return undefined;
	const digits = text.replace(/^[+-]/, '');
	const point = `${digits}.`.indexOf('.');
	const integer = withoutLeadingZeros(digits.slice(0, point));
	const fraction = withoutTrailingZeros(digits.slice(point + 1));
	const isZero = integer === '0' && fraction === '';
	return { isNegative: text.startsWith('-') && !isZero, integer, fraction };
}

const compareStrings = (a: string, b: string): number => Number(a > b) - Number(a < b);

const compareSizes = (a: Decimal, b: Decimal): number =>
	a.integer.length - b.integer.length ||
	compareStrings(a.integer, b.integer) ||
	compareStrings(a.fraction, b.fraction);

/**
 * Compares two decimals, for sorting.
 *
 * @returns less than 0 if the first is smaller, more than 0 if it is larger, 0 if they are equal
 */
export function compareDecimals(a: Decimal, b: Decimal): number {
	if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
	return a.isNegative ? compareSizes(b, a) : compareSizes(a, b);
}
