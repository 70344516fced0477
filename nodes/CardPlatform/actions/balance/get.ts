import { balanceSchema } from '../../api/schemas';
import type { Operation } from '../operation';

/** GET /balance (§4.10). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get account balance',
	description: 'Get the credit limit and recent spend of the account',
	effect: 'read',
	returns: balanceSchema,
	fields: [],
	async run(api) {
		return await api.get('/balance', balanceSchema);
	},
};
