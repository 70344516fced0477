import { MAX_PAGE_SIZE } from '../api/assumptions';
import {
	hasLost,
	isSamePage,
	keyOf,
	type ListPage,
	mayHaveMorePages,
	pushedOnto,
} from '../api/list';
import type { Query } from '../api/parameterNames';
import { MatchingRecords, type RecordFilter } from '../api/recordFilter';
import type { UserError } from '../api/userError';
import * as errors from './listErrors';

/** How a list is read. */
export interface ListOptions {
	/** Records wanted, of those that pass the filters; Infinity for all. */
	limit: number;
	filters?: readonly RecordFilter[];
	/** The order by `createdAt` that the API is asked for, `asc` or `desc`. */
	sort?: Query['sort'];
	/** False if the API has no page parameter: its first response is the whole list. */
	paged: boolean;
}

/** Whether a list goes on, is complete, or breaks what the description promises. */
export type Verdict = 'more' | 'complete' | UserError;

/** Pages in flight together, at most; a page may overlap with so many before it. */
export const MAX_TOGETHER = 64;

/**
 * The account of one read: what came, page by page, and whether that is the list (§2 Paginated list envelope). A page
 * that cannot be the next one is a `contradiction`; what it says of the whole list is kept by `noteTotals`; whether the
 * list is complete is decided by `balance` after a page with records, and by `end` where no more come.
 */
export class Ledger<T> {
	readonly records: MatchingRecords<T>;
	pages = 0;
	first: ListPage<T> = { items: [] };
	last: ListPage<T> = { items: [] };
	/** Whether records moved to another page, or the total is another, since the first page. Lower bounds may differ anyway. */
	hasChanged = false;

	private readonly options: ListOptions;
	private count = 0;
	/** Page 1 as it was last seen, and the page whose totals came last: in a list that only grows, neither loses anything. */
	private pageOne: ListPage<T> = { items: [] };
	private newestTotals: ListPage<T> = { items: [] };
	/** The lowest total. In a list that only grows, so many records were there from the start. */
	private minTotal = Infinity;
	/** The most pages that were announced. */
	private announced = 0;
	/** Where the API stops counting: a lower bound that is the same on the first page and on a last one that is full. */
	private cap: number | undefined;
	private isAllAtOnce = false;
	private readonly seen = new Set<string | undefined>();
	/** Keys of records that did not pass, by page: they are needed only while a page can overlap with theirs. */
	private readonly rejectedKeys: (string | undefined)[][] = [];

	constructor(options: ListOptions) {
		this.options = options;
		this.records = new MatchingRecords(options.filters ?? [], options.sort);
	}

	/** Whether the first page, which had no number, is the one before page 2: it says so, and its total, of more than it has, will tell. */
	get isPageOne(): boolean {
		const { page, items } = this.first;
		const total = exactTotal(this.first);
		return page === 1 && items.length === MAX_PAGE_SIZE && total > items.length && total < Infinity;
	}

	/** Whether nothing but the length of the last page tells whether another one follows: it is full, and there is no total. */
	get mayMissNext(): boolean {
		return this.isLastFull && this.last.totalItems === undefined;
	}

	/** What the person should know. */
	get hints(): string[] {
		return [...this.records.hints, ...(this.isAllAtOnce ? [allAtOnce(this.count)] : [])];
	}

	/** Adds the next page. */
	add(page: ListPage<T>): Verdict {
		this.isAllAtOnce = this.pages === 1 && isAll(this.first) && isSamePage(page, this.first);
		if (this.isAllAtOnce) return 'complete';
		if (this.isBeyondEnd(page)) return this.end();
		const added = this.newOn(page);
		const contradiction = this.contradiction(page, added);
		if (contradiction !== undefined) return contradiction;
		this.enter(page, added);
		const { limit, paged } = this.options;
		if (this.records.items.length >= limit && this.records.allApplied) return 'complete';
		if (!paged && mayBePart(page)) return errors.noPageParameter(this.count);
		return !paged || page.items.length === 0 ? this.end() : this.balance(page);
	}

	/** Takes a refusal of the next page as the end if that page was not announced. A 400 after a full one may have another reason. */
	refuse(error: UserError): Verdict {
		const isEnd = error.httpCode === '404' || !this.isLastFull;
		return isEnd && this.pages >= this.announced ? this.end() : error;
	}

