import { MAX_PAGE_SIZE } from '../api/assumptions';
import { idOf, isSamePage, type ListPage } from '../api/list';
import { UserError } from '../api/userError';
import type { Limiter } from './limiter';

/** Times a list is read with pages in flight together, before it is read one page after another. */
const READS_AHEAD = 2;

/** Gets one page: its number counts from 1, its size is in items. */
type FetchPage<T> = (page: number, pageSize: number) => Promise<ListPage<T>>;

/** How a list is read. */
interface PageOptions<T> {
	/** Items wanted; Infinity for all. */
	limit: number;
	/** Says which items are wanted; absent: all. The others do not count towards the limit. */
	matches?: (item: T) => boolean;
	/** False where the API takes no page parameter: its first response is the whole list. */
	paged: boolean;
	/** Says how many pages may be fetched ahead. */
	limiter: Pick<Limiter, 'room'>;
}

/** A list as one read found it. */
interface ListRead<T> {
	/** The records that match. */
	items: T[];
	first: ListPage<T>;
	/** Says that records may be missing. */
	gap: UserError | undefined;
	/** Whether a repeat or another total shows that the list changed. */
	hasChanged: boolean;
	/** Whether pages were in flight together. */
	wasAhead: boolean;
}

/**
 * Reads a list page by page, several pages ahead, and gives its items in the API's order, each id
 * once (§2 Paginated list envelope, §8 Limits).
 *
 * Of two pages in flight together, the later one may be served first; a record that a change then moves from the
 * earlier one onto it is in neither. So if anything shows that the list changed during the read, it is read
 * again: once more ahead, then one page after another. A record that leaves the list moves others to
 * pages that have been read, and only an exact total shows that.
 *
 * @returns at most `options.limit` items, those that match
 * @throws UserError if the API sends a page again in place of a later one, or if its totals show each time
 * that records may be missing; whatever `fetchPage` throws for a page that is needed
 */
export async function collectPages<T>(
	fetchPage: FetchPage<T>,
	options: PageOptions<T>,
): Promise<T[]> {
	// How many items of a page match is not known before it is read.
	const pageSize = options.matches ? MAX_PAGE_SIZE : Math.min(MAX_PAGE_SIZE, options.limit);
	const getPage = async (number: number) => await fetchPage(number, pageSize);
	for (let read = 1; ; read++) {
		const isAhead = read <= READS_AHEAD;
		const list = await readList(getPage, pageSize, options, isAhead);
		if (list.gap === undefined) {
			if (!list.wasAhead) return list.items;
			if (!list.hasChanged && !(await hasNewFirstPage(list, getPage))) return list.items;
		} else if (!isAhead) {
			throw list.gap;
		}
	}
}

async function hasNewFirstPage<T>(
	{ first }: ListRead<T>,
	getPage: (number: number) => Promise<ListPage<T>>,
): Promise<boolean> {
	const page = await getPage(1).catch((error: unknown) => {
		if (error instanceof UserError) return undefined;
		throw error;
	});
	return page === undefined || !isSamePage(page, first);
}

/** @param isAhead false: each page is fetched once the one before it has come */
async function readList<T>(
	getPage: (number: number) => Promise<ListPage<T>>,
	pageSize: number,
	{ limit, matches, paged, limiter }: PageOptions<T>,
	isAhead: boolean,
): Promise<ListRead<T>> {
	const inFlight = new Map<number, Promise<ListPage<T>>>();
	let wasAhead = false;
	const fetch = (number: number) => {
		const page = inFlight.get(number) ?? getPage(number);
		// A page beyond the end may fail, and is never looked at.
		page.catch(() => undefined);
		inFlight.set(number, page);
		wasAhead ||= inFlight.size > 1;
		return page;
	};

	const first = await fetch(1);
	const items: T[] = [];
	const seen = new Set<string | undefined>();
	let count = 0;
	let minTotal = Infinity;
	let hasShrunk = false;
	let hasChanged = false;
	const finish = (gap?: UserError): ListRead<T> => ({
		items,
		first,
		gap: hasShrunk ? recordsRemoved() : gap,
		hasChanged,
		wasAhead,
	});
	const complete = () => finish(count < minTotal ? sentFewer(count, minTotal) : undefined);

	let previous: ListPage<T> | undefined;
	let next: Next = 'page';
	for (let number = 1; ; number++) {
		const page = await fetch(number).catch((error: unknown) => {
			if (number > 1 && isRefusal(error)) return error;
			throw error;
		});
		inFlight.delete(number);
		if (page instanceof UserError) {
			// A page that was announced may have been there until records left the list.
			const isBeyond = page.httpCode === '404' && !(previous && isAnnounced(number, previous));
			return next === 'probe' || isBeyond ? complete() : finish(page);
		}

		const fresh = page.items.filter((item) => {
			const id = idOf(item);
			return id === undefined || !seen.has(id);
		});
		const { totalItems = 0 } = page;
		minTotal = Math.min(minTotal, totalItems);
		hasShrunk ||= page.totalIsExact && totalItems < (previous?.totalItems ?? 0);
		hasChanged ||= fresh.length < page.items.length || page.totalItems !== first.totalItems;
		if (previous && isRepeat(page, fresh, first, previous)) {
			// The same short page again: the API takes no page parameter, and this is the whole list.
			// Or enough records were created to push the previous page onto this one.
			return next === 'probe' ? complete() : finish(notPaging());
		}
		if (page.page !== undefined && page.page !== number) return finish(notPaging());

		for (const item of fresh) {
			// On one page, an ID that comes twice is no repeat: both are records.
			seen.add(idOf(item));
			if (items.length < limit && matches?.(item) !== false) items.push(item);
			count++;
		}
		if (items.length >= limit) return finish();
		next = paged ? nextAfter(page, number, first, pageSize) : 'end';
		if (next === 'end') return complete();

		const window = isAhead ? limiter.room : 1;
		// How many pages hold enough matches is not known: as many again as were read so far.
		const pagesWanted =
			matches && limit < Infinity ? number : Math.ceil((limit - items.length) / pageSize);
		const last = lastWorthFetching(page, number, Math.min(window, pagesWanted));
		for (let ahead = number + 1; ahead <= last; ahead++) void fetch(ahead);
		previous = page;
	}
}

