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

/**
 * Reads a list page by page, a few pages ahead of what is consumed, and gives its items in the
 * API's order, each id once: what is created meanwhile pushes others to later pages, so they come
 * twice, but none is missed (§2 Paginated list envelope, §8 Limits).
 *
 * @returns at most `walk.limit` items
 * @throws Problem where the API sends the first page again in place of a later one; whatever
 * `fetchPage` throws for a page that is needed
 */
export async function collectPages<T>(fetchPage: FetchPage<T>, walk: Walk): Promise<T[]> {
	const pageSize = Math.min(MAX_PAGE_SIZE, walk.limit);
	const items: T[] = [];
	const seen = new Set<string>();
	const inFlight = new Map<number, Promise<ListPage<T>>>();

	const start = (number: number) => {
		if (inFlight.has(number)) return;
		const page = fetchPage(number, pageSize);
		// A page beyond the end may fail and is never looked at; a needed one is awaited below.
		page.catch(() => undefined);
		inFlight.set(number, page);
	};

	let first: ListPage<T> | undefined;
	let window = 1;
	for (let number = 1; ; number++) {
		start(number);
		const page = await inFlight.get(number);
		inFlight.delete(number);
		if (page === undefined) return items;

		if (first === undefined) first = page;
		else if (firstId(page) !== undefined && firstId(page) === firstId(first)) throw notPaging();

		for (const item of page.items) {
			const id = idOf(item);
			if (id !== undefined && seen.has(id)) continue;
			if (id !== undefined) seen.add(id);
			items.push(item);
			if (items.length === walk.limit) return items;
		}
		if (!walk.paged || isLast(page, number, pageSize)) return items;

		// Where the number of pages is not known, looking ahead starts carefully.
		window = walk.slowDown()
			? 1
			: Math.min(page.totalIsExact ? MAX_WINDOW : window * 2, MAX_WINDOW);
		const needed = number + Math.ceil((walk.limit - items.length) / pageSize);
		const end = page.totalIsExact ? Math.min(needed, page.totalPages ?? needed) : needed;
		for (let ahead = number + 1; ahead <= Math.min(number + window, end); ahead++) start(ahead);
	}
}
