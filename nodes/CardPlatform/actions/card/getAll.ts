import { type Card, cardSchema } from '../../api/schemas';
import { ifNotFound } from '../../api/userError';
import type { Api } from '../../transport/client';
import {
	cardStatus,
	customQuery,
	filters,
	includeDetails,
	moreOptions,
	readLimit,
	returnAllOrLimit,
	sort,
} from '../fields';
import { createdBetween, nameFilter, readListQuery } from '../listFilters';
import type { Operation } from '../operation';
import { getCard } from './get';

/**
 * Gets a listed card with its limit and available balance (§4.4). A card that is gone (404) stays as it was listed,
 * with a mark: it must not fail the others, nor look like a card without a limit.
 */
async function withDetails(api: Api, card: Card): Promise<Card> {
	const details = getCard(api, card.id).catch(ifNotFound({ detailsNotFound: true }));
	const { id, ...listed } = card;
	return { ...listed, ...(await details), id };
}

const details = includeDetails(
	'Whether to also get the details of each card, such as its limit and available balance. This takes one more request per card.',
);

const chosen = filters([nameFilter, cardStatus, ...createdBetween]);

const options = moreOptions([details, customQuery]);

/** GET /cards (§4.3), and on request GET /cards/{card-id} (§4.4) for each of them. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many cards',
	description: 'List cards by name, status or creation time',
	effect: 'read',
	returns: cardSchema.omit({ categories: true, balance: true, limit: true }),
	fields: [...returnAllOrLimit, chosen, sort, options],
	async run(api, item) {
		const wantsDetails = item.get(options)(details) === true;
		const query = readListQuery(api, item, chosen, options);
		const cards = await api.list('/cards', query, readLimit(item), cardSchema);
		if (!wantsDetails) return cards;
		return await api.mapConcurrent(cards, async (card) => await withDetails(api, card));
	},
};