/** Tells whether an envelope allows further pages; `{data}` and an array are the whole list. */
export function mayHaveMorePages(page: ListPage): boolean {
	const { items, pageSize, totalPages, totalItems, isCapped } = page;
	if (totalPages !== undefined && totalPages > 1) return true;
	if (totalItems !== undefined && totalItems > items.length) return true;
	const isFull = items.length > 0 && (pageSize === undefined || items.length >= pageSize);
	const isCounted = totalPages !== undefined || totalItems !== undefined;
	return isFull && (isCapped === true || (pageSize !== undefined && !isCounted));
}

/** How a list goes on after a page: `probe` if only the next page can tell whether there is one. */
type Next = 'end' | 'page' | 'probe';

function nextAfter(page: ListPage, number: number, first: ListPage, pageSize: number): Next {
	if (page.items.length === 0) return 'end';
	// More items than a page has: probably the whole list. Should the next page differ, it was not.
	if (page.items.length > (page.pageSize ?? pageSize)) return 'probe';
	if (isAnnounced(number + 1, page)) return 'page';
	if (page.totalIsExact) return 'end';
	if (page.pageSize !== undefined) return page.items.length < page.pageSize ? 'end' : 'page';
	// The API does not say how long its pages are: perhaps shorter than requested.
	if (number > 1 && page.items.length < first.items.length) return 'end';
	return page.items.length < pageSize ? 'probe' : 'page';
}

/** Tells whether a page's total says that there is a page of this number. */
const isAnnounced = (number: number, { totalPages }: ListPage): boolean =>
	totalPages !== undefined && number <= totalPages;

/**
 * The number of the last page worth fetching ahead. Beyond those that the API announces there may be
 * none, so few are fetched there: a twenty-fifth of those already read.
 */
function lastWorthFetching(page: ListPage, number: number, wanted: number): number {
	const { totalPages: announced = 0, totalIsExact } = page;
	const unannounced = number + 1 + Math.floor(number / 25);
	return Math.min(number + wanted, totalIsExact ? announced : Math.max(announced, unannounced));
}

/** Tells whether a page brings nothing that the pages before it have not brought. */
function isRepeat<T>(page: ListPage<T>, fresh: T[], first: ListPage, previous: ListPage): boolean {
	// A shorter page may hold only what was pushed onto it during the read.
	const isOld = fresh.length === 0 && page.items.length >= first.items.length;
	return isOld || isSamePage(page, previous);
}

/** An API may refuse a page beyond the last one. */
const isRefusal = (error: unknown): error is UserError =>
	error instanceof UserError && (error.httpCode === '400' || error.httpCode === '404');

const notPaging = () =>
	new UserError(
		'The API sent the same page twice, so the rest of the list cannot be read',
		'The API does not recognize the page parameter. Set the name that the API uses in the Card Platform API credential under Advanced, Parameter Names, e.g. {"page": "page_number"}. If this list has only one page, set {"page": ""}.',
	);

const recordsRemoved = () =>
	new UserError(
		'Records disappeared from the list during each read, so others may be missing',
		'When a record leaves the list, the records after it can move to pages that were already read. Run this again at a quieter time, or shorten the list with Filters.',
	);

const sentFewer = (sent: number, total: number) =>
	new UserError(
		`The API sent only ${sent} of the ${total} records in this list`,
		'Run this again: the list may have changed during the read. If the numbers stay the same, the total of the API is wrong: set a Limit no higher than the number sent, and tell your provider. Or check Parameter Names in the Card Platform API credential (under Advanced): if the name of the page parameter is empty there, only one page is read.',
	);
