import { Problem } from '../../api/problem';

/**
 * Reads the "Limit" of an operation that gets many.
 *
 * @returns a whole number above zero
 * @throws Problem
 */
export function toLimit(value: unknown): number {
	const limit = typeof value === 'string' ? Number(value) : value;
	if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return limit;
	throw new Problem(
		`Limit is not a whole number greater than zero: ${JSON.stringify(value)}`,
		'Set "Limit" to 1 or more, or turn on "Return All".',
	);
}
