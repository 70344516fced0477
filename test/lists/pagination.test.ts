import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { ListPage } from '../../nodes/CardPlatform/api/list';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import * as listErrors from '../../nodes/CardPlatform/transport/listErrors';
import { collectPages } from '../../nodes/CardPlatform/transport/pagination';
import { changingList, everything, type Item, items, serve, type Shape } from '../support/pages';

const noPage = new UserError('No such page', '', '404', { isFromApi: true });

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
		if (data.length === 0) throw noPage;
		const totalPages = Math.ceil(list.length / pageSize);
		const totals = { pageSize, totalPages, totalItems: list.length };
		return await Promise.resolve({ items: data, page, ...totals });
	};
	expect(await collectPages(fetchPage, everything)).toEqual(items(150));
});

type Totals = Partial<ListPage<Item>>;

/** An API with records on pages of a size, and what it says of each page; it may ignore the page parameter. */
const pagesOf =
	(count: number, size: number, more: (page: number) => Totals, ignoresPage = false) =>
	async (page = 1): Promise<ListPage<Item>> => {
		const from = ignoresPage ? 0 : (page - 1) * size;
		return await Promise.resolve({ items: items(count).slice(from, from + size), ...more(page) });
	};
const counted = { totalItems: 230, totalPages: 3 };
const atLeast = { pageSize: 100, totalItems: 1_000, totalPages: 10, isCapped: true };

test.each<[string, ReturnType<typeof pagesOf>]>([
	['only the first page has totals', pagesOf(100, 100, (page) => (page > 1 ? {} : counted))],
	['only page 2 has a total', pagesOf(200, 100, (page) => (page === 2 ? { totalItems: 230 } : {}))],
	[
		'the first page is empty, and the total is five',
		pagesOf(0, 100, () => ({ totalItems: 5, totalPages: 1 })),
	],
	['an empty page counts 0', pagesOf(100, 100, (page) => ({ totalItems: page > 1 ? 0 : 230 }))],
	['a lower bound is not reached', pagesOf(500, 100, (page) => ({ page, ...atLeast }))],
	['the page is ignored, and there are two', pagesOf(620, 500, () => ({ totalPages: 2 }), true)],
	['the page is ignored, and full', pagesOf(620, 500, () => ({ pageSize: 500 }), true)],
	['more pages than there are', pagesOf(250, 100, () => ({ totalPages: 2 ** 31 - 1 }))],
])('a part of a list, or what may be one, is an error: %s', async (_name, fetchPage) => {
	await expect(collectPages(fetchPage, everything)).rejects.toThrow(
		/sent only|same page twice|an empty page/,
	);
});

const isEven = ({ id }: { id?: unknown }) => /[02468]$/.test(String(id));

test.each<[string, number, object]>([
	['of which only one page is requested', 3, { paged: false }],
	['of which a filter leaves out half', 1, { filters: [{ passes: isEven }] }],
])('fewer records than the API counts, %s, are an error', async (_name, totalPages, more) => {
	const fetchPage = pagesOf(100, 100, (page) => ({
		page,
		pageSize: 100,
		totalPages,
		totalItems: 230,
	}));
	const options = { ...everything, ...more };
	await expect(collectPages(fetchPage, options)).rejects.toThrow(
		'The API sent only 100 of the 230 records',
	);
	expect(await collectPages(fetchPage, { ...options, limit: 50 })).toHaveLength(50);
});

test.each<[string, ReturnType<typeof pagesOf>]>([
	['pages that are counted for another size', pagesOf(230, 50, () => ({ totalPages: 3 }))],
	['the only page that is announced', pagesOf(230, 50, () => ({ totalPages: 1 }))],
	['a total that is too low', pagesOf(230, 100, () => ({ totalPages: 2, totalItems: 150 }))],
	['a total of one page', pagesOf(230, 100, () => ({ totalPages: 3, totalItems: 100 }))],
	['one that lacks a record', pagesOf(230, 100, () => ({ totalPages: 3, totalItems: 229 }))],
])('a list goes on after %s', async (_name, fetchPage) => {
	expect(await collectPages(fetchPage, everything)).toEqual(items(230));
});

