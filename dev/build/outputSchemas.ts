import type { z } from 'zod';

import type { Resource } from '../../nodes/CardPlatform/actions/operation.ts';
import type { eventSchema as EventSchema } from '../../nodes/CardPlatform/api/event.ts';

/** A JSON schema, as far as n8n's editor reads it. */
export interface OutputSchema {
	type: string;
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

/**
 * Gives the schemas of what the nodes return, which n8n's editor shows before anything has run.
 *
 * @param zod the copy of zod that made the schemas of the API
 * @param resources all operations
 * @returns by path below `__schema__`
 * @throws Error for a schema of an unexpected type
 */
export function outputSchemas(
	zod: typeof z,
	resources: Resource[],
	eventSchema: typeof EventSchema,
): Record<string, OutputSchema> {
	const { object, string, record, unknown } = zod;
	const delivery = object({
		source: string(),
		eventId: string(),
		topic: string(),
		timestamp: string(),
	});
	const operations = resources.flatMap(({ value, operations: each }) =>
		each.map((one): [string, unknown] => [`v1.0.0/${value}/${one.value}`, one.returns]),
	);
	const readable = object({ eventType: string(), summary: string(), declineReason: string() });
	const event = readable.extend(eventSchema.shape);
	const outputs: [string, unknown][] = [
		// Node versions: the polling trigger's is 1, the trigger's 2.
		['v1.0.0/output', event.extend({ delivery: delivery.pick({ source: true }) })],
		['v2.0.0/output', event.extend({ delivery })],
		...operations,
	];

	const convert = (schema: unknown): OutputSchema => {
		if (schema instanceof zod.ZodOptional) return convert(schema.unwrap());
		if (schema instanceof zod.ZodNullable) return convert(schema.unwrap());
		if (schema instanceof zod.ZodArray) return { type: 'array', items: convert(schema.element) };
		if (schema instanceof zod.ZodObject) {
			const fields = Object.entries(record(string(), unknown()).parse(schema.shape));
			// Of any other object, nothing is known.
			if (fields.length === 0) return { type: 'object' };
			const properties = fields.map(([name, field]) => [name, convert(field)] as const);
			return { type: 'object', properties: Object.fromEntries(properties) };
		}
		if (schema instanceof zod.ZodRecord) return { type: 'object' };
		if (schema instanceof zod.ZodNumber) return { type: schema.isInt ? 'integer' : 'number' };
		if (schema instanceof zod.ZodBoolean) return { type: 'boolean' };
		if (schema instanceof zod.ZodString) return { type: 'string' };
		throw new Error('A schema of the API has a type that no output schema can show');
	};
	return Object.fromEntries(outputs.map(([path, schema]) => [path, convert(schema)] as const));
}
