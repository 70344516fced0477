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
import { readListQuery } from '../parameters';
import type { Operation } from '../operation';

/** GET /transactions (§4.8). */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many transactions',
	description: 'List card transactions, optionally filtered by card, status or creation time',
	effect: 'read',
	fields: [
		...returnAllOrLimit,
		filters([
			cardIdFilter,
			...createdBetween,
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: TRANSACTION_STATUSES.map((value) => ({ name: toTitle(value), value })),
				default: 'settled',
				description: 'Return only transactions with this status',
			},
		]),
		moreOptions([customQuery, sort]),
	],
	async run(api, item) {
		const expected = { schema: transactionSchema, name: 'a list of transactions' };
		return await api.list('/transactions', readListQuery(item), item.limit(), expected);
	},
};
