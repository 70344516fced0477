import { UserError } from './userError';
import { quoteValue, toText } from './values';

/** A decimal number, exact: its digits without the point, and how many of them follow the point. */
export interface Decimal {
	digits: bigint;
	places: number;
}

const DECIMAL = /^[+-]?\d+(?:\.(\d*))?$/;

/**
 * Reads a decimal string (§2: monetary amounts). Not as a floating-point number, for which 0.1 and
 * 0.1000000000000000055 are the same.
 *
 * @returns undefined if the value is not a decimal number
 */
export function toDecimal(value: unknown): Decimal | undefined {
	const text = toText(value) ?? '';
	const match = DECIMAL.exec(text);
	if (match === null) return undefined;
	return { digits: BigInt(text.replace('.', '')), places: match[1]?.length ?? 0 };
}

/** Tells whether a decimal is the same as another one, or larger. */
export const isAtLeast = (a: Decimal, b: Decimal): boolean =>
	a.digits * 10n ** BigInt(b.places) >= b.digits * 10n ** BigInt(a.places);

/** Reads an amount that others are compared with. */
export function toAmountLimit(value: unknown, label: string): Decimal {
	const amount = toDecimal(value);
	if (amount !== undefined && amount.digits >= 0n) return amount;
	throw new UserError(
		`${label} is not a valid amount: ${quoteValue(value)}`,
		`"${label}" must be a number of 0 or more without a currency, with a point as the decimal separator, such as 500 or 99.95.`,
	);
}
