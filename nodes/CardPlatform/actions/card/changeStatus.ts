import type { CardStatus } from '../../api/schemas';
import { cardId } from '../fields';
import type { Operation } from '../operation';

/**
 * Makes an operation that moves a card to another status (§3, §4.5). The API answers 204 without a
 * body, so the output says what is true from now on.
 *
 * @param value name of the operation and of its endpoint
 * @param status of the card afterwards
 * @param words name, action and description in the form
 */
export const changeStatus = (
	value: string,
	status: CardStatus,
	words: Pick<Operation, 'name' | 'action' | 'description' | 'risk'>,
): Operation => ({
	value,
	...words,
	effect: 'repeatable',
	fields: [cardId],
	async run(api, item) {
		const id = item.uuid('cardId', 'Card');
		await api.write('POST', `/cards/${id}/${value}`);
		return { id, status, success: true };
	},
});
