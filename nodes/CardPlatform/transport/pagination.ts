import { MAX_PAGE_SIZE } from '../api/assumptions';
import { idOf, isSamePage, type ListPage } from '../api/list';
import { MatchingRecords, type RecordFilter } from '../api/recordFilter';
import { UserError } from '../api/userError';
import type { Limiter } from './limiter';

/** Pages fetched together beyond those that the API announces. */
const MAX_AHEAD = 8;

type GetPage<T> = (number: number) => Promise<ListPage<T>>;

/** How a list is read. */
interface PageOptions {
	/** Records wanted, of those that pass the filters; Infinity for all. */
	limit: number;
	filters?: readonly RecordFilter[];
	/** False where the API takes no page parameter: its first response is the whole list. */
	paged: boolean;
	limiter: Pick<Limiter, 'mapConcurrent'>;
	/** Is called with each hint about the filters. */
	report?: (hint: string) => void;
}

/**
 * Reads a list page by page, and gives its records in the API's order, each id once (§2 Paginated list envelope, §8).
 *
 * Of two pages in flight together, the later one may be served first; a record that a change then moves from the
 * earlier one onto it is in neither. So if anything shows that the list changed, it is read again, page by page. A
 * record that leaves the list moves others to pages that have been read, and only an exact total shows that.
 */
export async function collectPages<T>(
	fetchPage: (page: number, pageSize: number) => Promise<ListPage<T>>,
	options: PageOptions,
): Promise<T[]> {
	const { limit, filters = [], report = () => undefined } = options;
	// How many records of a page pass is not known before it is read.
	const pageSize = filters.length > 0 ? MAX_PAGE_SIZE : Math.min(MAX_PAGE_SIZE, limit);
	const getPage: GetPage<T> = async (number) => await fetchPage(number, pageSize);
	let read = await readList(getPage, pageSize, options, true);
	if (read.gap !== undefined || (await isUnsure(read, getPage)))
		read = await readList(getPage, pageSize, options, false);
	if (read.gap !== undefined) throw read.gap;
	for (const hint of read.records.hints) report(hint);
	return read.records.items.slice(0, limit);
}

/** A list as one read found it; the gap says that records may be missing. */
interface ListRead<T> {
	records: MatchingRecords<T>;
	first: ListPage<T>;
	gap?: UserError;
	hasChanged: boolean;
	wasAhead: boolean;
}

async function isUnsure<T>({ wasAhead, hasChanged, first }: ListRead<T>, getPage: GetPage<T>) {
	if (!wasAhead || hasChanged) return wasAhead;
	const again = await tryPage(getPage, 1);
	return again instanceof UserError || !isSamePage(again, first);
}

async function tryPage<T>(getPage: GetPage<T>, number: number): Promise<ListPage<T> | UserError> {
	return await getPage(number).catch((error: unknown) => {
		if (error instanceof UserError) return error;
		throw error;
	});
}

