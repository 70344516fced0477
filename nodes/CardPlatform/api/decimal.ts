import { UserError } from './userError';
import { quoteValue, toText } from './values';

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

/** Reads an amount that others are compared with. */
export function toAmountLimit(value: unknown, label: string): bigint {
	const amount = toDecimal(value);
	if (amount !== undefined && amount >= 0n) return amount;
	throw new UserError(
		`${label} is not a valid amount: ${quoteValue(value)}`,
		`"${label}" must be a number of 0 or more without a currency, with a point as the decimal separator, such as 500 or 99.95.`,
	);
}
