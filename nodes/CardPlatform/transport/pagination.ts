import { MAX_PAGE_SIZE } from '../api/assumptions';
import type { ListPage } from '../api/list';
import { Problem } from '../api/problem';

/** Pages in flight at the same time. */
const MAX_WINDOW = 6;

/** Gets one page: its number counts from 1, its size is in items. */
export type FetchPage<T> = (page: number, pageSize: number) => Promise<ListPage<T>>;

/** How a list is walked. */
export interface Walk {
	/** Items wanted; Infinity for all. */
	limit: number;
	/** False where the API takes no page parameter: its first answer is the whole list. */
	paged: boolean;
	/** True once the API has said that it is asked too often (429): no more fetching ahead. */
	slowDown: () => boolean;
}

const firstId = ({ items }: ListPage) => idOf(items[0]);

function idOf(item: unknown): string | undefined {
	return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string'
		? item.id
		: undefined;
}

const notPaging = () =>
	new Problem(
		'The API sent the same page twice, so the rest of the list cannot be read',
		'The API does not know the page parameter under the name we send. Set its right name in the Card Platform API credential under Parameter Names, e.g. {"page": "page_number"}; if this list has one page only, set {"page": ""}.',
	);

/** The last page, as far as is known after a page: undefined where only a short page will tell. */
function isLast(page: ListPage, number: number, requestedSize: number): boolean {
	if (page.items.length === 0) return true;
	if (page.totalIsExact) return number >= (page.totalPages ?? number);
	if (number < (page.totalPages ?? 0)) return false;
	return page.items.length < (page.pageSize ?? requestedSize);
}

interface Walked<T> {
	items: T[];
	first: ListPage<T>;
	/** False where pages were in flight together and say that the list changed meanwhile. */
	isSteady: boolean;
	/** True where pages were in flight together. */
	wasAhead: boolean;
}

async function walkPages<T>(
	fetchPage: FetchPage<T>,
	walk: Walk,
	maxWindow: number,
): Promise<Walked<T>> {
	const pageSize = Math.min(MAX_PAGE_SIZE, walk.limit);
	const seen = new Set<string>();
	const inFlight = new Map<number, Promise<ListPage<T>>>();
	let wasAhead = false;

	const start = (number: number): Promise<ListPage<T>> => {
		const running = inFlight.get(number);
		if (running !== undefined) return running;
		const page = fetchPage(number, pageSize);
		// A page beyond the end may fail and is never looked at; a needed one is awaited below.
		page.catch(() => undefined);
		inFlight.set(number, page);
		wasAhead ||= inFlight.size > 1;
		return page;
	};

	const first = await start(1);
	const walked = (isSteady: boolean) => ({ items, first, isSteady, wasAhead });
	const items: T[] = [];
	let isSteady = true;
	let window = 1;
	for (let number = 1; ; number++) {
		const page = await start(number);
		inFlight.delete(number);
		if (number > 1 && firstId(page) !== undefined && firstId(page) === firstId(first)) {
			throw notPaging();
		}
		isSteady &&= page.totalItems === first.totalItems;

		for (const item of page.items) {
			const id = idOf(item);
			if (id !== undefined && seen.has(id)) continue;
			if (id !== undefined) seen.add(id);
			items.push(item);
			if (items.length === walk.limit) return walked(isSteady);
		}
		if (!walk.paged || isLast(page, number, pageSize)) return walked(isSteady);

		// Where the number of pages is not known, looking ahead starts carefully.
		const grown = page.totalIsExact ? maxWindow : Math.min(window * 2, maxWindow);
		window = walk.slowDown() ? 1 : grown;
		const needed = number + Math.ceil((walk.limit - items.length) / pageSize);
		const end = page.totalIsExact ? Math.min(needed, page.totalPages ?? needed) : needed;
		for (let next = number + 1; next <= Math.min(number + window, end); next++) void start(next);
	}
}

/**
 * Reads a list page by page, a few pages ahead, and gives its items in the API's order, each id
 * once (§2 Paginated list envelope, §8 Limits).
 *
 * What is created meanwhile pushes others to later pages. Read one after the other, such items come
 * twice and none is missed; read together, a later page may be answered first, and what then moves
 * onto it is missed. So where the first page or the total has changed by the end, the list is read
 * again, one page after the other.
 *
 * @returns at most `walk.limit` items
 * @throws Problem where the API sends the first page again in place of a later one; whatever
 * `fetchPage` throws for a page that is needed
 */
export async function collectPages<T>(fetchPage: FetchPage<T>, walk: Walk): Promise<T[]> {
	const { items, first, isSteady, wasAhead } = await walkPages(fetchPage, walk, MAX_WINDOW);
	if (!wasAhead) return items;

	const again = await fetchPage(1, Math.min(MAX_PAGE_SIZE, walk.limit));
	const isSame =
		again.totalItems === first.totalItems &&
		again.items.map(idOf).join() === first.items.map(idOf).join();
	return isSteady && isSame ? items : (await walkPages(fetchPage, walk, 1)).items;
}
