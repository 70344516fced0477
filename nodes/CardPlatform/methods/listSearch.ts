import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { MAX_PAGE_SIZE } from '../api/assumptions';
import { type Card, cardSchema } from '../api/card';
import { readConnection } from '../api/connection';
import { toNodeError } from '../toNodeError';
import { createApi } from '../transport/client';

const label = ({ id, name, lastFour, status }: Card) =>
	[name ?? id, lastFour && `•••• ${lastFour}`, status && `(${status})`].filter(Boolean).join(' ');

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
		const connection = readConnection(await this.getCredentials('cardPlatformApi'));
		const name = filter?.trim();
		const cards = await createApi(this, connection, 'read').page(
			'/cards',
			{ query: { name: name === '' ? undefined : name, page, pageSize: MAX_PAGE_SIZE } },
			{ schema: cardSchema, name: 'a list of cards' },
		);
		const hasMore =
			cards.totalPages === undefined
				? cards.items.length >= MAX_PAGE_SIZE
				: page < cards.totalPages || !cards.totalIsExact;
		return {
			results: cards.items.map((card) => ({ name: label(card), value: card.id })),
			paginationToken: hasMore && cards.items.length > 0 ? String(page + 1) : undefined,
		};
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}
