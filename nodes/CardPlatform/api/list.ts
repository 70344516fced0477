import { z } from 'zod';

import { isDataObject } from './json';

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
	/** True if a field that this API does not describe says that there is more. */
	continues?: boolean;
}

/** Tells whether a response names a next page, or counts more than these records, wherever it says so. */
function saysThereIsMore(response: object, length: number): boolean {
	return Object.entries(response).some(([name, value]: [string, unknown]) => {
		if (!value) return false;
		if (typeof value === 'object' && !Array.isArray(value)) return saysThereIsMore(value, length);
		if (/total(?!_?pages)|count/i.test(name)) return Number(value) > length;
		return /next|has_?more|cursor/i.test(name);
	});
}

/**
 * Reads a list in any of the shapes that the API may use: the envelope of §2, `{data}`, or a bare array (the shape of
 * two lists is undocumented, §4.8 and §4.11). Undefined for any other body.
 */
export function readListPage(body: unknown): ListPage | undefined {
	const parsed = envelopeSchema.safeParse(Array.isArray(body) ? { data: body } : body);
	if (!parsed.success) return undefined;
	const { data, totalItemCount, totalItemCountCapped, ...page } = parsed.data;
	return {
		...page,
		items: data,
		continues: isDataObject(body) && saysThereIsMore(body, data.length),
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

const keysOf = ({ items }: ListPage): string[] =>
	items.map((item) => idOf(item) ?? JSON.stringify(item));

/** Tells whether two pages hold the same items, by their ids where they have any. */
export const isSamePage = (one: ListPage, other: ListPage): boolean =>
	JSON.stringify(keysOf(one)) === JSON.stringify(keysOf(other));

/**
 * Compares a page with the first one, requested just before it. A few records may have come or gone in between.
 * `longer` is the same page with more records.
 */
export function placeOf(
	page: ListPage,
	first: ListPage,
): 'same' | 'longer' | 'next' | 'overlapping' {
	const keys = keysOf(first);
	const found = new Set(keysOf(page));
	const shared = keys.filter((key) => found.has(key)).length;
	if (shared * 2 <= keys.length) return 'next';
	if (page.items.length > keys.length) return 'longer';
	return keys.slice(0, 1).every((key) => found.has(key)) ? 'same' : 'overlapping';
}
