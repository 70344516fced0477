import { TRANSACTION_STATUSES, transactionSchema } from '../../api/schemas';
import {
	cardIdFilter,
	createdBetween,
	customQuery,
	filters,
	moreOptions,
	returnAllOrLimit,
	sort,
	toTitle,
} from '../fields';
import type { Operation } from '../operation';
import { readListQuery } from '../parameters';
import { clientFilters, parseClientFilters } from './filter';

/** GET /transactions (§4.8). The limit counts the transactions that pass the filters. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List transactions by card, amount, merchant or time',
	effect: 'read',
	fields: [
		...returnAllOrLimit,
		filters([
			cardIdFilter,
			...createdBetween,
			clientFilters.currencies,
			clientFilters.maximumAmount,
			clientFilters.merchantName,
			clientFilters.minimumAmount,
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: TRANSACTION_STATUSES.map((value) => ({ name: toTitle(value), value })),
				default: 'settled',
				description: 'Return only transactions with this status',
			},
		]),
		moreOptions([customQuery]),
		sort,
	],
	async run(api, item) {
		const expected = { schema: transactionSchema, name: 'a list of transactions' };
		const query = readListQuery(item);
		const matches = parseClientFilters(item.collection('filters').values);
		return await api.list('/transactions', query, item.limit(), expected, matches);
	},
};