test('more records than a page can hold, each time the same, are the whole list, with a hint', async () => {
	const hints: string[] = [];
	const options = { ...everything, report: (hint: string) => hints.push(hint) };
	const same = pagesOf(620, 500, () => ({}), true);
	expect(await collectPages(same, options)).toHaveLength(500);
	expect(hints).toEqual([expect.stringContaining('the same 500 records for each page')]);
});

test.each([
	['four that match: at most twice as many pages as are needed', 4, 2, 8],
	['all that match: as fast as all records', Infinity, 49, 50],
])('%s, in a list that is filtered', async (_name, limit, inFlight, lastPage) => {
	const { fetchPage, asked, mostInFlight } = serve(() => items(5_000), 'envelope');
	const passes = ({ id }: { id?: unknown }) => /^id-(0|\d+00)$/.test(String(id));
	await collectPages(fetchPage, { ...everything, filters: [{ passes }], limit });
	expect(mostInFlight()).toBe(inFlight);
	expect(Math.max(...asked)).toBeLessThanOrEqual(lastPage);
});

test('no page beyond an exact total is requested, the first page is checked again, and at most 64 pages are in flight', async () => {
	const { fetchPage, asked, mostInFlight } = serve(() => items(8_000), 'envelope');
	await collectPages(fetchPage, everything);
	expect(asked).toEqual([...Array.from({ length: 80 }, (_, index) => index + 1), 1]);
	expect(mostInFlight()).toBe(64);
});

test('so it is if the API puts fewer records on a page: then page 1 is compared with the first one', async () => {
	const { fetchPage, asked } = serve(() => items(230), 'envelope', 50);
	await collectPages(fetchPage, everything);
	expect(asked).toEqual([1, 1, 2, 3, 4, 5, 1]);
});

