import fc from 'fast-check';
import { z } from 'zod';

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

test('what is created during the read hides nothing that was there, and comes at most once', async () => {
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
				const found = new Set(ids);
				expect(found.size).toBe(ids.length);
				expect(before.filter(({ id }) => !found.has(id))).toEqual([]);
			},
		),
	);
});

/** What happens to a list before it answers a request: records appear on top, others leave. */
const change = fc.record({
	created: fc.nat({ max: 2 }),
	removed: fc.array(fc.nat(), { maxLength: 2 }),
});

/** A list that changes with each of its first requests. */
function changingList(count: number, changes: { created: number; removed: number[] }[]) {
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

const GAP = /^(Records left the list each time|The API sent \d+ of the \d+ records)/;

test('with exact totals, records that leave during the read hide no other, or the read fails', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 60 }),
			fc.integer({ min: 5, max: 10 }),
			fc.array(change, { maxLength: 60 }),
			fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(Infinity)),
			async (count, serverMax, changes, limit) => {
				const list = changingList(count, changes);
				const { fetchPage, asked } = serve(list.all, 'envelope', serverMax);
				const result = await collectPages(fetchPage, { limit, ...fast }).catch(
					(error: unknown) => error,
				);
				if (result instanceof Error) {
					expect(result.message).toMatch(GAP);
					expect(list.hasLost()).toBe(true);
					expect(asked.length).toBeLessThan(4 * 30);
					return;
				}
				const ids = z.array(z.object({ id: z.string() })).parse(result);
				expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
				const throughout = list.throughout().map(({ id }) => id);
				const found = ids.map(({ id }) => id).filter((id) => throughout.includes(id));
				const isWhole = ids.length < limit;
				expect(found).toEqual(isWhole ? throughout : throughout.slice(0, found.length));
			},
		),
		{ numRuns: 1_000 },
	);
});

test('once the list is quiet, it is read in full', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.integer({ min: 0, max: 60 }),
			fc.array(change, { maxLength: 4 }),
			async (count, changes) => {
				const list = changingList(count, changes);
				const { fetchPage } = serve(list.all, 'envelope', 5);
				const found = await collectPages(fetchPage, { limit: Infinity, ...fast });
				expect(found).toEqual(expect.arrayContaining(list.throughout()));
			},
		),
	);
});

test('a list that loses records each time it is read is an error, after four reads', async () => {
	const list = changingList(
		500,
		Array.from({ length: 60 }, () => ({ created: 0, removed: [0] })),
	);
	const { fetchPage, asked } = serve(list.all, 'envelope');
	await expect(collectPages(fetchPage, { limit: Infinity, ...fast })).rejects.toThrow(
		'Records left the list each time it was read',
	);
	expect(asked.filter((page) => page === 1)).toHaveLength(4);
});

test('a record that leaves where totals are lower bounds does no harm to the read', async () => {
	const list = changingList(450, [
		{ created: 0, removed: [] },
		{ created: 0, removed: [449] },
	]);
	const { fetchPage } = serve(list.all, 'capped');
	expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toHaveLength(449);
});

test('a page that is gone as records left is no failure, once the list is quiet', async () => {
	let list = items(201);
	const fetchPage = async (page: number, pageSize: number) => {
		if (page === 3) list = list.slice(0, 150);
		const data = list.slice((page - 1) * pageSize, page * pageSize);
		if (data.length === 0) throw new Problem('No such page', '', '404');
		const totalPages = Math.ceil(list.length / pageSize);
		const totals = { pageSize, totalPages, totalItems: list.length, totalIsExact: true };
		return await Promise.resolve({ items: data, page, ...totals });
	};
	const found = await collectPages(fetchPage, { limit: Infinity, ...fast, slowDown: () => true });
	expect(found).toEqual(items(150));
});

test('fewer records than the API counts are an error, also where only one page is requested', async () => {
	const fetchPage = async () =>
		await Promise.resolve({
			items: items(100),
			page: 1,
			pageSize: 100,
			totalPages: 3,
			totalItems: 250,
			totalIsExact: true,
		});
	await expect(collectPages(fetchPage, { limit: Infinity, ...fast, paged: false })).rejects.toThrow(
		'The API sent 100 of the 250 records',
	);
	expect(await collectPages(fetchPage, { limit: 100, ...fast, paged: false })).toHaveLength(100);
});

test('two records with the same id on one page are both records', async () => {
	const page = { items: [{ id: 'a' }, { id: 'a' }, { id: 'b' }], totalItems: 3, totalPages: 1 };
	const fetchPage = async () => await Promise.resolve({ ...page, totalIsExact: true });
	expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toEqual(page.items);
});

test.each([100, 200])(
	'a 404 past the end of a list of %d without totals is its end',
	async (count) => {
		const fetchPage = async (page: number, pageSize: number) => {
			const data = items(count).slice((page - 1) * pageSize, page * pageSize);
			if (data.length === 0) throw new Problem('No such page', '', '404');
			return await Promise.resolve({ items: data, totalIsExact: false });
		};
		expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toHaveLength(count);
	},
);

describe('more records than requested', () => {
	const unpaged = (more: Partial<ListPage<Item>> = {}) => {
		const asked: number[] = [];
		const fetchPage = async (page: number): Promise<ListPage<Item>> => {
			asked.push(page);
			return await Promise.resolve({ items: items(250), totalIsExact: false, ...more });
		};
		return { fetchPage, asked };
	};

	test.each<[string, Partial<ListPage<Item>>]>([
		['an array', {}],
		[
			'an envelope that counts pages',
			{ page: 1, pageSize: 100, totalPages: 3, totalItems: 250, totalIsExact: true },
		],
		[
			'an envelope of one page',
			{ page: 1, pageSize: 250, totalPages: 1, totalItems: 250, totalIsExact: true },
		],
	])('%s: they are the whole list', async (_name, more) => {
		const { fetchPage } = unpaged(more);
		expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toEqual(items(250));
	});

	test('up to the limit, with one request', async () => {
		const { fetchPage, asked } = unpaged();
		expect(await collectPages(fetchPage, { limit: 120, ...fast })).toEqual(items(120));
		expect(asked).toEqual([1]);
	});

	test('pages that are larger than requested are all read', async () => {
		const all = items(450);
		const fetchPage = async (page: number) =>
			await Promise.resolve({
				items: all.slice((page - 1) * 200, page * 200),
				totalIsExact: false,
			});
		expect(await collectPages(fetchPage, { limit: Infinity, ...fast })).toEqual(all);
	});
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
