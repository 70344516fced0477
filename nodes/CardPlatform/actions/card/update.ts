import { collection } from '../../api/field';
import { cardPath, cardSchema } from '../../api/schemas';
import { UserError } from '../../api/userError';
import type { Operation } from '../operation';
import { cardId, cardTo } from '../pickers';
import { checkCard, clearCategories, newName, readCardBody, removeLimit } from './body';
import { categories, customFields, spendLimit } from './bodyFields';

const updateFields = collection('Update Fields', 'updateFields', 'Add Field', [
	newName,
	spendLimit,
	removeLimit,
	categories,
	clearCategories,
	customFields,
]);

/** PATCH /cards/{card-id} (§4; body and response are undocumented). */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update card',
	description: 'Change the name, categories or limit of a card',
	effect: 'unrepeatable',
	returns: cardSchema,
	fields: [cardTo('update'), updateFields],
	async run(api, { get }) {
		const id = get(cardId);
		const body = readCardBody(get(updateFields));
		if (Object.keys(body).length === 0) {
			throw new UserError(
				'There is nothing to update',
				'Add at least one field under "Update Fields" and set its value.',
			);
		}
		const response = (await api.write('PATCH', cardPath(id), { body })) ?? { success: true };
		// The response is undocumented: an ID of its own may be that of a job.
		return { ...(await checkCard(api, body, response, id)), id };
	},
};
