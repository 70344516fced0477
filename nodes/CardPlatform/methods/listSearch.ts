import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { MAX_PAGE_SIZE } from '../api/assumptions';
import { type Card, cardSchema } from '../api/schemas';
import { readApiConfig } from '../api/config';
import type { ListPage } from '../api/list';
import { toNodeError } from '../toNodeError';
import { createApi } from '../transport/client';
import { isPaged } from '../transport/query';

const label = ({ id, name, lastFour, status }: Card) =>
	[name ?? id, lastFour && `•••• ${lastFour}`, status && `(${status})`].filter(Boolean).join(' ');

/** Tells whether another page follows. More cards than requested are the whole list. */
function hasNext({ items, page, pageSize, totalPages, totalIsExact }: ListPage, requested: number) {
	if (items.length === 0 || (page ?? requested) !== requested) return false;
	if (totalPages === undefined) return items.length === (pageSize ?? MAX_PAGE_SIZE);
	return requested < totalPages || !totalIsExact;
}

/**
 * Fills the card picker: cards whose name the API finds for the search text, a page at a time
 * (§4.3), each with its last four digits and status.
 *
 * @param filter what the person typed
 * @param paginationToken number of the page to get, as given back by the call before
 * @throws NodeApiError or NodeOperationError that says why there is no list
 */
export async function searchCards(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const page = Number(paginationToken ?? 1);
	try {
		const config = readApiConfig(await this.getCredentials('cardPlatformApi'));
		const name = filter?.trim();
		const cards = await createApi(this, config, 'read').page(
			'/cards',
			{ query: { name: name === '' ? undefined : name, page, pageSize: MAX_PAGE_SIZE } },
			{ schema: cardSchema, name: 'a list of cards' },
		);
		return {
			results: cards.items.map((card) => ({ name: label(card), value: card.id })),
			paginationToken:
				isPaged(config.parameterNames) && hasNext(cards, page) ? String(page + 1) : undefined,
		};
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}
