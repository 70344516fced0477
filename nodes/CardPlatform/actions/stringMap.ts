import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';

import { isDataObject, parseJson } from '../api/json';
import { UserError } from '../api/userError';
import { emptyField, isBlank, quoteValue, toText } from '../api/values';

/** JSON leaves out undefined, and has null for NaN and an invalid date, which may clear a field. */
const isLost = (value: unknown): boolean =>
	value === undefined ||
	(value !== null &&
		(JSON.stringify(value) === 'null' ||
			(typeof value === 'object' && Object.values(value).some(isLost))));

const pairsSchema = z
	.object({ pairs: z.array(z.object({ name: z.string().trim(), value: z.unknown() })).optional() })
	.strict()
	.transform(({ pairs = [] }) => pairs.map(({ name, value = null }) => [name, value]));

function read<T>(data: unknown, type: z.ZodType<T>, label: string, takes: [string, string]) {
	for (const [name, value] of isDataObject(data) ? Object.entries(data) : []) {
		if (isBlank(value)) throw emptyField(`${label}: ${quoteValue(name)}`, false);
	}
	if (isDataObject(data) && Object.keys(data).length === 0) throw emptyField(label, false);
	const parsed = z.record(z.string().min(1), type).safeParse(isDataObject(data) ? data : undefined);
	if (parsed.success) return parsed.data;
	throw new UserError(`${label} is not ${takes[0]}`, `Enter "${label}" as ${takes[1]}`);
}

/** Reads "Custom Query Parameters": names and strings that are sent as they are, where a name is undocumented (§4). */
export function toStringMap(value: unknown, label: string): Record<string, string> {
	const pairs = pairsSchema.safeParse(value).data?.map(([name, each]) => {
		return [name, typeof each === 'string' ? each : (toText(each) ?? each)];
	});
	const names = pairs?.map(([name]) => name) ?? [];
	const twice = names.find((name, index) => names.indexOf(name) < index);
	if (twice !== undefined) {
		throw new UserError(
			`${label} has the name ${quoteValue(twice)} twice`,
			`Remove one of the two from "${label}". Only one could be sent.`,
		);
	}
	return read(pairs && Object.fromEntries(pairs), z.string(), label, [
		'a list of names and values',
		'names and values. Each value needs a name, and is a string or a number.',
	]);
}

/** Reads "Custom Fields": an object of any JSON that is not empty, also as a string. */
export function toJsonMap(value: unknown, label: string): Record<string, GenericValue> {
	const type = z.custom<GenericValue>((each) => !isLost(each));
	return read(typeof value === 'string' ? parseJson(value) : value, type, label, [
		'a JSON object',
		'a JSON object: {"name": "value", "count": 3, "tags": ["a"]}. An expression must not return NaN or an invalid date.',
	]);
}
