import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** Says what is wrong with a value, in one string for each problem; nothing for a good one. */
type Check = (value: unknown) => string[];

/** An operation or a webhook of openapi.yaml, ready to check what goes over the wire. */
export interface Operation {
	/** In capitals. */
	method: string;
	/** As openapi.yaml writes it; the topic of a webhook. */
	path: string;
	/** Its number in §4 of docs/api.md, such as 4.3; undefined without a rule. */
	rule?: string;
	/** What it does, in a few words. */
	summary: string;
	/** The feature without which it responds with 403, as its tag says; undefined if it needs none. */
	feature?: string;
	/** The path parameters of a path; undefined if it is the path of another operation. */
	match: (path: string) => Record<string, string> | undefined;
	/** Takes an object of `path`, `query` and `header`, whose values are strings. */
	checkParameters: Check;
	checkBody: Check;
	/** An example with all fields; undefined for no body. */
	body: unknown;
	/** An example of each parameter of the query. */
	query: Record<string, string>;
	/** By status. */
	responses: Map<string, { checkHeaders: Check; checkBody: Check; example: unknown }>;
}

type Schema = Record<string, unknown>;

/** What openapi.yaml says of a parameter, of a body and of an operation, as far as it is checked here. */
interface Parameter {
	name: string;
	in: string;
	required?: boolean;
	schema: Schema;
}

interface Content {
	content?: { 'application/json': { schema: Schema } };
}

interface Described {
	tags: string[];
	summary: string;
	'x-rule'?: string;
	parameters?: Parameter[];
	requestBody?: Content;
	responses: Record<string, Content>;
}

type ByPath = Record<string, Record<string, Described>>;

/** openapi.yaml as it is. */
export const openapi = parse(readFileSync(join(__dirname, '../../sandbox/openapi.yaml'), 'utf8'), {
	merge: true,
}) as Schema;

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** The same with the document's name in each reference, and every object closed: no field but those listed. */
const closed = JSON.parse(
	JSON.stringify(openapi).replaceAll('"$ref":"#/', '"$ref":"openapi#/'),
	(_key, value: unknown) =>
		isObject(value) && value.type === 'object' && 'properties' in value
			? { ...value, unevaluatedProperties: false }
			: value,
) as { tags: { name: string; description: string }[]; paths: ByPath; webhooks: ByPath };

/** What a tag says that all of its endpoints require. */
const featureOf = (tag = '') =>
	/These endpoints require ([^;.]+)/.exec(
		closed.tags.find(({ name }) => name === tag)?.description ?? '',
	)?.[1];

/** What a `$ref` refers to, or the value itself. */
function dereference<T extends object>(value: T): T {
	if (!('$ref' in value)) return value;
	const [, ...steps] = String(value.$ref).split('/');
	return steps.reduce((at: unknown, step) => (isObject(at) ? at[step] : undefined), closed) as T;
}

const header = (name: string, pattern: string): Parameter => ({
	...{ name, in: 'header', required: true },
	schema: { type: 'string', pattern },
});

const contentType = header('content-type', '^application/json(;|$)');

/** What requests to the API have without it being listed there. */
const authorization = header('authorization', '^Bearer \\S+$');

function createAjv(coerceTypes: boolean): Ajv2020 {
	const ajv = new Ajv2020({ strict: true, allErrors: true, coerceTypes });
	addFormats(ajv);
	// The document is known to Ajv as a whole, so that it follows references.
	ajv.addVocabulary(['x-assumption', ...Object.keys(openapi)]);
	ajv.addSchema(closed, 'openapi');
	return ajv;
}

const values = createAjv(false);
/** In a path, a query or a header, everything is a string, whatever its type. */
const strings = createAjv(true);

const describe = ({ instancePath, message = '', params }: ErrorObject): string => {
	const { unevaluatedProperty: name } = params;
	return `${instancePath} ${message}${typeof name === 'string' ? ` "${name}"` : ''}`.trim();
};

/** Compiles a schema when it is used for the first time. */
function toCheck(ajv: Ajv2020, schema: Schema): Check {
	let validate: ReturnType<Ajv2020['compile']> | undefined;
	return (value) => {
		validate ??= ajv.compile(schema);
		return validate(value) ? [] : (validate.errors ?? []).map(describe);
	};
}

