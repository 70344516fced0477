import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

import type { Parameter } from './openapi/document.ts';
import type { Schema } from './openapi/schema.ts';

/** Says what is wrong with a value, in one text for each problem; nothing for a good one. */
export type Check = (value: unknown) => string[];

function createAjv(options: Options): Ajv2020 {
	const ajv = new Ajv2020({ strict: true, strictTypes: true, allErrors: true, ...options });
	addFormats(ajv);
	ajv.addKeyword('x-assumption');
	return ajv;
}

const values = createAjv({});
// What is in a path, a query or a header is text, whatever its type.
const texts = createAjv({ coerceTypes: true });

/** Forbids every field that a schema does not name. */
const close = (schema: Schema): Record<string, unknown> => ({
	...schema,
	...(schema.items && { items: close(schema.items) }),
	...(schema.oneOf && { oneOf: schema.oneOf.map(close) }),
	...(schema.properties && {
		properties: Object.fromEntries(
			Object.entries(schema.properties).map(([name, each]) => [name, close(each)]),
		),
		unevaluatedProperties: false,
	}),
});

const describe = ({ instancePath, message = '', params }: ErrorObject): string => {
	const { unevaluatedProperty } = params;
	const name = typeof unevaluatedProperty === 'string' ? ` "${unevaluatedProperty}"` : '';
	return `${instancePath} ${message}${name}`.trim();
};

function compile(ajv: Ajv2020, schema: Record<string, unknown>): Check {
	let validate: ReturnType<Ajv2020['compile']> | undefined;
	return (value) => {
		validate ??= ajv.compile(schema);
		return validate(value) ? [] : (validate.errors ?? []).map(describe);
	};
}

/** Makes the check of a JSON body: no field beyond those of the schema. */
export const bodyCheck = (schema: Schema): Check => compile(values, close(schema));

/**
 * Makes the check of the parameters of one place, given as an object of texts: none beyond those
 * that are documented. Names of headers are in lower case.
 */
export function parameterCheck(parameters: Parameter[], place: Parameter['in']): Check {
	const here = parameters
		.filter((parameter) => parameter.in === place)
		.map((each) => ({ ...each, name: place === 'header' ? each.name.toLowerCase() : each.name }));
	return compile(texts, {
		type: 'object',
		properties: Object.fromEntries(here.map(({ name, schema }) => [name, schema])),
		required: here.filter(({ required }) => required).map(({ name }) => name),
		unevaluatedProperties: false,
	});
}
