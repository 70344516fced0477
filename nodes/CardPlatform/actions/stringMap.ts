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
	.object({ pairs: z.array(z.object({ name: z.string(), value: z.unknown() })).optional() })
	.strict()
	.transform(({ pairs = [] }): [string, unknown][] =>
		pairs.map(({ name, value }) => [name.trim(), value]),
	);

const valuesSchema = z.record(
	z.string().min(1),
	z.custom<GenericValue>((each) => !isLost(each)),
);

function refuseEmpty(entries: [string, unknown][], label: string): void {
	if (entries.length === 0) throw emptyField(label, false);
	const empty = entries.find(([, value]) => isBlank(value));
	if (empty !== undefined) throw emptyField(`${label}: ${quoteValue(empty[0])}`, false);
}

/** Reads "Custom Query Parameters": names and strings that are sent as they are, where a name is undocumented (§4). */
export function toStringMap(value: unknown, label: string): Record<string, string> {
	const { data: pairs = [], success } = pairsSchema.safeParse(value);
	if (success) refuseEmpty(pairs, label);
	const strings = pairs.map(([name, each]) => [
		name,
		typeof each === 'string' ? each : toText(each),
	]);
	const parsed = z.record(z.string().min(1), z.string()).safeParse(Object.fromEntries(strings));
	if (success && parsed.success) return parsed.data;
	throw new UserError(
		`${label} is not a list of names and values`,
		`Enter "${label}" as names and values. Each value needs a name, and is a string or a number.`,
	);
}

/** Reads "Custom Fields": an object of any JSON that is not empty, also as a string. */
export function toJsonMap(value: unknown, label: string): Record<string, GenericValue> {
	const data = typeof value === 'string' ? parseJson(value) : value;
	if (isDataObject(data)) refuseEmpty(Object.entries(data), label);
	const parsed = valuesSchema.safeParse(data);
	if (isDataObject(data) && parsed.success) return parsed.data;
	throw new UserError(
		`${label} is not a JSON object`,
		`Enter "${label}" as a JSON object: {"name": "value", "count": 3, "tags": ["a"]}. An expression must not return NaN or an invalid date.`,
	);
}
