import { z } from 'zod';

/** A schema of openapi.yaml: the part of JSON Schema 2020-12 that it uses. */
export interface Schema {
	/** The name of an object; it is described under this name in the readable docs. */
	title?: string | undefined;
	description?: string | undefined;
	/** What is undocumented here, and where that is listed. */
	'x-assumption'?: string | undefined;
	deprecated?: boolean | undefined;
	examples?: unknown[] | undefined;
	default?: unknown;
	type?: 'array' | 'boolean' | 'integer' | 'null' | 'object' | 'string' | undefined;
	const?: unknown;
	enum?: string[] | undefined;
	format?: 'date' | 'date-time' | 'uri' | 'uuid' | undefined;
	pattern?: string | undefined;
	minLength?: number | undefined;
	maxLength?: number | undefined;
	minimum?: number | undefined;
	maximum?: number | undefined;
	items?: Schema | undefined;
	maxItems?: number | undefined;
	properties?: Record<string, Schema> | undefined;
	required?: string[] | undefined;
	dependentRequired?: Record<string, string[]> | undefined;
	minProperties?: number | undefined;
	oneOf?: Schema[] | undefined;
}

/** Checks a schema of openapi.yaml; strict, so that no keyword is used that nothing here reads. */
export const schemaSchema: z.ZodType<Schema> = z.lazy(() =>
	z
		.object({
			title: z.string(),
			description: z.string(),
			'x-assumption': z.string(),
			deprecated: z.boolean(),
			examples: z.array(z.unknown()),
			default: z.unknown(),
			type: z.enum(['array', 'boolean', 'integer', 'null', 'object', 'string']),
			const: z.unknown(),
			enum: z.array(z.string()),
			format: z.enum(['date', 'date-time', 'uri', 'uuid']),
			pattern: z.string(),
			minLength: z.number(),
			maxLength: z.number(),
			minimum: z.number(),
			maximum: z.number(),
			items: schemaSchema,
			maxItems: z.number(),
			properties: z.record(schemaSchema),
			required: z.array(z.string()),
			dependentRequired: z.record(z.array(z.string())),
			minProperties: z.number(),
			oneOf: z.array(schemaSchema),
		})
		.partial()
		.strict(),
);
