import { transactionSchema } from '../../api/schemas';
import { recordPicker } from '../fields';
import type { Operation } from '../operation';

/** GET /transactions/{transaction-id} (§4.8). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Get one card transaction',
	effect: 'read',
	fields: [
		recordPicker('transaction', 'searchTransactions', {
			displayName: 'Transaction',
			name: 'transactionId',
			description: 'The transaction to get; card events contain its ID as transactionId',
		}),
	],
	async run(api, item) {
		const path = `/transactions/${item.transactionId()}`;
		return await api.get(path, { schema: transactionSchema, name: 'a transaction' });
	},
};
