import { UserError } from '../../api/userError';
import { cardId, categories, customFields, spendLimit } from '../fields';
import type { Operation } from '../operation';
import { readCardBody } from './body';

/** PATCH /cards/{card-id} (§4; the body and the answer are not shown). */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a card',
	description: 'Change the name, the categories or the limit of a card',
	effect: 'once',
	fields: [
		cardId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				categories,
				{
					displayName: 'Clear Categories',
					name: 'clearCategories',
					type: 'boolean',
					default: false,
					description: 'Whether to remove all categories of the card',
				},
				customFields,
				spendLimit,
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Travel Berlin',
					description: 'No two cards that are not archived may have the same name',
				},
				{
					displayName: 'Remove Limit',
					name: 'removeLimit',
					type: 'boolean',
					default: false,
					description: 'Whether to remove the limit of the card',
				},
			],
		},
	],
	async run(api, item) {
		const id = item.cardId();
		const body = readCardBody(item.collection('updateFields'));
		if (Object.keys(body).length === 0) {
			throw new UserError(
				'There is nothing to update',
				'Add at least one of the "Update Fields" and give it a value.',
			);
		}
		return (await api.write('PATCH', `/cards/${id}`, { body })) ?? { id, success: true };
	},
};
