import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { ListPage } from '../../nodes/CardPlatform/api/list';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import { collectPages } from '../../nodes/CardPlatform/transport/pagination';
import { changingList, everything, type Item, items, serve, type Shape } from '../support/pages';

test('a list that loses records each time it is read is an error, after two reads', async () => {
	const list = changingList(
		500,
		Array.from({ length: 60 }, () => ({ created: 0, removed: [0] })),
	);
	const { fetchPage, asked } = serve(list.all, 'envelope');
	await expect(collectPages(fetchPage, everything)).rejects.toThrow(
		'Records disappeared from the list during each read',
	);
	expect(asked.filter((page) => page === 2)).toHaveLength(2);
});

test('a record that leaves where totals are lower bounds does no harm to the read', async () => {
	const list = changingList(450, [
		{ created: 0, removed: [] },
		{ created: 0, removed: [449] },
	]);
	const { fetchPage } = serve(list.all, 'capped');
	expect(await collectPages(fetchPage, everything)).toHaveLength(449);
});

test('a page that is gone because records left is not an error once the list stops changing', async () => {
	let list = items(201);
	const fetchPage = async (page = 1, pageSize = 100) => {
		if (page === 3) list = list.slice(0, 150);
		const data = list.slice((page - 1) * pageSize, page * pageSize);
		if (data.length === 0) throw new UserError('No such page', '', '404', { isFromApi: true });
		const totalPages = Math.ceil(list.length / pageSize);
		const totals = { pageSize, totalPages, totalItems: list.length };
		return await Promise.resolve({ items: data, page, ...totals });
	};
	expect(await collectPages(fetchPage, everything)).toEqual(items(150));
});

test('fewer records than the API counts are an error, also where only one page is requested', async () => {
	const fetchPage = async () =>
		await Promise.resolve({
			items: items(100),
			page: 1,
			pageSize: 100,
			totalPages: 3,
			totalItems: 250,
		});
	const onePage = { limit: Infinity, paged: false };
	await expect(collectPages(fetchPage, onePage)).rejects.toThrow(
		'The API sent only 100 of the 250 records',
	);
	expect(await collectPages(fetchPage, { ...onePage, limit: 100 })).toHaveLength(100);
});

test('fewer records than a lower bound are an error', async () => {
	const { fetchPage } = serve(() => items(1_000), 'envelope');
	const atMostFive = async (page = 1, pageSize = 100) => {
		const got = await fetchPage(page, pageSize);
		return { ...got, items: page > 5 ? [] : got.items, isCapped: true };
	};
	await expect(collectPages(atMostFive, everything)).rejects.toThrow(
		'The API sent only 500 of the 1000 records',
	);
});

type Totals = Partial<ListPage<Item>>;

/** An API with records on pages of a size, and what it says of each page; it may ignore the page parameter. */
const pagesOf =
	(count: number, size: number, more: (page: number) => Totals, ignoresPage = false) =>
	async (page = 1): Promise<ListPage<Item>> => {
		const from = ignoresPage ? 0 : (page - 1) * size;
		return await Promise.resolve({ items: items(count).slice(from, from + size), ...more(page) });
	};
const firstSays = (totals: Totals) => (page: number) => (page === 1 ? totals : {});

test.each<[string, ReturnType<typeof pagesOf>]>([
	[
		'only the first page has totals',
		pagesOf(100, 100, firstSays({ totalPages: 3, totalItems: 230 })),
	],
	[
		'an empty page counts nothing',
		pagesOf(100, 100, (page) => ({ totalItems: page > 1 ? 0 : 230 })),
	],
	['the page is ignored, and there are two', pagesOf(620, 500, () => ({ totalPages: 2 }), true)],
	['the page is ignored, and full', pagesOf(620, 500, () => ({ pageSize: 500 }), true)],
])('a part of a list is an error: %s', async (_name, fetchPage) => {
	await expect(collectPages(fetchPage, everything)).rejects.toThrow(/sent only|same page twice/);
});

test.each<[string, ReturnType<typeof pagesOf>]>([
	['a total that is too low', pagesOf(230, 100, () => ({ totalPages: 2, totalItems: 150 }))],
	['pages that are counted for another size', pagesOf(230, 50, () => ({ totalPages: 3 }))],
	['the only page that is announced', pagesOf(230, 50, () => ({ totalPages: 1 }))],
])('a list goes on after %s', async (_name, fetchPage) => {
	expect(await collectPages(fetchPage, everything)).toEqual(items(230));
});

