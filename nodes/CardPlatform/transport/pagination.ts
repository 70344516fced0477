import { MAX_PAGE_SIZE } from '../api/assumptions';
import { idOf, isSamePage, type ListPage } from '../api/list';
import { UserError } from '../api/userError';
import type { Limiter } from './limiter';

/** Times a list is read with pages in flight together, before it is read one page after another. */
const READS_AHEAD = 2;

/** Times a list is read in all, where it changes so that records may be missing. */
const MAX_READS = 4;

/** Why a read ended: the limit is reached, the list is over, or something else came than a page. */
type End = 'limit' | 'complete' | UserError;

/** A list as one read found it. */
interface ListRead<T> {
	/** The records that match. */
	items: T[];
	/** Records read. */
	count: number;
	end: End;
	/** The pages, in order; `repeats` are records that earlier pages had brought. */
	pages: (Pick<ListPage, 'totalItems' | 'totalIsExact'> & { repeats: number })[];
	first: ListPage<T>;
	/** Pages that were in flight together at most. */
	window: number;
}

/** Gets one page: its number counts from 1, its size is in items. */
type FetchPage<T> = (page: number, pageSize: number) => Promise<ListPage<T>>;

/** How a list is read. */
interface PageOptions<T = unknown> {
	/** Items wanted; Infinity for all. */
	limit: number;
	/** Says which items are wanted; absent: all. The others do not count towards the limit. */
	matches?: (item: T) => boolean;
	/** False where the API takes no page parameter: its first response is the whole list. */
	paged: boolean;
	/** Says how many pages may be fetched ahead. */
	limiter: Pick<Limiter, 'room'>;
}

/** How many items of a page match is not known before it is read. */
const sizeOfPages = ({ limit, matches }: Pick<PageOptions<never>, 'limit' | 'matches'>) =>
	matches === undefined ? Math.min(MAX_PAGE_SIZE, limit) : MAX_PAGE_SIZE;

const notPaging = () =>
	new UserError(
		'The API sent the same page twice, so the rest of the list cannot be read',
		'The API does not recognize the page parameter. Set the name that the API uses in the Card Platform API credential under Advanced, Parameter Names, e.g. {"page": "page_number"}. If this list has only one page, set {"page": ""}.',
	);

const recordsLeft = () =>
	new UserError(
		'Records disappeared from the list during each read, so others may be missing',
		'When a record leaves the list, the records after it can move to pages that were already read. Run this again at a quieter time, or shorten the list with Filters.',
	);

const sentFewer = (sent: number, total: number) =>
	new UserError(
		`The API sent only ${sent} of the ${total} records in this list`,
		'Run this again: the list may have changed during the read. If the numbers stay the same, the total of the API is wrong: set a Limit no higher than the number sent, and tell your provider. Or check Parameter Names in the Card Platform API credential (under Advanced): if the name of the page parameter is empty there, only one page is read.',
	);

/** Tells whether an envelope allows further pages; `{data}` and an array are the whole list. */
export function mayHaveMorePages(page: ListPage): boolean {
	const { items, pageSize, totalPages, totalItems, isCapped } = page;
	if (totalPages !== undefined && totalPages > 1) return true;
	if (totalItems !== undefined && totalItems > items.length) return true;
	const isFull = items.length > 0 && (pageSize === undefined || items.length >= pageSize);
	const isCounted = totalPages !== undefined || totalItems !== undefined;
	return isFull && (isCapped === true || (pageSize !== undefined && !isCounted));
}

/** How a list goes on after a page: `probe` where only the next page can tell whether there is one. */
type Next = 'end' | 'page' | 'probe';

