import { balanceSchema } from '../../api/schemas';
import type { Operation } from '../operation';

/** GET /balance (§4.10). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get the balance of the key',
	description: 'Get the credit limit and spend of the key’s accounts',
	effect: 'read',
	returns: balanceSchema,
	fields: [],
	async run(api) {
		if (api.config.keyScope === 'customer')
			api.report('These amounts probably cover all accounts of this key. The API does not say.');
		return await api.get('/balance', balanceSchema);
	},
};
