import { z } from 'zod';

/** A null says as little as an absent field. */
const count = z
	.number()
	.int()
	.nullish()
	.transform((value) => value ?? undefined);

const envelopeSchema = z
	.object({
		data: z.array(z.unknown()),
		page: count,
		pageSize: count.transform((size = 0) => (size > 0 ? size : undefined)),
		totalPages: count,
		totalItemCount: count,
		totalItemCountCapped: z.boolean().nullish(),
	})
	.passthrough();

/**
 * One page of a list, in any of the shapes that the API may use: the envelope of §2, `{data}`, or a bare
 * array (the shape of two lists is undocumented, §4.8 and §4.11).
 */
export interface ListPage<T = unknown> {
	items: T[];
	/** The page that the server says this is; absent where it does not say. */
	page?: number;
	/** Items that the server puts on a full page; absent where it does not say. */
	pageSize?: number;
	/** Pages there are at the least; absent where the server does not say. */
	totalPages?: number;
	/** Items there are at the least; absent where the server does not say. */
	totalItems?: number;
	/** True if the server says that its totals are lower bounds. */
	isCapped?: boolean;
	/** True where `totalPages` is exact, false where there may be more or nothing is known. */
	totalIsExact: boolean;
}

/**
 * Reads a list response (§2 Paginated list envelope).
 *
 * @returns the page, or undefined where the body is no list in any of the three shapes
 */
export function readListPage(body: unknown): ListPage | undefined {
	if (Array.isArray(body)) {
		return { items: z.array(z.unknown()).parse(body), totalIsExact: false };
	}

	const parsed = envelopeSchema.safeParse(body);
	if (!parsed.success) return undefined;

	const { data, page, pageSize, totalPages, totalItemCount, totalItemCountCapped } = parsed.data;
	return {
		items: data,
		page,
		pageSize,
		totalPages,
		totalItems: totalItemCount,
		isCapped: totalItemCountCapped === true,
		totalIsExact: totalPages !== undefined && totalItemCountCapped !== true,
	};
}

/** The id of a record; undefined where it has none. */
export function idOf(item: unknown): string | undefined {
	if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
	return typeof item.id === 'string' || typeof item.id === 'number' ? String(item.id) : undefined;
}

/** Tells whether two pages hold the same items, by their ids where they have any. */
export function isSamePage(one: ListPage, other: ListPage): boolean {
	const keyOf = (item: unknown) => idOf(item) ?? JSON.stringify(item);
	return (
		one.items.length === other.items.length &&
		one.items.every((item, index) => keyOf(item) === keyOf(other.items[index]))
	);
}