test('more records than a page can hold, each time the same, are the whole list, with a hint', async () => {
	const hints: string[] = [];
	const options = { ...everything, report: (hint: string) => hints.push(hint) };
	expect(
		await collectPages(
			pagesOf(620, 500, () => ({}), true),
			options,
		),
	).toHaveLength(500);
	expect(hints).toEqual([expect.stringContaining('the same 500 records for each page')]);
});

describe('only items that match', () => {
	const isEvery =
		(nth: number) =>
		({ id }: { id?: unknown }) =>
			Number(String(id).slice(3)) % nth === 0;
	const every = (nth: number) => ({
		filters: [{ label: 'Every', field: 'id', passes: isEvery(nth) }],
	});

	test('at most as many pages are read as twice those that are needed', async () => {
		const { fetchPage, asked, mostInFlight } = serve(() => items(5_000), 'envelope');
		await collectPages(fetchPage, { ...everything, ...every(100), limit: 4 });
		expect(Math.max(...asked)).toBeLessThanOrEqual(2 * 4);
		expect(mostInFlight()).toBe(2);
	});

	test('all that match are read as fast as all records', async () => {
		const { fetchPage, mostInFlight } = serve(() => items(5_000), 'envelope');
		await collectPages(fetchPage, { ...everything, ...every(100) });
		expect(mostInFlight()).toBe(49);
	});

	test('records that are missing are still noticed', async () => {
		const page = { items: items(100), page: 1, pageSize: 100, totalPages: 1, totalItems: 250 };
		const fetchPage = async () => await Promise.resolve(page);
		const options = { ...everything, ...every(2) };
		await expect(collectPages(fetchPage, options)).rejects.toThrow(
			'The API sent only 100 of the 250 records',
		);
	});
});

test('of more records than requested, one request is enough', async () => {
	const asked: unknown[] = [];
	const fetchPage = async (page?: number) => {
		asked.push(page);
		return await Promise.resolve({ items: items(250) });
	};
	expect(await collectPages(fetchPage, { ...everything, limit: 120 })).toEqual(items(120));
	expect(asked).toEqual([undefined]);
});

test('no page beyond an exact total is requested, the first page is checked again, and at most 64 pages are in flight', async () => {
	const { fetchPage, asked, mostInFlight } = serve(() => items(8_000), 'envelope');
	await collectPages(fetchPage, everything);
	expect(asked).toEqual([...Array.from({ length: 80 }, (_, index) => index + 1), 1]);
	expect(mostInFlight()).toBe(64);
});

test('so it is if the API puts fewer records on a page, or counts nothing but full pages', async () => {
	const { fetchPage, asked } = serve(() => items(230), 'envelope', 50);
	await collectPages(fetchPage, everything);
	expect(asked).toEqual([1, 2, 3, 4, 5, 1]);
	const one = jest.fn(pagesOf(100, 100, () => ({ page: 1, totalPages: 1 })));
	await collectPages(one, everything);
	expect(one).toHaveBeenCalledTimes(1);
});

test.each([20_000_000, 2 ** 31 - 1, 1e300])(
	'a total of %d pages costs nothing',
	async (totalPages) => {
		const { fetchPage, asked } = serve(() => items(250), 'bare');
		const boastful = async (page?: number, pageSize?: number) => ({
			...(await fetchPage(page, pageSize)),
			totalPages,
		});
		expect(await collectPages(boastful, everything)).toHaveLength(250);
		expect(asked.length).toBeLessThan(2 * 70);
	},
);

test.each<[Shape, number]>([
	['capped', 40],
	['capped', 200],
	['bare', 200],
])(
	'beyond the pages that the API announces, as many are fetched as were read, eight at most: %s, %i pages',
	async (shape, count) => {
		const { fetchPage, asked, mostInFlight } = serve(() => items(count * 100 - 1), shape);
		await collectPages(fetchPage, everything);
		expect(mostInFlight()).toBeGreaterThan(1);
		expect(mostInFlight()).toBeLessThanOrEqual(8);
		// The first page is looked at again, and to find out how the API counts.
		expect(asked.length - count - 2).toBeLessThanOrEqual(8);
	},
);

test('no page beyond the limit is requested', async () => {
	const { fetchPage, asked } = serve(() => items(2_000), 'bare');
	await collectPages(fetchPage, { ...everything, limit: 250 });
	// The first page twice, to find out how the API counts.
	expect(asked).toEqual([1, 1, 2, 3]);
});

