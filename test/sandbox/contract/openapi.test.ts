import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import * as assumptions from '../../../sandbox/assumptions.ts';
import { categorySchema } from '../../../sandbox/cards/card.ts';
import { bodyCheck } from '../../support/contractSchemas';
import { listOperations, readOpenapi, toApiDocument } from '../../support/openapi/document.ts';
import { exampleOf } from '../../support/openapi/example.ts';
import { resolveReferences } from '../../support/openapi/references.ts';
import { temporaryFile } from '../support/cli.ts';

const openapi = readOpenapi();
const document = toApiDocument(openapi);
const { schemas, parameters } = document.components;

const linter = join(__dirname, '../../support/contractLint.ts');

async function lint(path: string): Promise<unknown> {
	const { stdout } = await promisify(execFile)(process.execPath, [linter, path]);
	const problems: unknown = JSON.parse(stdout);
	return problems;
}

/** Gives all values that stand under a key, wherever it is. */
function valuesUnder(key: string, value: unknown): unknown[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
		name === key ? [each] : valuesUnder(key, each),
	);
}

test('the linter finds nothing, and would find something', async () => {
	expect(await lint('sandbox/openapi.yaml')).toEqual([]);

	const broken = temporaryFile('openapi.yaml');
	const text = await readFile('sandbox/openapi.yaml', 'utf8');
	await writeFile(broken, text.replace('operationId: getBalance', 'operationId: getHealth'));
	expect(await lint(broken)).toEqual([expect.stringContaining('operation-operationId-unique')]);
});

test('the endpoints are those of the API description (§4)', () => {
	expect(listOperations(document.paths).map(({ method, path }) => `${method} ${path}`)).toEqual([
		'GET /health',
		'GET /balance',
		'PATCH /accounts/{account-id}',
		'POST /accounts/{account-id}/transfers',
		'GET /cards',
		'POST /cards',
		'GET /cards/{card-id}',
		'PATCH /cards/{card-id}',
		'POST /cards/{card-id}/freeze',
		'POST /cards/{card-id}/unfreeze',
		'POST /cards/{card-id}/archive',
		'GET /cards/{card-id}/financial-events',
		'GET /cards/{card-id}/sensitive-details',
		'GET /transactions',
		'GET /transactions/{transaction-id}',
		'GET /payments',
		'GET /settlements',
	]);
});

test('every operation can be answered with 401 and 500 (§4)', () => {
	for (const { operation } of listOperations(document.paths)) {
		expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '500']));
	}
});

test('every assumption names its section and points to the list of assumptions', () => {
	const texts = valuesUnder('x-assumption', openapi).map(String);
	expect(texts.length).toBeGreaterThan(20);
	expect(texts.filter((text) => !/^§\d.*docs\/assumptions\.md(?: and .*)?\.$/s.test(text))).toEqual(
		[],
	);
});

test('every value that the sandbox had to choose is marked as an assumption', () => {
	const { QUERY_PARAMETER: names } = assumptions;
	const assumed = Object.values(parameters)
		.filter((each) => each.in === 'query' && each.schema['x-assumption'] !== undefined)
		.map(({ name }) => name);
	expect(new Set(assumed)).toEqual(new Set(Object.values(names)));

	const badRequest = document.paths['/cards']?.get?.responses['400'];
	expect(badRequest?.content?.['application/json'].schema.properties?.code).toMatchObject({
		const: assumptions.BAD_REQUEST_CODE,
		'x-assumption': expect.any(String),
	});
	expect(exampleOf(schemas.Health ?? {})).toEqual(assumptions.HEALTH_RESPONSE);
	expect(parameters.Sort?.schema.default).toBe(assumptions.DEFAULT_SORT);

	const assumedValues = (schema = '', field = '') => {
		const found = schemas[schema]?.properties?.[field];
		return { values: found?.examples, isMarked: found?.['x-assumption'] !== undefined };
	};
	const marked = (values: string[]) => ({ values, isMarked: true });
	expect(assumedValues('CardLimit', 'type')).toEqual(marked(assumptions.LIMIT_TYPES));
	expect(assumedValues('Payment', 'status')).toEqual(marked(assumptions.PAYMENT_STATUSES));
	expect(assumedValues('Payment', 'type')).toEqual(marked(assumptions.PAYMENT_TYPES));
	expect(assumedValues('Transfer', 'status')).toEqual(marked([assumptions.TRANSFER_STATUS]));
	const { method } = assumptions.SENSITIVE_DETAILS;
	expect(assumedValues('SensitiveCardDetails', 'method')).toEqual(marked([method]));
});

test('the categories are those of a card', () => {
	expect(schemas.Category?.enum).toEqual(categorySchema.options);
});

test('every example is as its schema says', () => {
	const bodies = [
		...Object.values(schemas),
		...listOperations(document.paths).flatMap(({ operation }) =>
			Object.values(operation.responses).flatMap(({ content }) =>
				content ? [content['application/json'].schema] : [],
			),
		),
	];
	for (const schema of bodies) expect(bodyCheck(schema)(exampleOf(schema))).toEqual([]);
});

test('a reference that leads nowhere, or restricts what it refers to, is an error', () => {
	expect(() => resolveReferences({ a: { $ref: '#/b' } })).toThrow('#/b leads nowhere');
	expect(() => resolveReferences({ a: { $ref: '#/b', enum: [] }, b: {} })).toThrow(
		'enum stands beside the $ref #/b',
	);
});

test('a keyword that nothing reads is an error', () => {
	expect(() => toApiDocument({ ...document, 'x-other': true })).toThrow('x-other');
	const odd = { ...schemas, Odd: { type: 'string', contentEncoding: 'base64' } };
	const components = { ...document.components, schemas: odd };
	expect(() => toApiDocument({ ...document, components })).toThrow('contentEncoding');
});
