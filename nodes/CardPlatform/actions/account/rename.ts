import { text } from '../../api/field';
import { accountSchema } from '../../api/schemas';
import { accountId } from '../fields';
import type { Operation } from '../operation';

const account = accountId('Account ID', 'The number of the account to rename');

const name = text({
	displayName: 'Name',
	name: 'name',
	required: true,
	placeholder: 'e.g. Marketing',
	description: 'The new name of the account',
});

/** PATCH /accounts/{account-id} (§4.1). */
export const rename: Operation = {
	value: 'rename',
	name: 'Rename',
	action: 'Rename account',
	description: 'Change an account name. Needs a customer-scoped key.',
	effect: 'ordered',
	returns: accountSchema,
	fields: [account, name],
	async run(api, { get }) {
		const body = { name: get(name) };
		const id = get(account);
		const renamed = accountSchema
			.refine((found) => found.id === id && found.name.trim() === body.name)
			.describe('the renamed account');
		return (await api.mutate('PATCH', `/accounts/${id}`, { body }, renamed)).data;
	},
};
