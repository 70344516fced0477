import { z } from 'zod';

import { MAX_PAGE_SIZE } from './assumptions';
import { isBlank, isDataObject } from './values';

/** Null means the same as an absent field. */
const count = z
	.number()
	.int()
	.nullish()
	.transform((value) => value ?? undefined);

const atLeastOne = count.transform((value = 0) => (value > 0 ? value : undefined));

const envelopeSchema = z.object({
	data: z.array(z.unknown()),
	page: count,
	pageSize: atLeastOne,
	totalPages: atLeastOne,
	totalItemCount: count,
	totalItemCountCapped: z.boolean().nullish(),
});

/** One page of a list. What is absent, the API does not say. */
export interface ListPage<T = unknown> {
	items: T[];
	/** The page that the API says this is. */
	page?: number;
	/** Items on a full page. */
	pageSize?: number;
	/** Pages there are at the least. */
	totalPages?: number;
	/** Items there are at the least. */
	totalItems?: number;
	/** True if the totals are lower bounds. */
	isCapped?: boolean;
	/** What it says in words that §2 does not have: that there is more, and how many records there are. */
	continues?: boolean;
	otherTotal?: number;
	/** True if it has other words, of which none is about that, and as many records as a page often has. */
	mayContinue?: boolean;
}

/** Words for whether there is a next page, for how to get it, and for the last one. Those that only begin alike are of other things. */
const HAS_MORE = /^(has_?)?(more|next)(_?(pages?|items|records|results|data|available))?$/i;
const MORE =
	/^(is_?)?truncated$|^((end|after)_?)?cursor$|^(@odata\.)?next(_?page)?_?(cursor|token|ur[il]|link|href|offset|marker|key|id|number|start)$/i;
const LAST = /^is_?last(_?page)?$/i;
const TOTAL =
	/^(count|total|total_?(items?|records?|results?)|(total|items?|records?|results?)_?count)$/i;
/** Words that say nothing of pages. */
const HARMLESS =
	/^(page|page_?size|success|ok|status|message|code|errors?|warnings?|object|type|version|timestamp|from|to|(request|trace|correlation|account)_?id)$/i;

/** Objects within objects, in which words of a response may stand. */
const MAX_DEPTH = 4;

/** The words of a response beside its records, with those in objects. */
const wordsOf = (response: object, depth = 0): [name: string, value: unknown][] =>
	Object.entries(response).flatMap(([name, value]: [string, unknown]) =>
		isDataObject(value) && depth < MAX_DEPTH ? wordsOf(value, depth + 1) : [[name, value]],
	);

/** Whether a value may be a number of records: one with decimals, or in quotes, may be of money. */
const isInteger = (value: unknown): value is number => Number.isInteger(value);

function readOtherWords(
	response: object,
	length: number,
): Pick<ListPage, 'continues' | 'otherTotal' | 'mayContinue'> {
	const words = wordsOf(response).filter(([name]) => !HARMLESS.test(name));
	const valuesOf = (names: RegExp) =>
		words.filter(([name]) => names.test(name)).map(([, value]) => value);
	const [hasMore, more, last] = [valuesOf(HAS_MORE), valuesOf(MORE), valuesOf(LAST)];
	const totals = valuesOf(TOTAL).filter(isInteger);
	const isClear = hasMore.length + more.length + last.length + totals.length > 0;
	const isRound = length > 0 && (length % 10 === 0 || length % 25 === 0);
	return {
		// A cursor may also be there at the end.
		continues:
			!hasMore.includes(false) && ([...hasMore, ...more].some(Boolean) || last.includes(false)),
		otherTotal: totals.reduce((highest, total) => Math.max(highest, total), 0),
		mayContinue:
			!isClear && isRound && words.some(([, value]) => value !== false && !isBlank(value)),
	};
}

/**
 * Reads a list in any of the shapes that the API may use: the envelope of §2, `{data}`, or a bare array (the shape of
 * two lists is undocumented, §4.8 and §4.11). Undefined for any other body.
 */
export function readListPage(body: unknown): ListPage | undefined {
	const parsed = envelopeSchema.safeParse(Array.isArray(body) ? { data: body } : body);
	if (!parsed.success) return undefined;
	const { data, totalItemCount, totalItemCountCapped, ...page } = parsed.data;
	const known = Object.keys(envelopeSchema.shape);
	const others = Object.entries(isDataObject(body) ? body : {}).filter(
		([name]) => !known.includes(name),
	);
	return {
		...page,
		...readOtherWords(Object.fromEntries(others), data.length),
		items: data,
		totalItems: totalItemCount,
		isCapped: totalItemCountCapped === true,
	};
}

/** The id of a record; undefined where it has none. */
export function idOf(item: unknown): string | undefined {
	if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
	return typeof item.id === 'string' || typeof item.id === 'number' ? String(item.id) : undefined;
}

/** What tells a record from others: its id, and when it was created, which never changes. Undefined without an id. */
export function keyOf(item: unknown): string | undefined {
	const id = idOf(item);
	return isDataObject(item) && id !== undefined ? JSON.stringify([id, item.createdAt]) : undefined;
}

const contentOf = (item: unknown): string => idOf(item) ?? JSON.stringify(item);

const keysOf = ({ items }: ListPage): string[] => items.map(contentOf);

/** Tells whether two pages hold the same items, by their ids where they have any. */
export const isSamePage = (one: ListPage, other: ListPage): boolean =>
	JSON.stringify(keysOf(one)) === JSON.stringify(keysOf(other));

/** Whether a page has the first item of another one. */
export const hasFirstOf = (page: ListPage, other: ListPage): boolean =>
	keysOf(other)
		.slice(0, 1)
		.every((key) => keysOf(page).includes(key));

/** Whether an item has left the list since a page was read: it is gone, but one that stood after it is there. Without IDs, it may just have changed. */
export function hasLost(now: ListPage, before: ListPage): boolean {
	const ids = new Set(now.items.map(idOf));
	const known = before.items.map(idOf).filter((id) => id !== undefined);
	const firstGone = known.findIndex((id) => !ids.has(id));
	return firstGone >= 0 && known.slice(firstGone).some((id) => ids.has(id));
}

/** How many items were pushed onto a page from the end of the one before it, by what was added to the list. */
export function pushedOnto({ items }: ListPage, { items: before }: ListPage): number {
	const [start, end] = [
		items.slice(0, MAX_PAGE_SIZE).map(contentOf),
		before.slice(-MAX_PAGE_SIZE).map(contentOf),
	];
	const isPushed = (from: number) => end.slice(from).every((each, index) => each === start[index]);
	const from = end.findIndex((_, index) => end.length - index <= start.length && isPushed(index));
	return from === -1 ? 0 : end.length - from;
}

/**
 * Tells whether a page may be one of several, by its totals or by other words. `{data}`, an array, and an exact total of
 * what came are the whole list.
 */
export function mayHaveMorePages(page: ListPage): boolean {
	const { items, page: number, pageSize, totalPages, totalItems, isCapped } = page;
	const isEnvelope = [number, pageSize, totalPages, totalItems].some((each) => each !== undefined);
	const isWhole = totalItems === items.length && isCapped !== true && (totalPages ?? 1) === 1;
	const saysMore = page.continues === true || (page.otherTotal ?? 0) > items.length;
	return saysMore || (isEnvelope && !isWhole);
}
