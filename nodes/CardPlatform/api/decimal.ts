/** A decimal number, exact, in the one form that each value has. */
export interface Decimal {
	isNegative: boolean;
	/** Digits before the point, without leading zeros. */
	integer: string;
	/** Digits after the point, without trailing zeros. */
	fraction: string;
}

const DECIMAL = /^([+-]?)0*(\d+)(?:\.(\d*?)0*)?$/;

/**
 * Reads a decimal string (§2: monetary amounts). No floating-point number is involved, which would
 * take 0.1 and 0.1000000000000000055 for the same.
 *
 * @returns undefined where the text is none
 */
export function parseDecimal(text: string): Decimal | undefined {
	const match = DECIMAL.exec(text.trim());
	if (match === null) return undefined;
	const [, sign, integer = '', fraction = ''] = match;
	const isZero = integer === '0' && fraction === '';
	return { isNegative: sign === '-' && !isZero, integer, fraction };
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
