import { cardSchema } from '../../api/schemas';
import { cardId } from '../fields';
import type { Operation } from '../operation';

/** GET /cards/{card-id} (§4.4). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get card',
	description: 'Get one card with its limit and available balance',
	effect: 'read',
	fields: [cardId],
	async run(api, item) {
		const expected = { schema: cardSchema, name: 'a card' };
		return await api.get(`/cards/${item.cardId()}`, expected);
	},
};
