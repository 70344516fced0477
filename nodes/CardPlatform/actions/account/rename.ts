import { accountSchema } from '../../api/schemas';
import { accountId } from '../fields';
import type { Operation } from '../operation';

/** PATCH /accounts/{account-id} (§4.1). */
export const rename: Operation = {
	value: 'rename',
	name: 'Rename',
	action: 'Rename account',
	description: 'Change an account name. Needs a customer-scoped key.',
	effect: 'ordered',
	fields: [
		accountId('Account ID', 'The number of the account to rename'),
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Marketing',
			description: 'The new name of the account',
		},
	],
	async run(api, item) {
		const path = `/accounts/${item.accountId('accountId')}`;
		const body = { name: item.string('name') };
		const expected = { schema: accountSchema, name: 'an account' };
		return await api.mutate('PATCH', path, { body }, expected);
	},
};
