/** A decimal number, exact, in the one form that each value has. */
export interface Decimal {
	isNegative: boolean;
	/** Digits before the point, without leading zeros. */
	integer: string;
	/** Digits after the point, without trailing zeros. */
	fraction: string;
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?$/;

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
 * Reads a decimal string (§2: monetary amounts). No floating-point number is involved, which would
 * take 0.1 and 0.1000000000000000055 for the same.
 *
 * @returns undefined where the text is none
 */
export function parseDecimal(text: string): Decimal | undefined {
	const match = DECIMAL.exec(text);
	if (match === null) return undefined;
	const integer = withoutLeadingZeros(match[2] ?? '');
	const fraction = withoutTrailingZeros(match[3] ?? '');
	const isZero = integer === '0' && fraction === '';
	return { isNegative: match[1] === '-' && !isZero, integer, fraction };
}

const compareTexts = (a: string, b: string): number => Number(a > b) - Number(a < b);

const compareSizes = (a: Decimal, b: Decimal): number =>
	a.integer.length - b.integer.length ||
	compareTexts(a.integer, b.integer) ||
	compareTexts(a.fraction, b.fraction);

/**
 * Compares two decimals, for sorting.
 *
 * @returns less than 0 where the first is smaller, more than 0 where it is larger, 0 where equal
 */
export function compareDecimals(a: Decimal, b: Decimal): number {
	if (a.isNegative !== b.isNegative) return a.isNegative ? -1 : 1;
	return a.isNegative ? compareSizes(b, a) : compareSizes(a, b);
}
