import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';

import { isDataObject, parseJson } from '../api/json';
import { UserError } from '../api/userError';
import { emptyField, isBlank, quoteValue } from '../api/values';

/** JSON leaves out undefined, and has null for NaN and an invalid date, which may clear a field. */
const isLost = (value: unknown): boolean =>
	value === undefined ||
	(value !== null &&
		(JSON.stringify(value) === 'null' ||
			(typeof value === 'object' && Object.values(value).some(isLost))));

const stringsSchema = z.record(z.string(), z.string());
const valuesSchema = z.record(
	z.string(),
	z.custom<GenericValue>((value) => !isLost(value)),
);

const formSchema = z
	.object({
		pairs: z.array(z.object({ name: z.string(), value: z.unknown() })).default([]),
		json: z.array(z.object({ value: z.unknown() })).default([]),
	})
	.strict();

/** In the form a value is a string; an expression may give a number. */
const toPairValue = (value: unknown): unknown => (Number.isFinite(value) ? String(value) : value);

function readMap<T>(
	value: unknown,
	schema: z.ZodType<Record<string, T>>,
	label: string,
	error: UserError,
): Record<string, T | string> {
	const parse = <Value>(
		source: unknown,
		valuesOf: z.ZodType<Record<string, Value>>,
	): Record<string, Value> => {
		const data = typeof source === 'string' ? parseJson(source) : source;
		if (isBlank(source)) throw emptyField(label, false);
		if (isDataObject(data)) {
			if (Object.keys(data).length === 0) throw emptyField(label, false);
			const empty = Object.entries(data).find(([, each]) => isBlank(each));
			if (empty !== undefined) throw emptyField(`${label}: ${quoteValue(empty[0])}`, false);
		}
		const parsed = valuesOf.safeParse(data);
		if (!parsed.success) throw error;
		return parsed.data;
	};

	const form = formSchema.safeParse(value);
	const { pairs, json } = form.success ? form.data : { pairs: [], json: [{ value }] };
	const parts = [
		...pairs.map((pair) => parse({ [pair.name.trim()]: toPairValue(pair.value) }, stringsSchema)),
		...json.map((entry) => parse(entry.value, schema)),
	];
	if (parts.length === 0) throw emptyField(label, false);
	const named = Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
	if (Object.hasOwn(named, '')) throw error;
	return named;
}

/**
 * Reads "Custom Query Parameters": names and strings that are sent as they are, where a name is
 * undocumented (§4).
 *
 * @param value what the form gives (name and value pairs, JSON objects), or one JSON object, also
 * as a string
 * @param label of the field, for the error
 * @returns strings by name; a later one wins
 * @throws UserError if something in it is not an object of strings, is empty, or has no name
 */
export const toStringMap = (value: unknown, label: string): Record<string, string> =>
	readMap(
		value,
		stringsSchema,
		label,
		new UserError(
			`${label} is not an object of strings`,
			`Enter "${label}" as names and values, or as a JSON object with string values: {"name": "value"}. Put numbers and booleans in quotes.`,
		),
	);

/**
 * Reads "Custom Fields", as {@link toStringMap} does; in a JSON object a value is any JSON that is not empty.
 *
 * @returns values by name; a later one wins
 * @throws UserError if something in it is not a JSON object, is empty, or has no name
 */
export const toJsonMap = (value: unknown, label: string): Record<string, GenericValue> =>
	readMap(
		value,
		valuesSchema,
		label,
		new UserError(
			`${label} is not a JSON object`,
			`Enter "${label}" as names and values, or as a JSON object: {"name": "value", "count": 3, "tags": ["a"]}. Each value needs a name. An expression must not return NaN or an invalid date.`,
		),
	);