test.each([20_000_000, 2 ** 31 - 1, 1e300])(
	'a total of %d pages costs nothing',
	async (totalPages) => {
		const { fetchPage, asked } = serve(() => items(250), 'bare');
		const boastful = async (page?: number) => ({ ...(await fetchPage(page)), totalPages });
		await expect(collectPages(boastful, everything)).rejects.toThrow('an empty page 4 of');
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

// A list of several pages would then end with its first one.
test('no advice turns off pages, unless Test API says that the API has none', () => {
	const errors = Object.values(listErrors).map((make) => make(1, 2));
	const hints = errors.map((error) => (error instanceof UserError ? error.hint : error));
	const off = hints.filter((hint) => hint.includes('{"page": ""}'));
	expect(off).toHaveLength(1);
	expect(off[0]).toMatch(
		/If Connection: Test API says that .* to one page.*, and set {"page": ""}\.$/,
	);
});

describe('page 1 is the first page', () => {
	const NOT_FIRST = {
		message: 'Page 1 is not the first page, so the rest of the list cannot be read',
		hint: expect.stringContaining('Parameter Names'),
	};

	test.each<Shape>(['envelope', 'capped', 'bare'])(
		'of an API that counts from 0, only the first page can be read: %s',
		async (shape) => {
			const { fetchPage } = serve(() => items(230), shape, 100, 0);
			expect(await collectPages(fetchPage, { ...everything, limit: 7 })).toEqual(items(7));
			await expect(collectPages(fetchPage, everything)).rejects.toMatchObject(NOT_FIRST);
			const some = { ...everything, limit: 150 };
			await expect(collectPages(fetchPage, some)).rejects.toMatchObject(NOT_FIRST);
		},
	);

	test.each([30, 250])('an offset of records is an error: %d records', async (count) => {
		const all = items(count);
		const fetchPage = async (offset = 0) =>
			await Promise.resolve({ items: all.slice(offset, offset + 100) });
		await expect(collectPages(fetchPage, everything)).rejects.toMatchObject(NOT_FIRST);
	});

	test('if the API has no page 1, it counts from 0', async () => {
		const only = async (page?: number) => {
			if (page === 1) throw noPage;
			return await Promise.resolve({ items: items(20) });
		};
		await expect(collectPages(only, everything)).rejects.toMatchObject(NOT_FIRST);
	});

	test('if it is refused, the page parameter has another name', async () => {
		const failing = async (page?: number) => {
			if (page === 1) throw new UserError('Unknown', '', '400', { isFromApi: true });
			return await Promise.resolve({ items: items(20) });
		};
		await expect(collectPages(failing, everything)).rejects.toThrow('Unknown');
	});

	test.each([0, 5])('record %d that left while it was found out is no offset', async (left) => {
		const list = changingList(250, [
			{ created: 0, removed: [] },
			{ created: 0, removed: [left] },
		]);
		const { fetchPage } = serve(list.all, 'bare');
		expect(await collectPages(fetchPage, everything)).toEqual(items(250).toSpliced(left, 1));
	});

	test('a first page that is shorter, as the page size needs a number, is read again with its number', async () => {
		const { fetchPage } = serve(() => items(130), 'bare');
		const short = async (page?: number) => {
			const { items: all } = await fetchPage(page);
			return { items: page === undefined ? all.slice(0, 20) : all };
		};
		expect(await collectPages(short, everything)).toEqual(items(130));
	});

	test('small pages of which both say their size are read once', async () => {
		const { fetchPage, asked } = serve(() => items(130), 'envelope', 20);
		expect(await collectPages(fetchPage, { limit: 50, paged: true })).toEqual(items(50));
		expect(asked.filter((page) => page === 2)).toHaveLength(1);
	});
});

test('records without IDs, an ignored page parameter and a field that changes: an error, not an endless read', async () => {
	let asked = 0;
	const fetchPage = async () => await Promise.resolve({ items: [{ asked: asked++ }] });
	await expect(collectPages(fetchPage, everything)).rejects.toThrow('Page 1 is not the first page');
	expect(asked).toBe(4);
	const later = async (page = 1) =>
		await Promise.resolve({ items: [{ asked: page > 1 && asked++ }] });
	await expect(collectPages(later, everything)).rejects.toThrow('The list does not end');
	expect(asked).toBeLessThan(10_020);
});

test('a record that passes is listed once, though it comes again 69 pages later', async () => {
	const all = [...items(699), ...items(1)];
	const fetchPage = async (page = 1) =>
		await Promise.resolve({ items: all.slice((page - 1) * 10, page * 10) });
	const filters = [{ passes: () => true }];
	expect(await collectPages(fetchPage, { ...everything, filters })).toEqual(items(699));
});

test('memory follows what passes the filters, not what is read', async () => {
	const id = (index: number) => `${'x'.repeat(500)}${index}`;
	const page = (number: number) =>
		Array.from({ length: 100 }, (_, index) => ({ id: id(100 * number + index) }));
	const fetchPage = async (number = 1) =>
		await Promise.resolve({
			items: page(number),
			page: number,
			totalPages: 2_000,
			totalItems: 200_000,
		});
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
		'moves one with %s to the next page, where it is known again',
		async (_name, toItem) => {
			const before = Array.from({ length: 250 }, (_, index) => toItem(index));
			const after = [toItem(1_000), ...before];
			const fetchPage = async (page = 1, pageSize = 100) => {
				const list = page === 1 ? before : after;
				const data = list.slice((page - 1) * pageSize, page * pageSize);
				return await Promise.resolve({ items: data, page });
			};
			expect(await collectPages(fetchPage, everything)).toEqual(before);
		},
	);
});

describe('a list that changes while it is read', () => {
	/** A list with exact totals, changed before the requests with these numbers. */
	const changing = (count: number, changes: Map<number, (all: Item[]) => Item[]>) => {
		let all = items(count);
		let requests = 0;
		return serve(() => (all = changes.get(requests++)?.(all) ?? all), 'envelope');
	};
	const grow = (count: number) => (all: Item[]) => [
		...Array.from({ length: count }, (_, index) => ({ id: `new-${all.length + index}` })),
		...all,
	];
	const swap = (all: Item[]) => [...all.slice(1), { id: `new-${all[0]?.id ?? ''}` }];
	const known = (found: Item[]) => found.filter(({ id }) => id.startsWith('id-'));

	test('is read again with many pages in flight, and only the step that changed once more', async () => {
		// The second addition comes in the second step of the second read.
		const changes = new Map([20, 100].map((request) => [request, grow(1)]));
		const { fetchPage, asked } = changing(20_000, changes);
		let [reads, inFlight, most] = [0, 0, 0];
		const counting = async (page?: number) => {
			if (page === undefined) reads++;
			inFlight++;
			if (reads > 1) most = Math.max(most, inFlight);
			return await fetchPage(page).finally(() => inFlight--);
		};
		expect(known(await collectPages(counting, everything))).toEqual(items(20_000));
		expect(most).toBe(64);
		// Those in flight at the first change, all of them again, a step once more, and page 1 after each.
		expect(asked.length).toBeLessThan(84 + 200 + 64 + 30);
		// In the first read, and twice in that step: then page 1 is known as it was after the change.
		expect(asked.filter((page) => page === 34)).toHaveLength(3);
		// The first page of both reads, and page 1 after each of the second one's six steps.
		expect(asked.filter((page) => page === 1)).toHaveLength(2 + 6);
	});

	test('may grow by a page between two pages: what comes again is no news', async () => {
		const { fetchPage } = changing(
			250,
			new Map([
				[1, grow(1)],
				[5, grow(100)],
			]),
		);
		expect(known(await collectPages(fetchPage, everything))).toEqual(items(250));
	});

	test('loses its first record, and gets another one, before its only other page is read again: an error', async () => {
		const { fetchPage, asked } = changing(
			150,
			new Map([
				[1, (all: Item[]) => all.slice(0, -1)],
				[3, swap],
			]),
		);
		await expect(collectPages(fetchPage, everything)).rejects.toThrow('Records disappeared');
		expect(asked).toEqual([1, 2, 1, 2, 1]);
	});

	test('loses its first record, and gets another one before the next request: an error', async () => {
		const swaps = new Map(Array.from({ length: 30 }, (_, index) => [index + 1, swap]));
		const { fetchPage } = changing(250, swaps);
		await expect(collectPages(fetchPage, everything)).rejects.toThrow('Records disappeared');
	});
});

test.each<[string, (page: number) => Partial<ListPage> | undefined]>([
	['empty', () => ({ items: [] })],
	['a 404', () => undefined],
])(
	'a page in the middle of a list without totals that is once %s is asked for again',
	async (_name, give) => {
		const { fetchPage } = serve(() => items(1_150), 'bare');
		let isGiven = false;
		const once = async (page?: number) => {
			if (page !== 5 || isGiven) return await fetchPage(page);
			isGiven = true;
			const given = give(page);
			if (given === undefined) throw noPage;
			return { items: [], ...given };
		};
		expect(await collectPages(once, everything)).toEqual(items(1_150));
	},
);

describe('what ends a list', () => {
	type Page = Partial<ListPage>;
	/** What the API gives for a page; a string: it refuses it with this status, or a proxy does. */
	type Give = (page: number) => Page | string;

	const read =
		(give: Give) =>
		async (page = 1) => {
			const given = give(page);
			if (typeof given !== 'string') return await Promise.resolve({ items: [], ...given });
			const [httpCode, whose] = given.split(' ');
			throw new UserError('Refused', '', httpCode, { isFromApi: whose !== 'proxy' });
		};
	/** The pages of a list; `more` is what each says. */
	const pages =
		(all: unknown[], size = 100, more: Page = {}) =>
		(page: number): Page => ({ items: all.slice((page - 1) * size, page * size), ...more });
	/** The same, with the number of the page. */
	const numbered =
		(all: unknown[], size: number, more: Page) =>
		(page: number): Page => ({ ...pages(all, size, more)(page), page });
	/** The same, with lower bounds that count the records up to the page. */
	const soFar = (all: unknown[]) => (page: number) => {
		const totalItems = Math.min(all.length, page * 100);
		const totalPages = Math.ceil(totalItems / 100);
		return { ...pages(all)(page), totalItems, totalPages, isCapped: true };
	};
	/** One page, and something else for each later one. */
	const after =
		(first: Page, later: Page | string): Give =>
		(page) =>
			page > 1 ? later : first;
	const upTo =
		(last: number, give: Give, refusal: string): Give =>
		(page) =>
			page > last ? refusal : give(page);

	const numbers = (count: number) => Array.from({ length: count }, (_, amount) => ({ amount }));
	const [some, full] = [{ items: items(30) }, { items: items(100) }];
	const three = { totalPages: 3 };
	const envelope = { page: 1, pageSize: 100, totalPages: 3, totalItems: 250 };
	const onePage = { ...envelope, items: items(250), pageSize: 250, totalPages: 1 };
	const ten = { pageSize: 100, totalPages: 10, totalItems: 1_000 };
	const emptyId = [{ id: '' }, ...numbers(149)];
	const twice = { items: [...items(2), ...items(1)], totalPages: 1, totalItems: 3 };
	const equal = [...numbers(100), { amount: 7 }];
	const oneId = Array.from({ length: 101 }, (_, createdAt) => ({ id: createdAt % 100, createdAt }));
	const pushed = { items: items(200).slice(150) };
	const almost = { items: [{ id: 'new' }, ...items(99)], ...three };
	const capped = { totalItems: 200, totalPages: 2, isCapped: true };
	const AT_CAP = 'The list ends after';
	const SAME = 'The API sent the same page twice';
	const LEFT = 'Records disappeared from the list during each read';
	const EMPTY = 'The API sent an empty page 2 of 3, so records may be missing';

	/** What the API gives for each page, and the list, or the error. */
	test.each<[string, Give, unknown[] | string]>([
		['a 404 past the end of 100', upTo(1, pages(items(100)), '404'), items(100)],
		['a 404 past the end of 200', upTo(2, pages(items(200)), '404'), items(200)],
		['a 404 after a short page', after(some, '404'), items(30)],
		['a 400 after a short page', after(some, '400'), items(30)],
		['a 400 after a shorter later page', upTo(2, pages(items(80), 50), '400'), items(80)],
		['an array of more than a page is all', () => ({ items: items(250) }), items(250)],
		['so it is in an envelope', () => ({ items: items(250), ...envelope }), items(250)],
		['and in one of one page', () => onePage, items(250)],
		['not if it is not the first', (page) => pages(items(150))(Math.min(page, 2)), SAME],
		['nor if it says more', () => ({ items: items(250), continues: true }), SAME],
		['larger pages', pages(items(450), 200), items(450)],
		[
			'a page size that is only an echo',
			numbered(items(1_000), 50, { pageSize: 100 }),
			items(1_000),
		],
		['a total that counts longer pages', numbered(items(1_000), 50, ten), items(1_000)],
		[
			'what was pushed onto page 3',
			(page) => (page === 3 ? pushed : pages(items(200))(page)),
			items(200),
		],
		[
			'a lower bound that gets smaller',
			(page) => ({ ...pages(items(250))(page), totalItems: page === 1 ? 240 : 230 }),
			items(250),
		],
		['an empty ID hides no record without one', pages(emptyId), emptyId],
		['an ID that comes twice on a page is two records', () => twice, twice.items],
		['equal records on two pages are two', pages(equal), equal],
		['so are those of one ID and two times', pages(oneId), oneId],
		['the same IDs but for the first', after({ ...full, ...three }, almost), SAME],
		['two pages in turn', (page) => pages(items(200))(2 - (page % 2)), SAME],
		[
			'a page that repeats because records left',
			(page) => ({ items: items(5), pageSize: 5, totalItems: 11 - page, totalPages: 2 }),
			LEFT,
		],
		...['500', '403', '404 proxy', '400 proxy'].map((refusal): [string, Give, string] => [
			`a ${refusal} where a page may follow`,
			after(some, refusal),
			'Refused',
		]),
		['a page that fails beyond the last', upTo(2, pages(items(150)), '502 proxy'), 'Refused'],
		['a 400 after an equally long page', upTo(2, pages(items(100), 50), '400'), 'Refused'],
		['an empty page before the last', after({ ...full, ...three }, three), EMPTY],
		['an empty first page of several', () => ({ items: [], totalPages: 2 }), 'empty page 1 of 2'],
		['a 404 for a page that was announced', after({ ...full, ...three }, '404'), 'Refused'],
		['a 404 before the total', after({ ...some, totalItems: 50 }, '404'), 'only 30 of the 50'],
		['an empty page where counting stops', pages(items(200), 100, capped), AT_CAP],
		[
			'one without totals',
			(page) => (page > 2 ? {} : pages(items(200), 100, capped)(page)),
			AT_CAP,
		],
		['a 404 there', upTo(2, pages(items(200), 100, capped), '404'), AT_CAP],
		[
			'not after one page, which may be all',
			pages(items(100), 100, { totalItems: 100, isCapped: true }),
			items(100),
		],
		[
			'a 400 after a short page is the end there, too',
			upTo(2, pages(items(80), 50, { totalItems: 80, isCapped: true }), '400'),
			items(80),
		],
		['a short page there', pages(items(30), 100, { totalItems: 30, isCapped: true }), items(30)],
		[
			'pages of the size that it says',
			pages(items(100), 50, { totalItems: 100, pageSize: 50, isCapped: true }),
			AT_CAP,
		],
		['a lower bound of what was sent so far', soFar(items(250)), items(250)],
		['so it is if all pages are full', soFar(items(300)), items(300)],
		[
			'so it is if an empty page counts itself',
			(page) => ({ ...soFar(items(250))(page), totalPages: page }),
			items(250),
		],
		[
			'a list that grows through the number where counting stops',
			(page) => ({
				...pages(items(200))(page),
				totalItems: 199 + (page > 1 ? 1 : 0),
				totalPages: 2,
				isCapped: page > 1,
			}),
			items(200),
		],
		['no end there', pages(items(250), 100, capped), items(250)],
		['an empty page before one that was announced', after({ ...full, ...three }, {}), EMPTY],
		['one that says 1 page', after({ ...full, ...three }, { totalPages: 1 }), EMPTY],
		[
			'so for a 404',
			upTo(2, (page) => (page > 1 ? some : { ...full, ...three }), '404'),
			'Refused',
		],
		['an end with a next page', after(full, { continues: true }), 'says that it has more'],
		['a 404 with one', after({ ...full, continues: true }, '404'), 'says that it has more'],
		['not a next page that is empty', after({ ...full, continues: true }, {}), items(100)],
		['more in other words', after(full, { otherTotal: 230 }), 'only 100 of the 230'],
		['as many in other words', after(full, { otherTotal: 100 }), items(100)],
	])('%s', async (_name, give, expected) => {
		const list = collectPages(read(give), everything);
		if (typeof expected === 'string') await expect(list).rejects.toThrow(expected);
		else expect(await list).toEqual(expected);
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
		const asked: number[] = [];
		const fetchPage = async (page = 1) => {
			const isChanged = page > 2 && !asked.includes(page);
			asked.push(page);
			const totalItems = isChanged ? 501 : 500;
			const said = { pageSize: 100, totalPages: 5, totalItems };
			return await Promise.resolve({ items: [], ...numbered(items(500), 100, said)(page) });
		};
		await collectPages(fetchPage, everything);
		expect(asked.filter((page) => page === 2)).toHaveLength(2);
	});
});
