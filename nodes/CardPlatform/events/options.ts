import { z } from 'zod';

import { UserError } from '../api/userError';
import { emptyField, isBlank, quoteValue } from '../api/values';

/** An option of a trigger, in words. */
export interface OptionText {
	/** As the form shows it. */
	label: string;
	/** What its value must be. */
	takes: string;
}

const collectionSchema = z.record(z.string(), z.unknown());

/**
 * Checks the collection "Options" of a trigger.
 *
 * @param value as n8n stores it; an absent option has its default
 * @param texts of the options of the schema
 * @throws UserError that names the options with a wrong value
 */
export function parseTriggerOptions<Schema extends z.AnyZodObject>(
	value: unknown,
	schema: Schema,
	texts: Readonly<Record<string, OptionText>>,
): z.infer<Schema> {
	const collection = collectionSchema.safeParse(value);
	if (!collection.success) throw emptyField('Options', false);
	const given = collection.data;
	for (const [name, { label }] of Object.entries(texts)) {
		if (name in given && isBlank(given[name])) throw emptyField(label, false);
	}
	const parsed = schema.safeParse(given);
	if (parsed.success) return parsed.data;

	const invalid = new Set(parsed.error.issues.map(({ path: [name] }) => name));
	const wrong = Object.entries(texts).filter(([name]) => invalid.has(name));
	throw new UserError(
		`Invalid option value: ${wrong.map(([name, { label }]) => `"${label}" is ${quoteValue(given[name])}`).join(', ')}`,
		wrong.map(([, { label, takes }]) => `"${label}" must be ${takes}.`).join(' '),
	);
}