	/**
	 * Whether the list stood still while these pages were in flight together, as far as they show it: none has a record of
	 * another one, or another total.
	 *
	 * @throws UserError if records left it
	 */
	checkStep(step: readonly ListPage<T>[]): boolean {
		if (step.some((page) => isBelow(page, this.newestTotals))) throw errors.recordsRemoved();
		const alone = new Ledger<T>({ limit: Infinity, paged: true });
		for (const page of step) {
			alone.enter(page, alone.newOn(page));
			if (page.items.length > 0 && !isBelow(page, this.newestTotals)) this.newestTotals = page;
		}
		return !alone.hasChanged;
	}

	/**
	 * Whether page 1, asked for again, is what it was when it was last seen.
	 *
	 * @throws UserError if records left the list
	 */
	checkPageOne(now: ListPage<T>): boolean {
		const { pageOne, newestTotals } = this;
		if (isBelow(now, newestTotals) || hasLost(now, pageOne)) throw errors.recordsRemoved();
		this.pageOne = this.newestTotals = now;
		return isSamePage(now, pageOne) && !isOtherTotal(now, newestTotals);
	}

	/** The records of a page that were on none before. On one page, an ID that comes twice is no repeat: both are records. */
	private newOn(page: ListPage<T>): T[] {
		const pushed = pushedOnto(page, this.last);
		return page.items.filter((item, index) => {
			const key = keyOf(item);
			return key === undefined ? index >= pushed : !this.seen.has(key);
		});
	}

	/** Whether the last page is as long as a page can be. */
	private get isLastFull(): boolean {
		const { first, last, pages } = this;
		const { pageSize = MAX_PAGE_SIZE } = last;
		return (
			last.items.length >= (pages > 1 ? first.items.length : Math.min(pageSize, MAX_PAGE_SIZE))
		);
	}

	/** Whether a page comes again after all that were announced, of which the last was short: some APIs have no empty page, but give the last or the first one. */
	private isBeyondEnd(page: ListPage<T>): boolean {
		const { first, last, pages, announced, minTotal } = this;
		if (pages === 0 || pages !== announced || this.isLastFull || minTotal < Infinity) return false;
		// A lower bound does not say where the list ends.
		if (last.isCapped === true) return false;
		return isSamePage(page, last) || isSamePage(page, first);
	}

	/** What cannot be, of a later page. */
	private contradiction(page: ListPage<T>, added: T[]): UserError | undefined {
		const { first, last } = this;
		const number = this.pages + 1;
		if (number === 1) return undefined;
		// Beyond the end, an API may say the number of another page.
		const isOther = page.items.length > 0 && page.page !== undefined && page.page !== number;
		if (isOther) return errors.wrongPage(number, page.page);
		if (isBelow(page, this.newestTotals)) return errors.recordsRemoved();
		// If the list grew by a page, it may be the same again.
		if (hasGrownBy(page, last)) return undefined;
		const isAgain = isSamePage(page, last) || (!hasGrownBy(page, first) && this.isOld(page, added));
		return isAgain ? errors.samePage() : undefined;
	}

	/** Whether a page has no news, or is the first one again, onto which records may have been added: it has the first record and most others. */
	private isOld(page: ListPage<T>, added: T[]): boolean {
		const { items } = this.first;
		// A shorter page without news may hold only what was pushed onto it during the read.
		if (added.length === 0 && page.items.length >= items.length) return true;
		if (isSamePage(page, this.first)) return true;
		const first = keyOf(items[0]);
		const keys = new Set(page.items.map(keyOf));
		if (exactTotal(page) === Infinity || first === undefined || !keys.has(first)) return false;
		const others = items.slice(1).map(keyOf);
		return 2 * others.filter((key) => keys.has(key)).length >= others.length;
	}

	private enter(page: ListPage<T>, added: T[]): void {
		if (this.pages++ === 0) this.first = this.pageOne = page;
		this.last = this.newestTotals = page;
		this.count += added.length;
		this.hasChanged ||= added.length < page.items.length || isOtherTotal(page, this.first);
		this.noteTotals(page);
		for (const key of added.map(keyOf)) this.seen.add(key);
		this.rejectedKeys.push(this.records.add(added).map(keyOf));
		if (this.rejectedKeys.length <= MAX_TOGETHER) return;
		for (const key of this.rejectedKeys.shift() ?? []) this.seen.delete(key);
	}

