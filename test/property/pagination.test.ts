import fc from 'fast-check';

import type { ListPage } from '../../nodes/CardPlatform/api/list';
import { Problem } from '../../nodes/CardPlatform/api/problem';
import { collectPages } from '../../nodes/CardPlatform/transport/pagination';

interface Item {
	id: string;
}
type Shape = 'envelope' | 'capped' | 'bare';

const items = (count: number): Item[] =>
	Array.from({ length: count }, (_, index) => ({ id: `id-${index}` }));

/** A server that pages through a list, in one of the shapes that the API may answer in. */
function serve(all: () => Item[], shape: Shape, serverMax = 100) {
	const asked: number[] = [];
	let inFlight = 0;
	let mostInFlight = 0;
	const fetchPage = async (page: number, pageSize: number): Promise<ListPage<Item>> => {
		asked.push(page);
		mostInFlight = Math.max(mostInFlight, ++inFlight);
		// Later pages come back first, so that the order is put to the test.
		for (let turn = 0; turn < 20 - (page % 20); turn++) await Promise.resolve();
		inFlight--;
		const size = Math.min(pageSize, serverMax);
		const list = all();
		const slice = list.slice((page - 1) * size, page * size);
		if (shape === 'bare') return { items: slice, totalIsExact: false };
		const pages = Math.max(1, Math.ceil(list.length / size));
		const totalPages = shape === 'capped' ? Math.min(pages, 3) : pages;
		return {
			items: slice,
			page,
			pageSize: size,
			totalPages,
			totalItems: shape === 'capped' ? Math.min(list.length, 300) : list.length,
			totalIsExact: shape === 'envelope',
		};
	};
	return { fetchPage, asked, mostInFlight: () => mostInFlight };
}

const shape = fc.constantFrom<Shape>('envelope', 'capped', 'bare');
const fast = { paged: true, slowDown: () => false };

test('gives exactly the first items up to the limit, in order, whatever the shape', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 1_500 }),
			fc.oneof(fc.integer({ min: 1, max: 1_600 }), fc.constant(Infinity)),
			shape,
			async (count, limit, each) => {
				const all = items(count);
				const { fetchPage } = serve(() => all, each);
				const wanted = all.slice(0, limit);
				expect(await collectPages(fetchPage, { limit, ...fast })).toEqual(wanted);
			},
		),
	);
});

test('a server whose pages are smaller than asked for loses nothing', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 500 }),
			fc.integer({ min: 1, max: 100 }),
			shape,
			async (count, serverMax, each) => {
				const { fetchPage } = serve(() => items(count), each, serverMax);
				expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toHaveLength(count);
			},
		),
	);
});

test('what is created meanwhile hides nothing that was there, and comes at most once', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.nat({ max: 600 }),
			fc.integer({ min: 0, max: 7 }),
			shape,
			async (count, perRequest, each) => {
				const before = items(count);
				let created = 0;
				const list = () => {
					created += perRequest;
					const added = Array.from({ length: created }, (_, index) => ({ id: `new-${index}` }));
					return [...added.reverse(), ...before];
				};
				const { fetchPage } = serve(list, each);
				const ids = (await collectPages(fetchPage, { limit: Infinity, ...fast })).map(
					({ id }) => id,
				);
				expect(new Set(ids).size).toBe(ids.length);
				expect(ids).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
			},
		),
	);
});

test('an exact total is never overshot, the first page looked at again, and at most six pages are in flight', async () => {
	const { fetchPage, asked, mostInFlight } = serve(() => items(2_000), 'envelope');
	await collectPages(fetchPage, { limit: Infinity, ...fast });
	expect(asked).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 1]);
	expect(mostInFlight()).toBe(6);
});

test('a total that is a lower bound does not hold up what is fetched ahead', async () => {
	const { fetchPage, mostInFlight } = serve(() => items(2_000), 'capped');
	await collectPages(fetchPage, { limit: Infinity, ...fast });
	expect(mostInFlight()).toBe(6);
});

