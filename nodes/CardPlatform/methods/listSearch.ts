import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { MAX_PAGE_SIZE } from '../api/assumptions';
import { readApiConfig } from '../api/config';
import type { ListPage } from '../api/list';
import { type Card, cardSchema } from '../api/schemas';
import { UserError } from '../api/userError';
import { toNodeError } from '../toNodeError';
import { Api, createLimiter } from '../transport/client';

/** Cards that are listed by name: at most ten requests each time the list opens. */
const MAX_SORTED_CARDS = 1_000;

/** Cards among which a search for four digits looks: at most 50 requests. */
const MAX_SEARCHED_CARDS = 5_000;

const EXPECTED = { schema: cardSchema, name: 'a list of cards' };

const nameOf = ({ id, name }: Card) => name ?? id;

const byName = (a: Card, b: Card) =>
	nameOf(a).localeCompare(nameOf(b), 'en', { numeric: true }) ||
	(a.lastFour ?? '').localeCompare(b.lastFour ?? '');

/** The editor shows nothing of an entry but its name, and keeps the name of when it was chosen. */
const labelOf = (card: Card) =>
	[
		nameOf(card),
		card.lastFour && `•••• ${card.lastFour}`,
		(card.status === 'frozen' || card.status === 'archived') && `(${card.status})`,
	]
		.filter(Boolean)
		.join(' ');

/** Tells whether another page follows. More cards than requested are the whole list. */
function hasNext({ items, page, pageSize, totalPages, totalIsExact }: ListPage, requested: number) {
	if (items.length === 0 || (page ?? requested) !== requested) return false;
	if (totalPages === undefined) return items.length === (pageSize ?? MAX_PAGE_SIZE);
	return requested < totalPages || !totalIsExact;
}

/** Cards of the list; `next` is the number of the page to go on with. */
interface Listed {
	cards: Card[];
	next?: number;
}

/**
 * Lists the cards whose name the API finds. The API sorts by creation time only (§4.3), so all of
 * them are read to sort them by name; of more than {@link MAX_SORTED_CARDS}, a page at a time in the
 * API's order.
 */
async function listCards(api: Api, name: string | undefined, number: number): Promise<Listed> {
	const query = { name, page: number, pageSize: MAX_PAGE_SIZE };
	const page = await api.page('/cards', { query }, EXPECTED);
	const isLast = api.config.parameterNames.page === '' || !hasNext(page, number);
	if (number > 1) return { cards: page.items, next: isLast ? undefined : number + 1 };
	if (isLast) return { cards: page.items.sort(byName) };
	if ((page.totalItems ?? 0) < MAX_SORTED_CARDS) {
		const cards = await api.list('/cards', { query: { name } }, MAX_SORTED_CARDS, EXPECTED);
		if (cards.length < MAX_SORTED_CARDS) return { cards: cards.sort(byName) };
	}
	return { cards: page.items, next: 2 };
}

/** The four digits of a search such as "7751" or "•••• 7751". */
const lastFourIn = (search: string | undefined) => /^[^\p{L}\d]*(\d{4})$/u.exec(search ?? '')?.[1];

/**
 * Finds cards by their last four digits, which the API cannot search by (§4.3), among the first
 * {@link MAX_SEARCHED_CARDS}.
 *
 * @returns `isComplete` if there are no more cards than that
 */
async function findByLastFour(api: Api, digits: string) {
	const cards = await api.list('/cards', {}, MAX_SEARCHED_CARDS, EXPECTED);
	const found = cards.filter(({ lastFour }) => lastFour === digits).sort(byName);
	return { found, isComplete: cards.length < MAX_SEARCHED_CARDS };
}

async function search(api: Api, text: string | undefined, number: number): Promise<Listed> {
	const listed = await listCards(api, text, number);
	const digits = lastFourIn(text);
	if (digits === undefined || number > 1) return listed;
	const { found, isComplete } = await findByLastFour(api, digits);
	const cards = [
		...found,
		...listed.cards.filter(({ id }) => found.every((each) => each.id !== id)),
	];
	if (cards.length > 0 || isComplete) return { cards, next: listed.next };
	throw new UserError(
		`No card ending in ${digits} is among the first ${MAX_SEARCHED_CARDS} cards, and there are more`,
		'Search by name, or choose "By ID".',
	);
}

/**
 * Fills the card picker with the cards that a search finds: by name as the API does, and by the last
 * four digits. Sorted by name; of more than {@link MAX_SORTED_CARDS} cards, in the API's order, a page
 * at a time.
 *
 * @param filter what the person typed
 * @param paginationToken number of the page to get, as returned by the previous call
 * @throws NodeApiError or NodeOperationError that says why there is no list
 */
export async function searchCards(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	try {
		const config = readApiConfig(await this.getCredentials('cardPlatformApi'));
		const text = filter?.trim();
		const { cards, next } = await search(
			new Api(this, config, 'read', createLimiter(this, config, 'formOrPoll')),
			text === '' ? undefined : text,
			Number(paginationToken ?? 1),
		);
		return {
			results: cards.map((card) => ({ name: labelOf(card), value: card.id })),
			paginationToken: next === undefined ? undefined : String(next),
		};
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}
