import { idOf, isSamePage, type ListPage } from '../api/list';
import { UserError } from '../api/userError';

/** One page, as a read of a list met it. */
export interface ReadPage {
	/** How many records the pages before it had brought. */
	start: number;
	/** How many of its records earlier pages had brought. */
	repeats: number;
	/** What it says of the length of the list; absent where it says nothing. */
	totalItems?: number;
	totalIsExact: boolean;
}

/** Why a read ended: the limit is reached, the list is over, or something else came than a page. */
export type End = 'limit' | 'complete' | UserError;

/** A list as one read found it, with pages in flight together. */
export interface ListRead<T> {
	/** The records that match. */
	items: T[];
	/** Their places among all records that were read. */
	itemPlaces: number[];
	/** The places of all records that were read, by id. */
	places: ReadonlyMap<string, number>;
	/** True where each record has an id, and no page has one twice. */
	isIdentified: boolean;
	/** Records read. */
	count: number;
	end: End;
	first: ListPage<T>;
	/** In order, from the first page on. */
	pages: ReadPage[];
	/** Pages that were in flight together at most. */
	window: number;
}

/** The place of a record among all that were read; undefined where it was not read, or has no id. */
export function placeOf(item: unknown, places: ReadonlyMap<string, number>): number | undefined {
	const id = idOf(item);
	return id === undefined ? undefined : places.get(id);
}

/** Records that the read missed, by the place that they come after. */
type Missing<T> = Map<number, T[]>;

/**
 * Completes a list whose pages were fetched ahead. A record that is created on top of a list moves others
 * to later pages. Of two pages in flight together, the later one may be served first; what the creation
 * then moves from the earlier one onto it is in neither. Such pages are fetched again, all together.
 *
 * @param read its places are those of this read
 * @param fetchPage gets a page, counted from 1
 * @param matches says which records are wanted
 * @returns the wanted records in the API's order; undefined where it is not certain that none is missing:
 * the list must then be read one page after the other
 */
export async function complete<T>(
	read: ListRead<T>,
	fetchPage: (page: number) => Promise<ListPage<T>>,
	matches: (item: T) => boolean,
): Promise<T[] | undefined> {
	const missing = await findMissing(read, fetchPage).catch((error: unknown) => {
		if (error instanceof UserError) return undefined;
		throw error;
	});
	if (missing === undefined) return undefined;

	let count = read.count;
	for (const items of missing.values()) count += items.length;
	if (read.end === 'complete' && count < (read.first.totalItems ?? 0)) return undefined;

	const items: T[] = [];
	const groups = [...missing].sort(([one], [other]) => one - other);
	let next = 0;
	const addMissing = (until: number) => {
		for (; (groups[next]?.[0] ?? Infinity) < until; next++) {
			for (const item of groups[next]?.[1] ?? []) if (matches(item)) items.push(item);
		}
	};
	for (const [index, item] of read.items.entries()) {
		addMissing(read.itemPlaces[index] ?? 0);
		items.push(item);
	}
	addMissing(Infinity);
	return items;
}

async function findMissing<T>(
	read: ListRead<T>,
	fetchPage: (page: number) => Promise<ListPage<T>>,
): Promise<Missing<T> | undefined> {
	const again = await fetchPage(1);
	if (isUnchanged(read, again)) return new Map();
	if (!read.isIdentified || !hasGrownOnTop(read, again)) return undefined;

	const missing: Missing<T> = new Map();
	const isShown = await Promise.all(
		doubtfulPages(read).map(async (index) => {
			const found = missingAt(await fetchAround(read, index, fetchPage), read, index);
			for (const [place, items] of found ?? []) missing.set(place, items);
			return found !== undefined;
		}),
	);
	return isShown.every(Boolean) ? missing : undefined;
}

/** Tells whether nothing shows that the list changed during the read. */
const isUnchanged = ({ first, pages }: ListRead<unknown>, again: ListPage): boolean =>
	pages.every(({ repeats, totalItems }) => repeats === 0 && totalItems === first.totalItems) &&
	again.totalItems === first.totalItems &&
	isSamePage(again, first);

/** Tells whether all that happened to a list, as far as it can be seen, is that records came on top. */
function hasGrownOnTop<T>({ first, pages, places }: ListRead<T>, again: ListPage<T>): boolean {
	const top = idOf(first.items[0]);
	const created = again.items.findIndex((item) => idOf(item) === top);
	if (top === undefined || created < 0) return false;
	const areNew = again.items.slice(0, created).every((item) => placeOf(item, places) === undefined);
	const areSame = again.items
		.slice(created, first.items.length)
		.every((item, index) => idOf(item) === idOf(first.items[index]));
	if (!areNew || !areSame) return false;
	if (!first.totalIsExact) return true;
	const [before = 0, after = 0] = [first.totalItems, again.totalItems];
	const areBetween = pages.every(
		({ totalItems = 0 }) => totalItems >= before && totalItems <= after,
	);
	return after - before === created && areBetween;
}

/**
 * Finds the pages before which records may be missing: those served before a page in front of them, with
 * a creation in between. These were in flight together. So the creation also shows, as repeated records,
 * at most a window before them and after them. Before a page that begins with a repeat, nothing is missing.
 */
function doubtfulPages({ pages, window }: ListRead<unknown>): number[] {
	const hasRepeats = (from: number, to: number) =>
		pages.slice(Math.max(0, from), to).some(({ repeats }) => repeats > 0);
	return [...pages.keys()].filter(
		(index) =>
			pages[index]?.repeats === 0 &&
			hasRepeats(index - window, index) &&
			(index + window >= pages.length || hasRepeats(index + 1, index + 2 + window)),
	);
}

/**
 * Fetches the records around the start of a page. After more creations, the page has moved up, and begins
 * with records from before that start. Otherwise the page before it is needed, too: served first, so that
 * nothing can be missing between the two.
 */
async function fetchAround<T>(
	{ places, pages }: ListRead<T>,
	index: number,
	fetchPage: (page: number) => Promise<ListPage<T>>,
): Promise<T[]> {
	const { items } = await fetchPage(index + 1);
	const place = placeOf(items[0], places);
	if (place !== undefined && place <= (pages[index]?.start ?? 0)) return items;
	const before = await fetchPage(index);
	const after = await fetchPage(index + 1);
	const ids = new Set(before.items.map(idOf));
	return [...before.items, ...after.items.filter((item) => !ids.has(idOf(item)))];
}

/**
 * Finds what is missing before a page in records that were fetched without a gap.
 *
 * @returns undefined where these do not reach from before the start of the page to behind it
 */
function missingAt<T>(
	around: T[],
	{ places, pages }: ListRead<T>,
	index: number,
): Missing<T> | undefined {
	const start = pages[index]?.start ?? 0;
	const missing: Missing<T> = new Map();
	let last: number | undefined;
	let unknown: T[] = [];
	for (const item of around) {
		const place = placeOf(item, places);
		if (place === undefined) {
			if (idOf(item) === undefined || last === undefined) return undefined;
			unknown.push(item);
			continue;
		}
		const isInOrder = last === undefined ? place <= start : place > last;
		if (!isInOrder) return undefined;
		if (last !== undefined && unknown.length > 0) missing.set(last, unknown);
		unknown = [];
		last = place;
	}
	return last !== undefined && last >= start ? missing : undefined;
}
