import type { INodeParameters } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import type { ApiRequest, Reply } from './fakeApi';

export const CARD = 'ca4d0000-0000-4000-8000-000000000003';

/** A card as the node's card field stores it. */
export const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** A value for every field that some operation requires, and for those that a write may use. The sandbox knows the IDs. */
export const FILLED = {
	accountId: '1001',
	toAccountId: '1002',
	amount: '25.00',
	idempotencyKey: "=key-{{ $json.cardId ?? 'none' }}",
	name: 'Travel',
	type: 'recurring',
	cardId: byId(CARD),
	transactionId: byId('7a5a0000-0000-4000-8000-000000000001'),
	updateFields: { name: 'New' },
	// The change alone; test/actions/card.test.ts has the details.
	includeDetails: false,
	from: '2026-01-01',
	to: '2026-01-31',
};

const values: INodeParameters = FILLED;

/** Every operation of the node, with parameters that are valid. A new one is here by itself. */
export const ALL = RESOURCES.flatMap(({ value: resource, operations }) =>
	operations.map(({ value: operation, effect, action, fields }) => {
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
		return { name, resource, operation, effect, action, parameters };
	}),
);

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

const BALANCE = {
	availableCreditLimit: '5.00',
	overallCreditLimit: '9.00',
	last24HoursSpend: '1.00',
	last30DaysSpend: '4.00',
};

const DETAILS = { method: 'POST', url: 'https://x', bodyJson: {} };

/** A response that each operation accepts. */
export function succeed({ method, path }: Pick<ApiRequest, 'method' | 'path'>): Reply {
	if (path.endsWith('/transfers')) {
		const accounts = { fromAccountId: 1001, toAccountId: 1002 };
		return { status: 201, body: { id: CARD, ...accounts, status: 'x', createdAt: 'x' } };
	}
	if (path.startsWith('/accounts')) return { body: { id: 1001, name: 'Travel' } };
	if (path.endsWith('/sensitive-details')) return { body: { method: 'x', details: DETAILS } };
	if (path.endsWith('/financial-events')) return { body: [] };
	if (path === '/balance') return { body: BALANCE };
	if (/(freeze|archive)$/.test(path)) return { status: 204, body: '' };
	const isList = method === 'GET' && !path.includes('/', 1);
	return { body: isList && path !== '/health' ? [] : { id: CARD } };
}