	/** Remembers what a page says of the whole list. An empty one after others says that it is beyond the end, not that there is nothing. */
	private noteTotals(page: ListPage<T>): void {
		const { items, totalItems = Infinity, totalPages = 0, isCapped } = page;
		const isBeyond = items.length === 0 && this.pages > 1;
		// A lower bound on it may only count itself.
		if (!isBeyond || isCapped !== true) this.announced = Math.max(this.announced, totalPages);
		if (isBeyond) return;
		this.minTotal = Math.min(this.minTotal, totalItems);
		this.cap =
			this.pages > 1 && this.isLastFull && this.hasFirstBound(page) ? totalItems : undefined;
	}

	/** Whether a page has the lower bound of the first one. Another one may only count what was sent so far. */
	private hasFirstBound({ totalItems, isCapped }: ListPage<T>): boolean {
		const { first } = this;
		return isCapped === true && first.isCapped === true && first.totalItems === totalItems;
	}

	/**
	 * Compares the records with the total. A short page alone ends no list: it may be all that the API puts on a page. Nor
	 * does a total that is too low, as that of a cache may be: then an empty page is the end.
	 */
	private balance(page: ListPage<T>): Verdict {
		const total = exactTotal(page);
		const { count, minTotal, pages, first } = this;
		if (pages < (page.totalPages ?? Infinity) || count < minTotal || count > total) return 'more';
		// In a list that grew, the number of pages may be that of larger ones.
		return count === total || pages * first.items.length >= total ? 'complete' : 'more';
	}

	/** The end: as many records as were counted, and no more announced. At a lower bound, the API may just stop. */
	private end(): Verdict {
		const { count, announced, cap, last } = this;
		const pages = last.items.length > 0 ? this.pages : this.pages - 1;
		const total = Math.max(this.minTotal < Infinity ? this.minTotal : 0, last.otherTotal ?? 0);
		if (count < total) return errors.miscounted(count, total);
		if (announced > 1 && pages < announced) return errors.emptyPage(pages + 1, announced);
		if (count === cap) return errors.endsAtCap(count);
		return last.continues === true ? errors.saysMore() : 'complete';
	}
}

const allAtOnce = (count: number): string =>
	`The API sent the same ${count} records for each page. The node takes them for the whole list. If there are more, set the name of the page parameter in the Card Platform API credential under Advanced, Parameter Names.`;

/** Whether a page that comes again is all that there is, as the API has no pages: it has more than a page can hold (§8). */
const isAll = (page: ListPage): boolean =>
	page.items.length > MAX_PAGE_SIZE &&
	(exactTotal(page) === page.items.length || !mayHaveMorePages(page));

/** Infinity if the totals are lower bounds, or are not both there. */
const exactTotal = ({ isCapped, totalItems = Infinity, totalPages }: ListPage): number =>
	isCapped === true || totalPages === undefined ? Infinity : totalItems;

/** Whether the list has grown by as many records as are on a page since another page was read, as far as exact totals show it. */
function hasGrownBy(page: ListPage, since: ListPage): boolean {
	const total = exactTotal(page);
	return total < Infinity && total - exactTotal(since) >= page.items.length;
}

/** Whether a page has a lower total than an earlier one. An empty page says that it is beyond the end, not that there is nothing. */
const isBelow = (page: ListPage, { totalItems = 0 }: ListPage): boolean =>
	page.items.length > 0 && exactTotal(page) < totalItems;

/** Whether two pages have totals that are not lower bounds, and differ. */
function isOtherTotal(
	page: ListPage,
	{ totalItems = page.totalItems, isCapped }: ListPage,
): boolean {
	const isExact = page.isCapped !== true && isCapped !== true && page.items.length > 0;
	return isExact && page.totalItems !== undefined && page.totalItems !== totalItems;
}

/** Whether a page that has to be the whole list may be a part of it: without a total, it is full or says so. */
function mayBePart(page: ListPage): boolean {
	const { items, pageSize = MAX_PAGE_SIZE, totalPages = 1, continues } = page;
	const isFull = items.length >= pageSize && items.length <= MAX_PAGE_SIZE;
	return exactTotal(page) === Infinity && (isFull || totalPages > 1 || continues === true);
}