test('a limit asks for no page beyond it', async () => {
	const { fetchPage, asked } = serve(() => items(2_000), 'bare');
	await collectPages(fetchPage, { limit: 250, ...fast });
	expect(asked).toEqual([1, 2, 3, 1]);
});

test('one page at a time after the API has said that it is asked too often', async () => {
	const { fetchPage, mostInFlight } = serve(() => items(1_000), 'envelope');
	await collectPages(fetchPage, { limit: Infinity, paged: true, slowDown: () => true });
	expect(mostInFlight()).toBe(1);
});

test.each<[string, (page: number) => unknown[]]>([
	['ids', () => items(100)],
	['numbers as ids', () => Array.from({ length: 100 }, (_, id) => ({ id }))],
	['no ids', () => Array.from({ length: 100 }, (_, amount) => ({ amount }))],
	[
		'another first item from the second page on',
		(page) => (page === 1 ? items(100) : [{ id: 'new' }, ...items(99)]),
	],
])('a server that ignores the page parameter, with %s, is an error', async (_name, give) => {
	const fetchPage = async (page: number) =>
		await Promise.resolve({ items: give(page), totalPages: 3, totalIsExact: false });
	await expect(collectPages(fetchPage, { limit: Infinity, ...fast })).rejects.toThrow(
		'The API sent the same page twice',
	);
});

test('a server that says that it sends another page than was asked for is an error', async () => {
	const fetchPage = async (page: number) =>
		await Promise.resolve({
			items: [{ id: `${page}` }],
			page: 1,
			totalPages: 2,
			totalIsExact: true,
		});
	await expect(collectPages(fetchPage, { limit: Infinity, ...fast })).rejects.toThrow('same page');
});

test('a short list that comes again for the second page is the whole list', async () => {
	const fetchPage = async () => await Promise.resolve({ items: items(30), totalIsExact: false });
	expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toEqual(items(30));
});

test.each(['400', '404'])('a %s beyond a short page is the end of the list', async (httpCode) => {
	const fetchPage = async (page: number) => {
		if (page > 1) throw new Problem('No such page', '', httpCode);
		return await Promise.resolve({ items: items(30), totalIsExact: false });
	};
	expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toEqual(items(30));
});

test('where the first page cannot be looked at again, the list is read page by page', async () => {
	const { fetchPage } = serve(() => items(500), 'envelope');
	let looks = 0;
	const failing = async (page: number, pageSize: number) => {
		if (page === 1 && ++looks === 2) throw new Error('busy');
		return await fetchPage(page, pageSize);
	};
	expect(await collectPages(failing, { limit: Infinity, ...fast })).toEqual(items(500));
});

test('a server that ignores the page parameter is an error, not an endless loop', async () => {
	const first = items(100);
	const fetchPage = async () => await Promise.resolve({ items: first, totalIsExact: false });
	await expect(collectPages(fetchPage, { limit: Infinity, ...fast })).rejects.toThrow(
		'The API sent the same page twice',
	);
});

test('a list that is not paged is asked for once', async () => {
	const { fetchPage, asked } = serve(() => items(100), 'bare');
	const found = await collectPages(fetchPage, { limit: Infinity, ...fast, paged: false });
	expect(found).toHaveLength(100);
	expect(asked).toEqual([1]);
});

test('a page beyond the end may fail; a needed one may not', async () => {
	const { fetchPage } = serve(() => items(150), 'bare');
	const failing = (from: number) => async (page: number, pageSize: number) => {
		if (page >= from) throw new Error(`page ${page}`);
		return await fetchPage(page, pageSize);
	};
	expect(await collectPages(failing(3), { limit: Infinity, ...fast })).toHaveLength(150);
	await expect(collectPages(failing(2), { limit: Infinity, ...fast })).rejects.toThrow('page 2');
});

test('items without an id are all kept', async () => {
	const fetchPage = async () =>
		await Promise.resolve({ items: [{ a: 1 }, { a: 1 }], totalIsExact: false });
	expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toHaveLength(2);
});