describe('the number of the first page', () => {
	test.each<[string, Shape, number, number | undefined]>([
		['is what its envelope says', 'envelope', 0, undefined],
		['is 0 if page 1 has the next records', 'bare', 0, 1],
		['is 1 if page 1 has the same records', 'bare', 1, 1],
	])('%s: %s', async (_name, shape, base, probed) => {
		const { fetchPage } = serve(() => items(230), shape, 100, base);
		const asked: unknown[] = [];
		const recording = async (page?: number, pageSize?: number) => {
			asked.push(page);
			return await fetchPage(page, pageSize);
		};
		expect(await collectPages(recording, { ...everything, limit: 7 })).toEqual(items(7));
		expect(await collectPages(recording, everything)).toEqual(items(230));
		expect(asked.slice(0, 3)).toEqual([undefined, undefined, probed ?? 1]);
		expect(asked).not.toContain(0);
	});

	test.each([30, 250])('an offset of records is an error: %d records', async (count) => {
		const all = items(count);
		const fetchPage = async (offset = 0, pageSize = 100) =>
			await Promise.resolve({ items: all.slice(offset, offset + pageSize) });
		await expect(collectPages(fetchPage, everything)).rejects.toMatchObject({
			message: 'Page 1 overlaps with the first page, so the rest of the list cannot be read',
			hint: expect.stringContaining('Parameter Names'),
		});
	});

	test('a record that left while it was found out is no offset', async () => {
		const list = changingList(250, [
			{ created: 0, removed: [] },
			{ created: 0, removed: [0] },
		]);
		const { fetchPage } = serve(list.all, 'bare');
		expect(await collectPages(fetchPage, everything)).toEqual(items(250).slice(1));
	});

	test.each([undefined, 0, 1])(
		'a first page that is shorter, as the API ignores the page size without a page, hides nothing: %s',
		async (base) => {
			const { fetchPage } = serve(() => items(230), 'bare', 100, base);
			const short = async (page?: number, pageSize?: number) => {
				const got = await fetchPage(page, pageSize);
				const all = page === undefined ? got.items.slice(0, 20) : got.items;
				return { items: all, ...(base !== undefined && { page: page ?? base }) };
			};
			expect(await collectPages(short, everything)).toEqual(items(230));
		},
	);

	test.each([0, 1])(
		'nor where it counts: the list is read again from page %s, with its number',
		async (base) => {
			const { fetchPage } = serve(() => items(130), 'envelope', 100, base);
			const short = async (page?: number, pageSize?: number) => {
				const got = await fetchPage(page, pageSize);
				return page === undefined ? { ...got, items: got.items.slice(0, 20) } : got;
			};
			expect(await collectPages(short, everything)).toEqual(items(130));
			expect(await collectPages(short, { limit: 50, paged: true })).toEqual(items(50));
		},
	);
});

test('records without IDs, an ignored page parameter and a field that changes: an error, not an endless read', async () => {
	let asked = 0;
	const fetchPage = async () => await Promise.resolve({ items: [{ asked: asked++ }] });
	await expect(collectPages(fetchPage, everything)).rejects.toThrow('The list does not end');
	expect(asked).toBeLessThan(10_020);
});

test('memory follows what passes the filters, not what is read', async () => {
	const id = (index: number) => `${'x'.repeat(500)}${index}`;
	const page = (number: number) =>
		Array.from({ length: 100 }, (_, index) => ({ id: id(100 * number + index) }));
	const fetchPage = async (number = 1) =>
		await Promise.resolve({ items: page(number), page: number, totalPages: 2_000 });
	const filters = [{ passes: () => false }];
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	collectGarbage();
	const before = process.memoryUsage().heapUsed;
	let grown = 0;
	const measuring = async (number?: number) => {
		if (number === 1_900) {
			collectGarbage();
			grown = process.memoryUsage().heapUsed - before;
		}
		return await fetchPage(number);
	};
	expect(await collectPages(measuring, { ...everything, filters })).toEqual([]);
	// All IDs together have 100 MB.
	expect(grown).toBeLessThan(20_000_000);
	expect(grown).not.toBe(0);
});

test('a page that nobody awaits any more may fail', async () => {
	const { fetchPage } = serve(() => items(500), 'envelope');
	const failing = async (page = 1, pageSize = 100) => {
		if (page > 1) throw new TypeError(`page ${page}`);
		return await fetchPage(page, pageSize);
	};
	await expect(collectPages(failing, everything)).rejects.toThrow('page 2');
	// Jest fails for a rejection that nobody handles.
	await new Promise(setImmediate);
});

test('an error of the node is not mistaken for a change of the list', async () => {
	const { fetchPage } = serve(() => items(500), 'envelope');
	let looks = 0;
	const failing = async (page = 1, pageSize = 100) => {
		if (page === 1 && ++looks === 2) throw new TypeError('x is not a function');
		return await fetchPage(page, pageSize);
	};
	await expect(collectPages(failing, everything)).rejects.toThrow('x is not a function');
});

