import { z } from 'zod';

import { Problem } from '../../api/problem';

// Not zod's own uuid(), which in zod 4 refuses most versions of a uuid.
const uuidSchema = z
	.string()
	.trim()
	.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
	.toLowerCase();

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
			`Set "${label}", or check that its expression returns a value for this item.`,
		);
	}
	throw new Problem(
		`${label} is not a valid ID: ${JSON.stringify(value)}`,
		`"${label}" must be an ID such as 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10. Choose it from the list, or map it from an earlier node (cardId of an event, id of a card).`,
	);
}
