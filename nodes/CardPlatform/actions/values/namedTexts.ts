import { z } from 'zod';

import { parseJson } from '../../api/json';
import { Problem } from '../../api/problem';

const textsSchema = z.record(z.string());

const formSchema = z.object({
	pairs: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
	json: z.array(z.object({ value: z.unknown() })).default([]),
});

/**
 * Reads "Custom Query Parameters" or "Custom Fields": names and values that are sent as they are,
 * where public-api.md shows no name (§4).
 *
 * @param value what the form gives (name and value pairs, JSON objects), or one JSON object, also
 * as text
 * @param label of the field, for the error
 * @returns values by name; a later one wins
 * @throws Problem where something in it is no object of texts, or has no name
 */
export function toNamedTexts(value: unknown, label: string): Record<string, string> {
	const problem = new Problem(
		`${label} is not an object of texts`,
		`Give "${label}" as names and values, or as a JSON object whose values are texts: {"name": "value"}. A number or true goes in quotes.`,
	);
	const parse = (source: unknown): Record<string, string> => {
		const isBlank = source === undefined || source === null || source === '';
		const data = typeof source === 'string' ? parseJson(source) : source;
		const parsed = textsSchema.safeParse(isBlank ? {} : data);
		if (!parsed.success) throw problem;
		return parsed.data;
	};

	const form = formSchema.strict().safeParse(value);
	const parts = form.success
		? [
				...form.data.pairs.map((pair) => ({ [pair.name.trim()]: pair.value })),
				...form.data.json.map((entry) => parse(entry.value)),
			]
		: [parse(value)];
	const texts = Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
	if (Object.hasOwn(texts, '')) throw problem;
	return texts;
}
