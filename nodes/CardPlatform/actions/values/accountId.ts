import { Problem } from '../../api/problem';

/**
 * Reads an account identifier, an integer (§2 Account).
 *
 * @param value a number, or its digits as a text
 * @param label of the field, for the error
 * @throws Problem
 */
export function toAccountId(value: unknown, label: string): number {
	const id = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return id;
	throw new Problem(
		value === '' || value === undefined || value === null
			? `${label} is empty`
			: `${label} is not a whole number: ${JSON.stringify(value)}`,
		`"${label}" must be an account number, e.g. 1001. It is shown in the dashboard.`,
	);
}
