import type { INodeParameters } from 'n8n-workflow';

/** A request around the connector, for what the connector would not send. */
export interface RawRequest {
	method: string;
	path: string;
	body?: object;
}

/** How an operation of openapi.yaml is brought to each of its answers. */
export interface OperationCase {
	/** Parameters of the action node that make it succeed. */
	node: INodeParameters;
	/** Changes of them that ask for something that is not there (404). */
	unknown?: INodeParameters;
	/** Changes of them that the API refuses (400). */
	refused?: INodeParameters;
	/** What the API refuses (400) where the connector checks it by itself. */
	refusedRaw?: RawRequest;
}

const seededCard = (number: number) =>
	`ca4d0000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const ACTIVE = seededCard(3);
const ARCHIVED = seededCard(7);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const TRANSACTION = '7a5a0000-0000-4000-8000-000000000001';

const byId = (value: string) => ({ cardId: { __rl: true, mode: 'id', value } });

const onCard = (operation: string): Pick<OperationCase, 'node' | 'unknown'> => ({
	node: { resource: 'card', operation, ...byId(ACTIVE) },
	unknown: byId(UNKNOWN),
});

/** By method and path as openapi.yaml writes them. Ids are those of the sandbox's small company. */
export const CASES: Record<string, OperationCase> = {
	'GET /health': { node: { resource: 'connection', operation: 'check' } },
	'GET /balance': { node: { resource: 'balance', operation: 'get' } },
	'PATCH /accounts/{account-id}': {
		node: { resource: 'account', operation: 'rename', accountId: '1002', name: 'Growth' },
		unknown: { accountId: '9999' },
		refusedRaw: { method: 'PATCH', path: '/accounts/1002', body: { name: '' } },
	},
	'POST /accounts/{account-id}/transfers': {
		node: {
			resource: 'account',
			operation: 'transfer',
			accountId: '1001',
			toAccountId: '1002',
			amount: '25.00',
		},
		unknown: { accountId: '9999' },
		refused: { amount: '999999999.00' },
	},
	'GET /cards': {
		node: {
			resource: 'card',
			operation: 'getAll',
			returnAll: true,
			filters: { name: 'a', status: 'active', createdAfter: '2020-01-01T00:00:00' },
			sort: { createdAt: 'asc' },
		},
		refusedRaw: { method: 'GET', path: '/cards?page=0' },
	},
	'POST /cards': {
		node: {
			resource: 'card',
			operation: 'create',
			name: 'Travel Berlin',
			type: 'recurring',
			additionalFields: {
				categories: ['lodging', 'airlines'],
				limit: { value: { amount: '500', type: 'monthly' } },
			},
		},
		refused: { name: 'Search advertising' },
	},
	'GET /cards/{card-id}': {
		...onCard('get'),
		refusedRaw: { method: 'GET', path: '/cards/no-uuid' },
	},
	'PATCH /cards/{card-id}': {
		node: {
			resource: 'card',
			operation: 'update',
			...byId(ACTIVE),
			updateFields: { name: 'Travel Rome', categories: ['lodging'] },
		},
		unknown: byId(UNKNOWN),
		refused: byId(ARCHIVED),
	},
	'POST /cards/{card-id}/freeze': { ...onCard('freeze'), refused: byId(ARCHIVED) },
	'POST /cards/{card-id}/unfreeze': { ...onCard('unfreeze'), refused: byId(ARCHIVED) },
	'POST /cards/{card-id}/archive': {
		...onCard('archive'),
		refusedRaw: { method: 'POST', path: '/cards/no-uuid/archive' },
	},
	'GET /cards/{card-id}/financial-events': {
		node: {
			resource: 'cardEvent',
			operation: 'getAll',
			returnAll: true,
			simplify: false,
			...byId(ACTIVE),
		},
		unknown: byId(UNKNOWN),
	},
	'GET /cards/{card-id}/sensitive-details': onCard('getSensitiveDetails'),
	'GET /transactions': {
		node: {
			resource: 'transaction',
			operation: 'getAll',
			returnAll: true,
			filters: { ...byId(ACTIVE), status: 'settled', createdBefore: '2100-01-01T00:00:00' },
			sort: { createdAt: 'asc' },
		},
		refusedRaw: { method: 'GET', path: '/transactions?pageSize=101' },
	},
	'GET /transactions/{transaction-id}': {
		node: { resource: 'transaction', operation: 'get', transactionId: TRANSACTION },
		unknown: { transactionId: UNKNOWN },
	},
	'GET /payments': {
		node: {
			resource: 'payment',
			operation: 'getAll',
			returnAll: true,
			from: '2020-01-01',
			to: '2021-06-30',
			options: { accountId: '1001' },
		},
		refused: { options: { accountId: '9999' } },
	},
	'GET /settlements': {
		node: {
			resource: 'settlement',
			operation: 'getAll',
			returnAll: true,
			filters: { ...byId(ACTIVE), createdAfter: '2020-01-01T00:00:00' },
			sort: { createdAt: 'desc' },
		},
		refusedRaw: { method: 'GET', path: '/settlements?sort=up' },
	},
};
