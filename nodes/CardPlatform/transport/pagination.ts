import { MAX_PAGE_SIZE } from '../api/assumptions';
import type { ListPage } from '../api/list';
import { Problem } from '../api/problem';

/** Pages in flight at the same time. */
const MAX_WINDOW = 6;

/** Times a list is read page by page, where it changes so that records may be missing. */
const MAX_READS = 3;

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
		'The API does not recognize the page parameter. Set the name that the API uses in the Card Platform API credential under Parameter Names, e.g. {"page": "page_number"}. If this list has only one page, set {"page": ""}.',
	);

const recordsLeft = () =>
	new Problem(
		'Records disappeared from the list during each read, so others may be missing',
		'When a record leaves the list, the records after it can move to pages that were already read. Run this again at a quieter time, or shorten the list with Filters.',
	);

const sentFewer = (sent: number, total: number) =>
	new Problem(
		`The API sent only ${sent} of the ${total} records in this list`,
		'Run this again: the list may have changed during the read. If the numbers stay the same, the total of the API is wrong: set a Limit no higher than the number sent, and tell your provider. Or check Parameter Names in the Card Platform API credential: if the name of the page parameter is empty there, only one page is read.',
	);

/** How a list goes on after a page: `probe` where only the next page can tell whether there is one. */
function whatFollows(
	page: ListPage,
	number: number,
	{ first, pageSize }: { first: ListPage; pageSize: number },
): 'end' | 'page' | 'probe' {
	if (page.items.length === 0) return 'end';
	// More items than a page has: probably the whole list. Should the next page differ, it was not.
	if (page.items.length > (page.pageSize ?? pageSize)) return 'probe';
	if (page.totalIsExact) return number < (page.totalPages ?? number) ? 'page' : 'end';
	if (number < (page.totalPages ?? 0)) return 'page';
	if (page.pageSize !== undefined) return page.items.length < page.pageSize ? 'end' : 'page';
	// The API does not say how long its pages are: shorter ones than were asked for, perhaps.
	if (number > 1 && page.items.length < first.items.length) return 'end';
	return page.items.length < pageSize ? 'probe' : 'page';
}

const isRefused = (error: unknown): error is Problem =>
	error instanceof Problem && (error.httpCode === '400' || error.httpCode === '404');

interface Walked<T> {
	items: T[];
	first: ListPage<T>;
	/** True where every page gave the same total. */
	isSteady: boolean;
	/** Why records may be missing, as far as the totals show it; undefined where they show nothing. */
	gap: Problem | undefined;
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
	let gap: Problem | undefined;
	let total = 0;
	let least = Infinity;
	let isAnnounced = true;
	let window = 1;
	let follows: 'end' | 'page' | 'probe' = 'page';
	let previous = '';
	const walked = () => ({ items, first, isSteady, gap, wasAhead });

	/** Compares a page's total with those before. */
	const count = ({ totalItems = 0, totalIsExact }: ListPage) => {
		if (totalIsExact && totalItems < total) gap ??= recordsLeft();
		least = Math.min(least, totalItems);
		total = totalItems;
	};

	/** Nothing follows, so that every record which the API counts should be there. */
	const ended = () => {
		if (items.length < least) gap ??= sentFewer(items.length, least);
		return walked();
	};

	for (let number = 1; ; number++) {
		const [outcome] = await Promise.allSettled([start(number)]);
		// An API may refuse a page beyond the last one.
		if (number > 1 && outcome.status === 'rejected' && isRefused(outcome.reason)) {
			const isBeyond = !isAnnounced && outcome.reason.httpCode === '404';
			if (follows === 'probe' || isBeyond) return ended();
			// It may have been there until records left the list.
			gap ??= outcome.reason;
			return walked();
		}
		const page = await start(number);
		inFlight.delete(number);
		isSteady &&= page.totalItems === first.totalItems;
		count(page);

		const content = contentOf(page);
		const fresh = page.items.filter((item) => !seen.has(idOf(item) ?? ''));
		// A shorter page may hold only what was pushed onto it meanwhile.
		const isOld = fresh.length === 0 && page.items.length >= first.items.length;
		const isRepeated = number > 1 && page.items.length > 0 && (isOld || content === previous);
		// The same short page again: the API takes no page parameter, and this is the whole list.
		if (isRepeated && follows === 'probe') return ended();
		if (isRepeated || (page.page ?? number) !== number) {
			// Or enough records were created to push the previous page onto this one.
			gap ??= notPaging();
			return walked();
		}
		previous = content;

		for (const item of fresh) {
			// On one page an id that comes twice is no repeat: both are records.
			const id = idOf(item);
			if (id !== undefined) seen.add(id);
			items.push(item);
			if (items.length === walk.limit) return walked();
		}
		follows = walk.paged ? whatFollows(page, number, { first, pageSize }) : 'end';
		if (follows === 'end') return ended();
		isAnnounced = number < (page.totalPages ?? 0);

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
 * A record that is created during the read moves others to later pages. Read one after the other,
 * these come twice and none is missed; read together, a later page may be answered first, and what
 * then moves onto it is missed. So where the first page or the total has changed by the end, the list
 * is read again, one page after the other. A record that leaves the list moves others to pages that
 * have been read. Only an exact total shows that, by getting smaller; the list is then read again.
 *
 * @returns at most `walk.limit` items
 * @throws Problem where the API sends a page again in place of a later one, or where its totals show
 * each time that records may be missing; whatever `fetchPage` throws for a page that is needed
 */
export async function collectPages<T>(fetchPage: FetchPage<T>, walk: Walk): Promise<T[]> {
	const ahead = await walkPages(fetchPage, walk, MAX_WINDOW);
	if (ahead.gap === undefined && !ahead.wasAhead) return ahead.items;
	if (ahead.gap === undefined && ahead.isSteady) {
		const again = await fetchPage(1, Math.min(MAX_PAGE_SIZE, walk.limit)).catch(() => undefined);
		const isSame =
			again?.totalItems === ahead.first.totalItems &&
			again !== undefined &&
			contentOf(again) === contentOf(ahead.first);
		if (isSame) return ahead.items;
	}
	for (let read = 1; ; read++) {
		const { items, gap } = await walkPages(fetchPage, walk, 1);
		if (gap === undefined) return items;
		if (read === MAX_READS) throw gap;
	}
}