function nextAfter(
	page: ListPage,
	number: number,
	{ first, pageSize }: { first: ListPage; pageSize: number },
): Next {
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
function lastAhead(
	page: ListPage,
	number: number,
	{ window, pagesWanted }: { window: number; pagesWanted: number },
): number {
	const last = number + Math.min(window, pagesWanted);
	const { totalPages: announced = 0, totalIsExact } = page;
	const unannounced = number + 1 + Math.floor(number / 25);
	return Math.min(last, totalIsExact ? announced : Math.max(announced, unannounced));
}

/** Pages that came before another one. */
interface Pages {
	first: ListPage;
	previous: ListPage;
}

/** Tells whether a page brings nothing that the pages before it have not brought. */
function isRepeat<T>(page: ListPage<T>, fresh: T[], { first, previous }: Pages): boolean {
	// A shorter page may hold only what was pushed onto it during the read.
	const isOld = fresh.length === 0 && page.items.length >= first.items.length;
	return isOld || isSamePage(page, previous);
}

/** An API may refuse a page beyond the last one. */
const isRefusal = (error: unknown): error is UserError =>
	error instanceof UserError && (error.httpCode === '400' || error.httpCode === '404');

/** Fetches pages, those ahead while earlier ones are read. */
class Prefetcher<T> {
	/** Pages that were in flight together at most. */
	window = 0;

	private readonly inFlight = new Map<number, Promise<ListPage<T>>>();

	private readonly fetchPage: (page: number) => Promise<ListPage<T>>;

	constructor(fetchPage: (page: number) => Promise<ListPage<T>>) {
		this.fetchPage = fetchPage;
	}

	/** Gives a page, or the API's refusal of a page that need not be there. */
	async take(number: number): Promise<ListPage<T> | UserError> {
		const page = await this.fetch(number).catch((error: unknown) => {
			if (number > 1 && isRefusal(error)) return error;
			throw error;
		});
		this.inFlight.delete(number);
		return page;
	}

	/** Fetches a page, unless it is on its way. */
	fetch(number: number): Promise<ListPage<T>> {
		const running = this.inFlight.get(number);
		if (running !== undefined) return running;
		const page = this.fetchPage(number);
		// A page beyond the end may fail and is never looked at; take() sees the failure of any other.
		page.catch(() => undefined);
		this.inFlight.set(number, page);
		this.window = Math.max(this.window, this.inFlight.size);
		return page;
	}
}

/** Says why records may be missing, as far as the totals show it; undefined where they show nothing. */
function findGap({ pages, count, end }: ListRead<unknown>): UserError | undefined {
	const counts = pages.map(({ totalItems = 0 }) => totalItems);
	const hasShrunk = pages.some(({ totalIsExact }, index) => {
		const [before, now] = [counts[index - 1], counts[index]];
		return totalIsExact && before !== undefined && now !== undefined && now < before;
	});
	if (hasShrunk) return recordsLeft();
	if (end instanceof UserError) return end;
	const least = Math.min(...counts);
	return end === 'complete' && count < least ? sentFewer(count, least) : undefined;
}

/** @param pagesAhead pages that may be in flight together, asked before each fetch */
async function readList<T>(
	fetchPage: FetchPage<T>,
	options: PageOptions<T>,
	pagesAhead: () => number,
): Promise<ListRead<T>> {
	const { limit, matches } = options;
	const pageSize = sizeOfPages(options);
	const prefetcher = new Prefetcher((number) => fetchPage(number, pageSize));
	const first = await prefetcher.fetch(1);
	const items: T[] = [];
	const seen = new Set<string>();
	const pages: ListRead<T>['pages'] = [];
	let count = 0;
	const readUntil = (end: End): ListRead<T> => ({
		items,
		count,
		end,
		first,
		pages,
		window: prefetcher.window,
	});

	let previous: ListPage<T> | undefined;
	let next: Next = 'page';
	for (let number = 1; ; number++) {
		const page = await prefetcher.take(number);
		if (page instanceof UserError) {
			// A page that was announced may have been there until records left the list.
			const isBeyond = page.httpCode === '404' && !(previous && isAnnounced(number, previous));
			return readUntil(next === 'probe' || isBeyond ? 'complete' : page);
		}
		const fresh = page.items.filter((item) => {
			const id = idOf(item);
			return id === undefined || !seen.has(id);
		});
		const repeats = page.items.length - fresh.length;
		const { totalItems, totalIsExact } = page;
		pages.push({ repeats, totalItems, totalIsExact });
		if (previous && isRepeat(page, fresh, { first, previous })) {
			// The same short page again: the API takes no page parameter, and this is the whole list.
			// Or enough records were created to push the previous page onto this one.
			return readUntil(next === 'probe' ? 'complete' : notPaging());
		}
		if (page.page !== undefined && page.page !== number) return readUntil(notPaging());

		for (const item of fresh) {
			// On one page an ID that comes twice is no repeat: both are records.
			const id = idOf(item);
			if (id !== undefined) seen.add(id);
			if (items.length < limit && matches?.(item) !== false) items.push(item);
			count++;
		}
		if (items.length >= limit) return readUntil('limit');
		next = options.paged ? nextAfter(page, number, { first, pageSize }) : 'end';
		if (next === 'end') return readUntil('complete');

		const window = next === 'probe' ? 1 : pagesAhead();
		// How many pages hold enough matches is not known: as many again as were read so far.
		const pagesWanted =
			matches && limit < Infinity ? number : Math.ceil((limit - items.length) / pageSize);
		const last = lastAhead(page, number, { window, pagesWanted });
		for (let ahead = number + 1; ahead <= last; ahead++) void prefetcher.fetch(ahead);
		previous = page;
	}
}

/**
 * Tells whether nothing shows that a list changed while its pages were fetched together.
 *
 * @param getFirst gets its first page again
 */
async function isUnchanged<T>(
	{ first, pages }: ListRead<T>,
	getFirst: () => Promise<ListPage<T>>,
): Promise<boolean> {
	const isSame = ({ totalItems }: Pick<ListPage, 'totalItems'>) => totalItems === first.totalItems;
	if (!pages.every((page) => page.repeats === 0 && isSame(page))) return false;
	const again = await getFirst().catch((error: unknown) => {
		if (error instanceof UserError) return undefined;
		throw error;
	});
	return again !== undefined && isSame(again) && isSamePage(again, first);
}

/**
 * Reads a list page by page, several pages ahead, and gives its items in the API's order, each id
 * once (§2 Paginated list envelope, §8 Limits).
 *
 * Of two pages in flight together, the later one may be served first; a record that a change then moves from the
 * earlier one onto it is in neither. So where anything shows that the list changed during the read, it is
 * read again: once more ahead, then one page after another. A record that leaves the list moves others to
 * pages that have been read, and only an exact total shows that.
 *
 * @returns at most `options.limit` items, those that match
 * @throws UserError where the API sends a page again in place of a later one, or where its totals
 * show each time that records may be missing; whatever `fetchPage` throws for a page that is needed
 */
export async function collectPages<T>(
	fetchPage: FetchPage<T>,
	options: PageOptions<T>,
): Promise<T[]> {
	const getFirst = async () => await fetchPage(1, sizeOfPages(options));
	for (let read = 1; ; read++) {
		const isAhead = read <= READS_AHEAD;
		const list = await readList(fetchPage, options, () => (isAhead ? options.limiter.room : 1));
		const gap = findGap(list);
		if (gap === undefined && (list.window <= 1 || (await isUnchanged(list, getFirst)))) {
			return list.items;
		}
		if (gap !== undefined && read >= MAX_READS) throw gap;
	}
}
