import type { Schema } from './schema.ts';

/** Gives a value that a schema allows, with every field that is not deprecated. */
export function exampleOf(schema: Schema): unknown {
	const [example] = schema.examples ?? [schema.const ?? schema.default ?? schema.enum?.[0]];
	if (example !== undefined) return example;
	const [alternative] = schema.oneOf ?? [];
	if (alternative) return exampleOf(alternative);
	if (schema.items) return [exampleOf(schema.items)];
	const fields = Object.entries(schema.properties ?? {}).filter(
		([, { deprecated }]) => !deprecated,
	);
	return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]));
}
