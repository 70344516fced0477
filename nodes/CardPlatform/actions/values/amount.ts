import { UserError } from '../../api/userError';

const AMOUNT = /^(\d+)(?:\.(\d{1,2}))?$/;

/**
 * Reads an amount of money (§2: a decimal string). A number is taken where it is exact as it
 * stands, 10 or 10.5, but not 0.1 + 0.2, which is 0.30000000000000004.
 *
 * @param label of the field, for the error
 * @returns the amount with two decimals, above zero
 * @throws UserError
 */
export function toAmount(value: unknown, label: string): string {
	const refuse = (hint: string) =>
		new UserError(`${label} is not an amount of money: ${JSON.stringify(value)}`, hint);

	const isExact = typeof value === 'number' && Math.abs(value) * 100 <= Number.MAX_SAFE_INTEGER;
	const text = isExact || typeof value === 'string' ? String(value).trim() : '';
	const match = AMOUNT.exec(text);
	if (match === null) {
		throw refuse(
			typeof value === 'number'
				? `"${label}" takes at most two decimals, and a number from a calculation can be off by a tiny part. Give it as text with two decimals: {{ (0.1 + 0.2).toFixed(2) }}.`
				: `"${label}" takes digits, with a point before at most two decimals, e.g. 250.00: no currency sign, no thousands separator, no minus.`,
		);
	}
	const [, whole = '', cents = ''] = match;
	const amount = `${BigInt(whole)}.${cents.padEnd(2, '0')}`;
	if (amount === '0.00') throw refuse(`"${label}" must be above zero.`);
	return amount;
}