/** Checks a body; without a schema, there must be none. */
const bodyCheck = (body?: Content): Check =>
	toCheck(values, body?.content?.['application/json'].schema ?? { const: '' });

/** A value of a schema, by its examples: an object has all fields, a list one item. Undefined for no body. */
function exampleOf(schema: Schema | undefined): unknown {
	if (schema === undefined) return undefined;
	const { type, minimum = 0, properties = {}, items, ...own } = dereference(schema);
	const values = [own.const, own.examples, own.enum].flat().filter((each) => each !== undefined);
	if (values.length > 0) return values[0];
	if (Array.isArray(own.oneOf)) return exampleOf((own.oneOf as Schema[])[0]);
	if (type === 'array') return [exampleOf(items as Schema)];
	if (type === 'boolean') return false;
	if (type === 'integer') return minimum;
	const fields = Object.entries(properties as Record<string, Schema>);
	return Object.fromEntries(fields.map(([name, each]) => [name, exampleOf(each)]));
}

/** The schema of an object with one place's parameters. Names of headers are in lower case on the wire. */
function objectOf(place: string, parameters: Parameter[]): Schema {
	const here = parameters
		.filter((parameter) => parameter.in === place)
		.map((each) => ({ ...each, name: place === 'header' ? each.name.toLowerCase() : each.name }));
	return {
		type: 'object',
		properties: Object.fromEntries(here.map(({ name, schema }) => [name, schema])),
		required: here.filter(({ required }) => required).map(({ name }) => name),
		// HTTP and its clients add headers of their own.
		unevaluatedProperties: place === 'header',
	};
}

function toMatch(template: string): Operation['match'] {
	const names = template.match(/(?<=\{)[^}]+/g) ?? [];
	const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, '([^/]+)')}$`);
	return (path) => {
		const found = pattern.exec(path)?.slice(1);
		return found && Object.fromEntries(names.map((name, index) => [name, found[index] ?? '']));
	};
}

function toOperation(
	method: string,
	path: string,
	{ parameters = [], requestBody, responses, ...own }: Described,
	commonHeaders: Parameter[],
): Operation {
	const all = [...commonHeaders, ...parameters.map(dereference)];
	if (requestBody) all.push(contentType);
	const properties = {
		path: objectOf('path', all),
		query: objectOf('query', all),
		header: objectOf('header', all),
	};
	const checksOf = (response: Content) => ({
		checkHeaders: toCheck(values, objectOf('header', response.content ? [contentType] : [])),
		checkBody: bodyCheck(response),
		example: exampleOf(response.content?.['application/json'].schema),
	});
	return {
		method: method.toUpperCase(),
		path,
		rule: own['x-rule'],
		summary: own.summary,
		feature: featureOf(own.tags[0]),
		match: toMatch(path),
		checkParameters: toCheck(strings, { type: 'object', properties }),
		checkBody: bodyCheck(requestBody),
		body: exampleOf(requestBody?.content?.['application/json'].schema),
		query: Object.fromEntries(
			all
				.filter((parameter) => parameter.in === 'query')
				.map(({ name, schema }) => [name, String(exampleOf(schema))]),
		),
		responses: new Map(
			Object.entries(responses).map(([status, each]) => [status, checksOf(dereference(each))]),
		),
	};
}

const toOperations = (byPath: ByPath, commonHeaders: Parameter[]) =>
	Object.entries(byPath).flatMap(([path, byMethod]) =>
		Object.entries(byMethod).map(([method, each]) =>
			toOperation(method, path, each, commonHeaders),
		),
	);

/** Every operation of openapi.yaml, in its order. */
export const operations = toOperations(closed.paths, [authorization]);

/** Every webhook of openapi.yaml; the path is its topic. */
export const webhooks = toOperations(closed.webhooks, []);

/** Finds the operation that a request asks for. */
export const findOperation = (request: { method: string; path: string }): Operation | undefined =>
	operations.find(({ method, match }) => method === request.method && match(request.path));