test('if the first page cannot be checked again, the list is read page by page', async () => {
	const { fetchPage } = serve(() => items(500), 'envelope');
	let looks = 0;
	const failing = async (page = 1, pageSize = 100) => {
		if (page === 1 && ++looks === 2) throw new UserError('Busy', 'Try again.');
		return await fetchPage(page, pageSize);
	};
	expect(await collectPages(failing, everything)).toEqual(items(500));
});

describe('a record that is created during the read', () => {
	const toItems: Record<string, (index: number) => unknown> = {
		'an id': (index) => ({ id: `id-${index}`, name: 'x' }),
		'a number as its id': (index) => ({ id: index, name: 'x' }),
		'no id': (index) => ({ amount: index }),
		'an id of another kind': (index) => ({ id: { number: index } }),
		'a string in place of an object': (index) => `record ${index}`,
		'null among the records': (index) => (index === 150 ? null : { amount: index }),
	};

	test.each(Object.entries(toItems))(
		'moves one with %s to the next page, where it is known by its id',
		async (name, toItem) => {
			const before = Array.from({ length: 250 }, (_, index) => toItem(index));
			const after = [toItem(1_000), ...before];
			const fetchPage = async (page = 1, pageSize = 100) => {
				const list = page === 1 ? before : after;
				const data = list.slice((page - 1) * pageSize, page * pageSize);
				return await Promise.resolve({ items: data, page });
			};
			const hasId = name === 'an id' || name === 'a number as its id';
			// Without an id, the last of a page cannot be told from an equal record.
			const twice = [...before.slice(0, 100), ...before.slice(99, 199), ...before.slice(199)];
			expect(await collectPages(fetchPage, everything)).toEqual(hasId ? before : twice);
		},
	);
});

