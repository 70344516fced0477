import { balanceSchema } from '../../api/schemas';
import type { Operation } from '../operation';

/** GET /balance (§4.10). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get the account balance',
	description: 'Get the credit limit of the account and the spend of the last 24 hours and 30 days',
	effect: 'read',
	fields: [],
	async run(api) {
		return await api.get('/balance', { schema: balanceSchema, name: 'a balance' });
	},
};
