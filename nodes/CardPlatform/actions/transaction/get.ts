import { transactionSchema } from '../../api/schemas';
import type { Operation } from '../operation';

/** GET /transactions/{transaction-id} (§4.8). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get transaction',
	description: 'Get one card transaction',
	effect: 'read',
	fields: [
		{
			displayName: 'Transaction',
			name: 'transactionId',
			type: 'resourceLocator',
			required: true,
			default: { mode: 'list', value: '' },
			description: 'The transaction to get; card events contain its ID as transactionId',
			builderHint: {
				propertyHint:
					'Required, although the type says optional. For the transaction of an event, use mode "id" with expr("{{ $json.transactionId }}").',
			},
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: 'Select a transaction...',
					typeOptions: {
						searchListMethod: 'searchTransactions',
						searchable: true,
						slowLoadNotice: {
							message: 'This list has at most 1,000 transactions. For another one, choose "By ID".',
							timeout: 3_000,
						},
					},
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: 'e.g. 9d0c0ad3-58a1-4f5e-8f0e-6a1f3c1b2d4e',
				},
			],
		},
	],
	async run(api, item) {
		const path = `/transactions/${item.transactionId()}`;
		return await api.get(path, { schema: transactionSchema, name: 'a transaction' });
	},
};
