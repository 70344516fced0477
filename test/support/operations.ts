import type { INodeParameters } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { isDataObject } from '../../nodes/CardPlatform/api/values';
import { type ApiRequest, refusal, type Reply } from './fakeApi';
import { findOperation } from './openapi';

export const CARD = 'ca4d0000-0000-4000-8000-000000000003';

/** A card as the node's card field stores it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A value for every field that some operation requires, and for those that a write may use. The sandbox knows the IDs. */
export const FILLED = {
	accountId: '1001',
	toAccountId: '1002',
	amount: '25.00',
	idempotencyKey: 'INV-1',
	name: 'Marketing',
	type: 'recurring',
	cardId: byId(CARD),
	transactionId: byId('7a5a0000-0000-4000-8000-000000000001'),
	updateFields: { name: 'New' },
	// The change alone; test/actions/card.test.ts has the details.
	includeDetails: false,
	// With its ID, which tests compare.
	simplify: false,
	from: '2026-01-01',
	to: '2026-01-31',
};

const values: INodeParameters = FILLED;

/** Every operation of the node, with parameters that are valid. A new one is here by itself. */
export const ALL = RESOURCES.flatMap(({ value: resource, name: noun, operations }) =>
	operations.map(({ value: operation, name: verb, description, effect, action, fields }) => {
		const name = `${resource}/${operation}`;
		const missing = fields.find((field) => field.required === true && !(field.name in values));
		if (missing !== undefined) {
			throw new Error(
				`${name} requires ${missing.name}: add a value to FILLED in test/support/operations.ts`,
			);
		}
		const given = fields.filter((field) => field.name in values);
		const parameters: INodeParameters = {
			resource,
			operation,
			...(resource === 'payment' && { period: 'custom' }),
			...Object.fromEntries(given.map((field) => [field.name, values[field.name]])),
		};
		return { name, resource, noun, operation, verb, description, effect, action, parameters };
	}),
);

const CREATED = { createdAfter: '2020-01-01T00:00:00', createdBefore: '2100-01-01T00:00:00' };

/** What operations can have beside what they must have, so that every parameter of openapi.yaml is sent. */
export const MORE: Record<string, INodeParameters> = {
	'card/create': {
		additionalFields: {
			categories: ['lodging', 'airlines'],
			limit: { value: { amount: '500', type: 'monthly' } },
		},
	},
	'card/getAll': {
		filters: { name: 'a', status: 'active', ...CREATED },
		sort: { createdAt: 'asc' },
	},
	'transaction/getAll': {
		filters: { cardId: byId(CARD), status: 'settled', ...CREATED },
		sort: { createdAt: 'asc' },
	},
	'settlement/getAll': {
		filters: { cardId: byId(CARD), ...CREATED },
		sort: { createdAt: 'asc' },
	},
};

/**
 * Every operation that does one thing. Test API sends whatever shows a difference: testApi.test.ts and testApi.http.test.ts have it.
 */
export const OPERATIONS = ALL.filter(({ name }) => name !== 'connection/testApi');

/** Valid parameters of an operation such as `card/get`, with changes. */
export function parametersOf(name: string, more: INodeParameters = {}): INodeParameters {
	const found = ALL.find((operation) => operation.name === name);
	if (found === undefined) throw new Error(`There is no operation ${name}`);
	return { ...found.parameters, ...more };
}

/** A list in an example of openapi.yaml: with one record. */
interface ExampleList {
	data: Record<string, unknown>[];
}

const isList = (example: unknown): example is ExampleList =>
	isDataObject(example) && Array.isArray(example.data);

/** Responds with the examples of openapi.yaml, with what is made of a list, and with a card that has what was sent. */
export const succeedWith =
	(toBody: (example: ExampleList) => unknown) =>
	({ method, path, body }: Pick<ApiRequest, 'method' | 'path'> & Partial<ApiRequest>): Reply => {
		const responses = findOperation({ method, path })?.responses ?? [];
		const [status, response] = [...responses].find(([each]) => each.startsWith('2')) ?? [];
		if (response === undefined)
			return refusal(501, {}, `${method} ${path} is missing in sandbox/openapi.yaml`);
		const { example = '' } = response;
		const reply = {
			status: Number(status),
			body: isList(example) ? toBody(example) : example,
		};
		if (!path.startsWith('/cards') || !isDataObject(example) || !isDataObject(body)) return reply;
		const id = path.split('/')[2] ?? example.id;
		return { ...reply, body: { ...example, ...body, id } };
	};

/** A response that each operation accepts: the example of openapi.yaml, with an empty list. */
export const succeed = succeedWith(() => []);
