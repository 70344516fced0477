import { z } from 'zod';

import { UserError } from '../../api/userError';

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
 * @throws UserError
 */
export function toUuid(value: unknown, label: string): string {
	const parsed = uuidSchema.safeParse(value);
	if (parsed.success) return parsed.data;
	if (value === undefined || value === null || value === '') {
		throw new UserError(
			`${label} is empty`,
			`Choose a value in the field "${label}", or check that the expression in it finds one for this item.`,
		);
	}
	throw new UserError(
		`${label} is not a valid ID: ${JSON.stringify(value)}`,
		`"${label}" takes an ID such as 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10. Choose it from the list, or map it from an earlier step (cardId of an event, id of a card).`,
	);
}
