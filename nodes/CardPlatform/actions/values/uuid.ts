import { z } from 'zod';

import { Problem } from '../../api/problem';

const uuidSchema = z.string().trim().uuid().toLowerCase();

/**
 * Reads an identifier that is a uuid (§2).
 *
 * @param label of the field, for the error
 * @returns it in lower case
 * @throws Problem
 */
export function toUuid(value: unknown, label: string): string {
	const parsed = uuidSchema.safeParse(value);
	if (parsed.success) return parsed.data;
	if (value === undefined || value === null || value === '') {
		throw new Problem(
			`${label} is empty`,
			`Choose a value in the field "${label}", or check that the expression in it finds one for this item.`,
		);
	}
	throw new Problem(
		`${label} is not a valid ID: ${JSON.stringify(value)}`,
		`"${label}" takes an ID such as 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10. Choose it from the list, or map it from an earlier step (cardId of an event, id of a card).`,
	);
}
