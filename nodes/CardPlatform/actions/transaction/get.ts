import { transactionSchema } from '../../api/schemas';
import type { Operation } from '../operation';

/** GET /transactions/{transaction-id} (§4.8). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Get one card transaction by its ID',
	effect: 'read',
	fields: [
		{
			displayName: 'Transaction ID',
			name: 'transactionId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 9d0c0ad3-58a1-4f5e-8f0e-6a1f3c1b2d4e',
			description: 'The ID of the transaction; card events contain it as transactionId',
		},
	],
	async run(api, item) {
		const path = `/transactions/${item.transactionId()}`;
		return await api.get(path, { schema: transactionSchema, name: 'a transaction' });
	},
};
