import { inReadingOrder, transactionSchema } from '../../api/schemas';
import type { Operation } from '../operation';
import { recordPicker } from '../pickers';

const transactionId = recordPicker('transaction', 'searchTransactions', {
	displayName: 'Transaction',
	name: 'transactionId',
	description: 'The transaction to get; card events contain its ID as transactionId',
});

/** GET /transactions/{transaction-id} (§4.8). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Get one card transaction',
	effect: 'read',
	returns: transactionSchema,
	fields: [transactionId],
	async run(api, { get: read }) {
		const path = `/transactions/${read(transactionId)}`;
		return inReadingOrder(await api.get(path, transactionSchema));
	},
};
