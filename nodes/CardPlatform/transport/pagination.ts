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

function idOf(item: unknown): string | undefined {
	if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
	return typeof item.id === 'string' || typeof item.id === 'number' ? String(item.id) : undefined;
}

/** What a page holds, to tell whether another one holds the same; for items without ids too. */
const contentOf = ({ items }: ListPage) =>
	items.map((item) => idOf(item) ?? JSON.stringify(item)).join();

const notPaging = () =>
	new Problem(
		'The API sent the same page twice, so the rest of the list cannot be read',
		'The API does not know the page parameter under the name we send. Set its right name in the Card Platform API credential under Parameter Names, e.g. {"page": "page_number"}; if this list has one page only, set {"page": ""}.',
	);

/** How a list goes on after a page: `probe` where only the next page can tell whether there is one. */
function whatFollows(
	page: ListPage,
	number: number,
	{ first, pageSize }: { first: ListPage; pageSize: number },
): 'end' | 'page' | 'probe' {
	if (page.items.length === 0) return 'end';
	if (page.totalIsExact) return number < (page.totalPages ?? number) ? 'page' : 'end';
	if (number < (page.totalPages ?? 0)) return 'page';
	if (page.pageSize !== undefined) return page.items.length < page.pageSize ? 'end' : 'page';
	// The API does not say how long its pages are: shorter ones than were asked for, perhaps.
	if (number > 1 && page.items.length < first.items.length) return 'end';
	return page.items.length < pageSize ? 'probe' : 'page';
}

const isRefused = (error: unknown) =>
	error instanceof Problem && (error.httpCode === '400' || error.httpCode === '404');

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
	const items: T[] = [];
	let isSteady = true;
	let window = 1;
	let follows: 'end' | 'page' | 'probe' = 'page';
	let previous = '';
	const walked = () => ({ items, first, isSteady, wasAhead });

	for (let number = 1; ; number++) {
		const [outcome] = await Promise.allSettled([start(number)]);
		// An API may refuse a page beyond the last one.
		const isBeyond = outcome.status === 'rejected' && isRefused(outcome.reason);
		if (isBeyond && follows === 'probe') return walked();
		const page = await start(number);
		inFlight.delete(number);
		isSteady &&= page.totalItems === first.totalItems;

		const content = contentOf(page);
		const fresh = page.items.filter((item) => !seen.has(idOf(item) ?? ''));
		// A shorter page may hold only what was pushed onto it meanwhile.
		const isOld = fresh.length === 0 && page.items.length >= first.items.length;
		const isRepeated = number > 1 && page.items.length > 0 && (isOld || content === previous);
		// The same short page again: the API takes no page parameter, and this is the whole list.
		if (isRepeated && follows === 'probe') return walked();
		if (isRepeated || (page.page ?? number) !== number) throw notPaging();
		previous = content;

		for (const item of fresh) {
			const id = idOf(item);
			if (id !== undefined && seen.has(id)) continue;
			if (id !== undefined) seen.add(id);
			items.push(item);
			if (items.length === walk.limit) return walked();
		}
		follows = walk.paged ? whatFollows(page, number, { first, pageSize }) : 'end';
		if (follows === 'end') return walked();

		// Where the number of pages is not known, looking ahead starts carefully.
		const grown = page.totalIsExact ? maxWindow : Math.min(window * 2, maxWindow);
		window = walk.slowDown() || follows === 'probe' ? 1 : grown;
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
 * @throws Problem where the API sends a page again in place of a later one; whatever `fetchPage`
 * throws for a page that is needed
 */
export async function collectPages<T>(fetchPage: FetchPage<T>, walk: Walk): Promise<T[]> {
	const { items, first, isSteady, wasAhead } = await walkPages(fetchPage, walk, MAX_WINDOW);
	if (!wasAhead) return items;

	const again = await fetchPage(1, Math.min(MAX_PAGE_SIZE, walk.limit)).catch(() => undefined);
	const isSame =
		again?.totalItems === first.totalItems &&
		again !== undefined &&
		contentOf(again) === contentOf(first);
	return isSteady && isSame ? items : (await walkPages(fetchPage, walk, 1)).items;
}
