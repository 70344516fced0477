import type { ListPage } from '../../nodes/CardPlatform/api/list';

/** A record of a list. */
export interface Item {
	id: string;
}
/** The shapes of a list that the API may answer in. */
export type Shape = 'envelope' | 'capped' | 'bare';

/** The given number of records, in order. */
export const items = (count: number): Item[] =>
	Array.from({ length: count }, (_, index) => ({ id: `id-${index}` }));

/** A server that pages through a list, in one of the shapes that the API may answer in, and counts pages from `base`. */
export function serve(all: () => Item[], shape: Shape, serverMax = 100, base = 1) {
	const asked: number[] = [];
	let inFlight = 0;
	let mostInFlight = 0;
	const fetchPage = async (page = base, pageSize = 100): Promise<ListPage<Item>> => {
		asked.push(page);
		mostInFlight = Math.max(mostInFlight, ++inFlight);
		// Later pages come back first, so that the order is put to the test.
		for (let turn = 0; turn < 20 - (page % 20); turn++) await Promise.resolve();
		inFlight--;
		const size = Math.min(pageSize, serverMax);
		const list = all();
		const slice = list.slice((page - base) * size, (page - base + 1) * size);
		if (shape === 'bare') return { items: slice };
		const pages = Math.max(1, Math.ceil(list.length / size));
		const totalPages = shape === 'capped' ? Math.min(pages, 3) : pages;
		return {
			items: slice,
			page,
			pageSize: size,
			totalPages,
			totalItems: shape === 'capped' ? Math.min(list.length, 300) : list.length,
			isCapped: shape === 'capped' && list.length > 300,
		};
	};
	return { fetchPage, asked, mostInFlight: () => mostInFlight };
}

/** How a test reads a whole list. */
export const everything = { limit: Infinity, paged: true };

/** A list that changes with each of its first requests. */
export function changingList(count: number, changes: { created: number; removed: number[] }[]) {
	const before = items(count);
	let list = before;
	const left = new Set<Item>();
	let requests = 0;
	return {
		all: () => {
			const { created, removed } = changes[requests++] ?? { created: 0, removed: [] };
			const added = Array.from({ length: created }, (_, index) => ({
				id: `new-${requests}-${index}`,
			}));
			for (const position of removed) {
				const item = list[position % Math.max(1, list.length)];
				if (item !== undefined) left.add(item);
			}
			list = [...added, ...list].filter((item) => !left.has(item));
			return list;
		},
		/** Records that were there all the time. */
		throughout: () => before.filter((item) => !left.has(item)),
		hasLost: () => left.size > 0,
	};
}
