import { UserError } from '../../api/userError';

/**
 * Reads an account identifier, an integer (§2 Account).
 *
 * @param value a number, or its digits as a text
 * @param label of the field, for the error
 * @throws UserError
 */
export function toAccountId(value: unknown, label: string): number {
	const id = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
	if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return id;
	throw new UserError(
		value === '' || value === undefined || value === null
			? `${label} is empty`
			: `${label} is not a whole number: ${JSON.stringify(value)}`,
		`"${label}" takes the number of an account, e.g. 1001. You find it in the dashboard.`,
	);
}
