import { type Card, cardPath, cardSchema } from '../../api/schemas';
import type { Api } from '../../transport/client';
import type { Operation } from '../operation';
import { cardId, cardTo } from '../pickers';

/** Gets a card with its limit and available balance (§4.4). */
export const getCard = async (api: Api, id: string, timeout?: number): Promise<Card> =>
	await api.get(cardPath(id), cardSchema, timeout);

/** Gets a card as far as that is possible: undefined if it cannot be read. The details of another card would be wrong. */
export async function findCard(api: Api, id: string, timeout?: number): Promise<Card | undefined> {
	const card = await getCard(api, id, timeout).catch(() => undefined);
	return card?.id.toLowerCase() === id ? card : undefined;
}

/** GET /cards/{card-id} (§4.4). */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get card',
	description: 'Get one card with its limit and available balance',
	effect: 'read',
	returns: cardSchema,
	fields: [cardTo('get')],
	run: async (api, { get: read }) => await getCard(api, read(cardId)),
};