describe('what ends a list', () => {
	/** Pages as given; a string: the API refuses the page with this status. */
	const pagesOf = (give: (page: number, time: number) => Partial<ListPage> | string) => {
		const asked: number[] = [];
		const fetchPage = async (page = 1) => {
			asked.push(page);
			const given = give(page, asked.filter((each) => each === page).length);
			const [httpCode = '', whose] = typeof given === 'string' ? given.split(' ') : [];
			if (typeof given === 'string')
				throw new UserError('Refused', '', httpCode, { isFromApi: whose !== 'proxy' });
			return await Promise.resolve({ items: [], ...given });
		};
		return { fetchPage, asked };
	};
	const pageOf = (all: unknown[], page: number, size = 100) =>
		all.slice((page - 1) * size, page * size);
	type Give = (page: number) => Partial<ListPage> | string;
	const counted = { page: 1, pageSize: 100, totalPages: 3, totalItems: 250 };
	const numbers = (count: number) => Array.from({ length: count }, (_, amount) => ({ amount }));
	const emptyId = [{ id: '' }, ...numbers(149)];
	const twice = { items: [...items(2), ...items(1)], totalPages: 1 };
	const equal = [...numbers(100), { amount: 7 }];
	const oneId = Array.from({ length: 101 }, (_, createdAt) => ({ id: createdAt % 100, createdAt }));
	const SAME = 'The API sent the same page twice';

	/** What the API gives for each page, and the list, or the error. */
	test.each<[string, Give, unknown[] | string]>([
		...[100, 200].flatMap((count): [string, Give, unknown[]][] => [
			[
				`a 404 past the end of ${count} ends it`,
				(page) => (page > count / 100 ? '404' : { items: pageOf(items(count), page) }),
				items(count),
			],
		]),
		[
			'a 400 after a short page ends it',
			(page) => (page > 1 ? '400' : { items: items(30) }),
			items(30),
		],
		[
			'a 404 after a short page ends it',
			(page) => (page > 1 ? '404' : { items: items(30) }),
			items(30),
		],
		['an array of more than a page is all', () => ({ items: items(250) }), items(250)],
		['so it is in an envelope', () => ({ items: items(250), ...counted }), items(250)],
		[
			'and in one of one page',
			() => ({ items: items(250), ...counted, pageSize: 250, totalPages: 1 }),
			items(250),
		],
		['larger pages', (page) => ({ items: pageOf(items(450), page, 200) }), items(450)],
		[
			'not a short page whose envelope echoes the size that was asked for',
			(page) => ({ items: pageOf(items(1_000), page, 50), page, pageSize: 100 }),
			items(1_000),
		],
		[
			'not the last page of a total that counts longer pages than there are',
			(page) => ({
				...counted,
				items: pageOf(items(1_000), page, 50),
				page,
				totalPages: 10,
				totalItems: 1_000,
			}),
			items(1_000),
		],
		[
			'a short last page may hold only what was pushed onto it',
			(page) => ({ items: page === 3 ? items(200).slice(150) : pageOf(items(200), page) }),
			items(200),
		],
		[
			'a lower bound that gets smaller means nothing',
			(page) => ({ items: pageOf(items(250), page), totalItems: page === 1 ? 240 : 230 }),
			items(250),
		],
		[
			'an empty ID hides no record without one',
			(page) => ({ items: pageOf(emptyId, page) }),
			emptyId,
		],
		['an ID that comes twice on a page is two records', () => twice, twice.items],
		['equal records on two pages are two', (page) => ({ items: pageOf(equal, page) }), equal],
		['so are those of one ID and two times', (page) => ({ items: pageOf(oneId, page) }), oneId],
		['the same IDs again', () => ({ items: items(100), totalPages: 3 }), SAME],
		[
			'the same numbers as IDs',
			() => ({ items: numbers(100).map(({ amount: id }) => ({ id })), totalPages: 3 }),
			SAME,
		],
		['the same records without IDs', () => ({ items: numbers(100), totalPages: 3 }), SAME],
		[
			'the same but for the first',
			(page) => ({ items: page === 1 ? items(100) : [{ id: 'new' }, ...items(99)], totalPages: 3 }),
			SAME,
		],
		['a short page again and again', () => ({ items: items(30) }), SAME],
		['a full page again and again', () => ({ items: items(100) }), SAME],
		['two pages in turn', (page) => ({ items: pageOf(items(200), 2 - (page % 2)) }), SAME],
		[
			'another page than requested',
			(page) => ({ items: [{ id: `${page}` }], page: 1, totalPages: 2 }),
			SAME,
		],
		[
			'a page that repeats because records left',
			(page) => ({ items: items(5), pageSize: 5, totalItems: 11 - page, totalPages: 2 }),
			'Records disappeared from the list during each read',
		],
		...['500', '403', '404 proxy', '400 proxy'].map((refusal): [string, Give, string] => [
			`a ${refusal} where a page may follow`,
			(page) => (page > 1 ? refusal : { items: items(30) }),
			'Refused',
		]),
		[
			'a page that fails beyond the last one',
			(page) => (page > 2 ? '502 proxy' : { items: pageOf(items(150), page) }),
			'Refused',
		],
		[
			'a 400 after a later page that is shorter than the first ends it',
			(page) => (page > 2 ? '400' : { items: pageOf(items(80), page, 50) }),
			items(80),
		],
		[
			'a 400 after a later page as long as the first',
			(page) => (page > 2 ? '400' : { items: pageOf(items(100), page, 50) }),
			'Refused',
		],
		['a 400 after a full page', (page) => (page > 1 ? '400' : { items: items(100) }), 'Refused'],
		[
			'an empty page that is not the last one announced',
			(page) => ({ items: pageOf(items(page === 1 ? 100 : 0), page), totalPages: 3 }),
			'The API sent an empty page 2 of 3, so records may be missing',
		],
		['an empty first page of several', () => ({ items: [], totalPages: 2 }), 'empty page 1 of 2'],
		[
			'a 404 for a page that was announced',
			(page) => (page > 1 ? '404' : { items: items(100), totalPages: 3 }),
			'Refused',
		],
		[
			'a refused page before all records that the API counts were sent',
			(page) => (page > 1 ? '404' : { items: items(30), totalItems: 50 }),
			'only 30 of the 50',
		],
	])('%s', async (_name, give, expected) => {
		const read = collectPages(pagesOf(give).fetchPage, everything);
		if (typeof expected === 'string') await expect(read).rejects.toThrow(expected);
		else expect(await read).toEqual(expected);
	});

	test('not an API that refuses the page parameter itself: it refuses page 1, too', async () => {
		const fetchPage = async (page?: number) => {
			if (page !== undefined)
				throw new UserError('Refused', '', page === 1 ? '400' : '404', { isFromApi: true });
			return await Promise.resolve({ items: items(30) });
		};
		await expect(collectPages(fetchPage, everything)).rejects.toThrow('Refused');
	});

	test('a total that changed: the list is read again, though its first page is the same', async () => {
		const all = items(500);
		const { fetchPage, asked } = pagesOf((page, time) => ({
			items: all.slice((page - 1) * 100, page * 100),
			page,
			pageSize: 100,
			totalPages: 5,
			totalItems: page > 2 && time === 1 ? 501 : 500,
		}));
		await collectPages(fetchPage, everything);
		expect(asked.filter((page) => page === 2)).toHaveLength(2);
	});
});
