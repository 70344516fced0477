import { UserError } from '../../api/userError';
import { cardId, categories, customFields, spendLimit, updateFields } from '../fields';
import type { Operation } from '../operation';
import { readCardBody } from './body';

/** PATCH /cards/{card-id} (§4; body and response are undocumented). */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update card',
	description: 'Change the name, categories or limit of a card',
	effect: 'once',
	fields: [
		cardId,
		updateFields([
			categories,
			{
				displayName: 'Clear Categories',
				name: 'clearCategories',
				type: 'boolean',
				default: true,
				description: 'Whether to remove all categories from the card',
			},
			customFields,
			spendLimit,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Travel Berlin',
				description: 'The new name of the card. Must be unique among cards that are not archived.',
			},
			{
				displayName: 'Remove Limit',
				name: 'removeLimit',
				type: 'boolean',
				default: true,
				description: 'Whether to remove the limit from the card',
			},
		]),
	],
	async run(api, item) {
		const id = item.cardId();
		const body = readCardBody(item.collection('updateFields'));
		if (Object.keys(body).length === 0) {
			throw new UserError(
				'There is nothing to update',
				'Add at least one field under "Update Fields" and set its value.',
			);
		}
		return (await api.write('PATCH', `/cards/${id}`, { body })) ?? { id, success: true };
	},
};