async function readList<T>(
	getPage: GetPage<T>,
	pageSize: number,
	{ limit, filters = [], paged, limiter }: PageOptions,
	isAhead: boolean,
): Promise<ListRead<T>> {
	const first = await getPage(1);
	const records = new MatchingRecords<T>(filters);
	const seen = new Set<string | undefined>();
	let [count, minTotal] = [0, Infinity];
	let [hasShrunk, hasChanged, wasAhead] = [false, false, false];
	const finish = (gap?: UserError): ListRead<T> => {
		return { records, first, gap: hasShrunk ? recordsRemoved() : gap, hasChanged, wasAhead };
	};
	const complete = () => finish(count < minTotal ? sentFewer(count, minTotal) : undefined);

	let fetched: (ListPage<T> | UserError)[] = [first];
	let previous = first;
	let next: Next = 'page';
	for (let number = 1; ; number++) {
		const page = fetched.shift() ?? first;
		if (page instanceof UserError) {
			if (!isRefusal(page)) throw page;
			// A page that was announced may have been there until records left the list.
			const isBeyond = page.httpCode === '404' && !isAnnounced(number, previous);
			return next === 'probe' || isBeyond ? complete() : finish(page);
		}

		const { items, totalItems = 0 } = page;
		const isNew = (id: string | undefined) => id === undefined || !seen.has(id);
		const added = items.filter((item) => isNew(idOf(item)));
		minTotal = Math.min(minTotal, totalItems);
		hasShrunk ||= isExact(page) && totalItems < (previous.totalItems ?? 0);
		hasChanged ||= added.length < items.length || page.totalItems !== first.totalItems;
		// A shorter page without news may hold only what was pushed onto it during the read.
		const isOld = added.length === 0 && items.length >= first.items.length;
		if (number > 1 && (isOld || isSamePage(page, previous))) {
			// More than a page can hold, twice: the API takes no page parameter, and this is the whole list.
			return items.length > MAX_PAGE_SIZE ? complete() : finish(notPaging());
		}
		if (page.page !== undefined && page.page !== number) return finish(notPaging());

		// On one page, an ID that comes twice is no repeat: both are records.
		for (const item of added) seen.add(idOf(item));
		records.add(added);
		count += added.length;
		if (records.items.length >= limit && records.areChecked) return finish();
		previous = page;
		next = paged ? nextAfter(page, number, first, pageSize) : 'end';
		if (next === 'end') return complete();
		if (fetched.length > 0) continue;

		// How many pages hold enough records that pass is not known: as many again as were read.
		const missing = Math.ceil((limit - records.items.length) / items.length);
		const wanted = filters.length > 0 && limit < Infinity ? number : missing;
		const announced = (page.totalPages ?? 0) - number;
		const useful = announced > 0 ? announced : Math.min(number, MAX_AHEAD);
		const ahead = isAhead && next === 'page' ? Math.min(useful, wanted) : 1;
		wasAhead ||= ahead > 1;
		const numbers = Array.from({ length: ahead }, (_, index) => number + 1 + index);
		fetched = await limiter.mapConcurrent(numbers, async (each) => {
			const result = await tryPage(getPage, each);
			const isNeeded = result instanceof UserError && isAnnounced(each, page);
			if (isNeeded && !isRefusal(result)) throw result;
			return result;
		});
	}
}

/** Tells whether an envelope allows further pages; `{data}` and an array are the whole list. */
export function mayHaveMorePages(page: ListPage): boolean {
	const { items, pageSize, totalPages, totalItems, isCapped } = page;
	if ((totalPages ?? 0) > 1 || (totalItems ?? 0) > items.length) return true;
	const isFull = items.length > 0 && items.length >= (pageSize ?? 0);
	const isCounted = totalPages !== undefined || totalItems !== undefined;
	return isFull && (isCapped === true || (pageSize !== undefined && !isCounted));
}

/** How a list goes on after a page: `probe` if only the next page can tell whether there is one. */
type Next = 'end' | 'page' | 'probe';

function nextAfter(page: ListPage, number: number, first: ListPage, pageSize: number): Next {
	const { length } = page.items;
	if (length === 0) return 'end';
	// More items than a page has: probably the whole list. Should the next page differ, it was not.
	if (length > (page.pageSize ?? pageSize)) return 'probe';
	if (isAnnounced(number + 1, page)) return 'page';
	if (isExact(page)) return 'end';
	if (page.pageSize !== undefined) return length < page.pageSize ? 'end' : 'page';
	// The API does not say how long its pages are: perhaps shorter than requested.
	if (number > 1 && length < first.items.length) return 'end';
	return length < pageSize ? 'probe' : 'page';
}

/** Tells whether a page's total says that there is a page of this number. */
const isAnnounced = (number: number, { totalPages = 0 }: ListPage) => number <= totalPages;

/** Tells whether a page's total is no lower bound. */
const isExact = ({ totalPages, isCapped }: ListPage) =>
	totalPages !== undefined && isCapped !== true;

/** An API may refuse a page beyond the last one. */
const isRefusal = ({ httpCode }: UserError) => httpCode === '400' || httpCode === '404';

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
