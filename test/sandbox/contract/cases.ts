import type { INodeParameters } from 'n8n-workflow';

import { byId as cardLocator, FILLED, parametersOf } from '../../support/operations';

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

const ARCHIVED = 'ca4d0000-0000-4000-8000-000000000007';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const byId = (value: string) => ({ cardId: cardLocator(value) });

const onCard = (operation: string): Pick<OperationCase, 'node' | 'unknown'> => ({
	node: parametersOf(`card/${operation}`),
	unknown: byId(UNKNOWN),
});

/** By method and path as openapi.yaml writes them. Ids are those of the sandbox's small company. */
export const CASES: Record<string, OperationCase> = {
	'GET /health': { node: parametersOf('connection/check') },
	'GET /balance': { node: parametersOf('balance/get') },
	'PATCH /accounts/{account-id}': {
		node: parametersOf('account/rename', { accountId: '1002', name: 'Growth' }),
		unknown: { accountId: '9999' },
		refusedRaw: { method: 'PATCH', path: '/accounts/1002', body: { name: '' } },
	},
	'POST /accounts/{account-id}/transfers': {
		node: parametersOf('account/transfer'),
		unknown: { accountId: '9999' },
		refused: { amount: '999999999.00' },
	},
	'GET /cards': {
		node: parametersOf('card/getAll', {
			returnAll: true,
			filters: { name: 'a', status: 'active', createdAfter: '2020-01-01T00:00:00' },
			sort: { createdAt: 'asc' },
		}),
		refusedRaw: { method: 'GET', path: '/cards?page=0' },
	},
	'POST /cards': {
		node: parametersOf('card/create', {
			additionalFields: {
				categories: ['lodging', 'airlines'],
				limit: { value: { amount: '500', type: 'monthly' } },
			},
		}),
		refused: { name: 'Search advertising' },
	},
	'GET /cards/{card-id}': {
		...onCard('get'),
		refusedRaw: { method: 'GET', path: '/cards/no-uuid' },
	},
	'PATCH /cards/{card-id}': {
		node: parametersOf('card/update', {
			updateFields: { name: 'Travel Rome', categories: ['lodging'] },
		}),
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
		node: parametersOf('cardEvent/getAll', {
			returnAll: true,
			simplify: false,
		}),
		unknown: byId(UNKNOWN),
	},
	'GET /cards/{card-id}/sensitive-details': onCard('getSensitiveDetails'),
	'GET /transactions': {
		node: parametersOf('transaction/getAll', {
			returnAll: true,
			filters: { cardId: FILLED.cardId, status: 'settled', createdBefore: '2100-01-01T00:00:00' },
			sort: { createdAt: 'asc' },
		}),
		refusedRaw: { method: 'GET', path: '/transactions?pageSize=101' },
	},
	'GET /transactions/{transaction-id}': {
		node: parametersOf('transaction/get'),
		unknown: { transactionId: UNKNOWN },
	},
	'GET /payments': {
		node: parametersOf('payment/getAll', {
			returnAll: true,
			from: '2020-01-01',
			to: '2021-06-30',
			options: { accountId: '1001' },
		}),
		refused: { options: { accountId: '9999' } },
	},
	'GET /settlements': {
		node: parametersOf('settlement/getAll', {
			returnAll: true,
			filters: { cardId: FILLED.cardId, createdAfter: '2020-01-01T00:00:00' },
			sort: { createdAt: 'desc' },
		}),
		refusedRaw: { method: 'GET', path: '/settlements?sort=up' },
	},
};
