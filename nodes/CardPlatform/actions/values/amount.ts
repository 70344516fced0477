import { Problem } from '../../api/problem';

const AMOUNT = /^(\d+)(?:\.(\d{1,2}))?$/;

/**
 * Reads an amount of money (§2: a decimal string). A number is taken where it is exact as it
 * stands, 10 or 10.5, but not 0.1 + 0.2, which is 0.30000000000000004.
 *
 * @param label of the field, for the error
 * @returns the amount with two decimals, above zero
 * @throws Problem
 */
export function toAmount(value: unknown, label: string): string {
	const refuse = (hint: string) =>
		new Problem(`${label} is not a valid amount: ${JSON.stringify(value)}`, hint);

	const isExact = typeof value === 'number' && Math.abs(value) * 100 <= Number.MAX_SAFE_INTEGER;
	const text = isExact || typeof value === 'string' ? String(value).trim() : '';
	const match = AMOUNT.exec(text);
	if (match === null) {
		throw refuse(
			typeof value === 'number'
				? `"${label}" allows at most two decimals, and a calculated number can have rounding errors. Use a string with two decimals: {{ (0.1 + 0.2).toFixed(2) }}.`
				: `"${label}" must be digits with at most two decimals after a point, e.g. 250.00: no currency symbol, no thousands separator, no minus sign.`,
		);
	}
	const [, whole = '', cents = ''] = match;
	const amount = `${BigInt(whole)}.${cents.padEnd(2, '0')}`;
	if (amount === '0.00') throw refuse(`"${label}" must be greater than zero.`);
	return amount;
}
