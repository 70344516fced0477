import { type ListPage, readListPage } from '../../nodes/CardPlatform/api/list';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import { Ledger } from '../../nodes/CardPlatform/transport/ledger';
import { items } from '../support/pages';

// What an account says after each page, without requests. pagination.test.ts has whole reads.

const readUpTo =
	(limit: number) =>
	(...pages: (ListPage | UserError)[]) => {
		const ledger = new Ledger({ limit, paged: true });
		return pages.map((page) => {
			const verdict = page instanceof UserError ? ledger.refuse(page) : ledger.add(page);
			return verdict instanceof UserError ? verdict.message : verdict;
		});
	};
const read = readUpTo(Infinity);

/** What a check gives, or the message of its error. */
function outcomeOf<T>(check: () => T): T | string {
	try {
		return check();
	} catch (error) {
		return String(error);
	}
}

const SAME = expect.stringMatching(/^The API sent the same page twice/);
const DISAPPEARED = expect.stringContaining('Records disappeared');

/** Some of the records of a list, as one of its pages. */
const page = (from: number, to: number, more: Partial<ListPage> = {}): ListPage => ({
	items: items(to).slice(from),
	...more,
});
const counted = { totalItems: 250, totalPages: 3 };
const [one, two] = [page(0, 100, { ...counted, page: 1 }), page(100, 200, { ...counted, page: 2 })];
const [one5, two5] = [
	{ pageSize: 5, totalPages: 1 },
	{ pageSize: 5, totalPages: 2 },
];
const cap = { totalItems: 200, totalPages: 2, isCapped: true };
/** Records without an ID. */
const numbers = (from: number, to: number): ListPage => ({
	items: Array.from({ length: to - from }, (_, amount) => ({ amount: from + amount })),
});
const [few, many] = [
	{ totalItems: 9, totalPages: 2 },
	{ totalItems: 20, totalPages: 4 },
];
/** Records that were on no page before. */
const others = (count: number) =>
	Array.from({ length: count }, (_, each) => ({ id: `other-${each}` }));
const refused = (status: string) => new UserError('Refused', '', status, { isFromApi: true });

test.each<[string, string[], ReturnType<typeof read>]>([
	[
		'an exact total is reached on the last page',
		['more', 'more', 'complete'],
		read(one, two, page(200, 250, counted)),
	],
	[
		'not on one that only the number of larger pages calls the last, in a list that grew',
		['more', 'more', 'complete'],
		read(
			page(0, 7, { totalItems: 13, totalPages: 1 }),
			page(7, 14, { totalItems: 15, totalPages: 1 }),
			page(14, 15, { totalItems: 15, totalPages: 1 }),
		),
	],
	[
		'an exact total of one more than on the pages, which was added to those read already',
		['more', 'complete'],
		read(
			page(0, 5, { totalItems: 9, totalPages: 2 }),
			page(5, 9, { totalItems: 10, totalPages: 2 }),
		),
	],
	[
		'the first page may lack what the API leaves out',
		['more', 'complete'],
		read(
			page(0, 90, { totalItems: 190, totalPages: 2 }),
			page(90, 190, { totalItems: 190, totalPages: 2 }),
		),
	],
	['so is the limit', ['more', 'complete'], readUpTo(150)(one, two)],
	['no total: an empty page', ['more', 'complete'], read(page(0, 9), page(0, 0))],
	['or a 404', ['more', 'complete'], read(page(0, 100), refused('404'))],
	['not a 400', ['more', 'Refused'], read(page(0, 100), refused('400'))],
	['nor an announced page', ['more', 'Refused'], read(one, refused('404'))],
	['the total shrinks', ['more', DISAPPEARED], read(one, { ...two, totalItems: 249 })],
	[
		'it is exceeded: an empty page',
		['more', 'more', 'complete'],
		read(
			{ ...one, totalItems: 150, totalPages: 2 },
			{ ...two, totalItems: 150, totalPages: 2 },
			page(0, 0, { totalItems: 150, totalPages: 2 }),
		),
	],
	[
		'another page',
		['more', expect.stringMatching(/^The API sent page 7 in place of page 2/)],
		read(one, { ...two, page: 7 }),
	],
	[
		'an empty page, whatever its number',
		['more', 'complete'],
		read(page(0, 9), page(0, 0, { page: 1 })),
	],
	[
		'beyond the pages that were announced, the last one again, which is short',
		['more', 'more', 'complete'],
		read(page(0, 5, two5), page(5, 8, two5), page(5, 8, { ...two5, page: 2 })),
	],
	[
		'or the first one',
		['more', 'more', 'complete'],
		read(page(0, 5, two5), page(5, 8, two5), page(0, 5, two5)),
	],
	[
		'or the only one, if it is shorter than it says of pages',
		['more', 'complete'],
		read(page(0, 4, one5), page(0, 4, one5)),
	],
	['not if it is full', ['more', SAME], read(page(0, 5, one5), page(0, 5, one5))],
	[
		'nor if it is longer than a page can be',
		['more', SAME],
		read(page(0, 100, { ...one5, pageSize: 250 }), page(0, 100)),
	],
	['nor before the last one', ['more', SAME], read(page(0, 4, two5), page(0, 4, two5))],
	[
		'nor if the announced pages are a lower bound',
		['more', SAME],
		read(page(0, 4, { ...one5, isCapped: true }), page(0, 4, { ...one5, isCapped: true })),
	],
	[
		'nor with totals that are not reached',
		['more', SAME],
		read(page(0, 4, { ...one5, totalItems: 0 }), page(0, 4, one5)),
	],
	[
		'page 1 again, with one more on top',
		['more', expect.stringMatching(/^The API sent the same page twice/)],
		read(page(0, 7, { totalItems: 8, totalPages: 2 }), {
			items: [{ id: 'new' }, ...items(6)],
			totalItems: 9,
			totalPages: 2,
		}),
	],
	['a page of 100 again', ['more', SAME], read(page(0, 100), page(0, 100))],
	['page 1 again, without the totals that it had', ['more', SAME], read(one, page(0, 100))],
	[
		'a long page again, though not the first',
		['more', 'more', SAME],
		read(page(0, 250), page(250, 500), page(250, 500)),
	],
	[
		'the first long page again, though not as page 2',
		['more', 'more', SAME],
		read(page(0, 250), page(250, 500), page(0, 250)),
	],
	[
		'page 1 again, with half of its other records',
		['more', SAME],
		read(page(0, 5, few), { items: [...items(3), ...others(2)], ...few }),
	],
	[
		'not with fewer of them',
		['more', 'more'],
		read(page(0, 6, many), { items: [...items(3), ...others(3)], ...many }),
	],
	[
		'nor without its first record',
		['more', 'more'],
		read(page(0, 5, few), { items: [...items(5).slice(1), ...others(1)], ...few }),
	],
	[
		'nor without an exact total',
		['more', 'more'],
		read(page(0, 5), { items: [...items(3), ...others(2)] }),
	],
	[
		'nor after as many were added as are on a page',
		['more', 'more'],
		read(
			{ items: items(1), totalItems: 9, totalPages: 2 },
			{ items: items(1), totalItems: 10, totalPages: 2 },
		),
	],
	['a shorter page without news', ['more', 'more'], read(page(0, 5), page(2, 5))],
	['a full page without news', ['more', 'more', SAME], read(page(0, 5), page(5, 10), page(3, 8))],
	[
		'a page of numeric IDs again, of which another field changed',
		['more', SAME],
		read({ items: [{ id: 1, amount: 1 }] }, { items: [{ id: 1, amount: 2 }] }),
	],
	[
		'records without IDs are not the same',
		['more', 'complete'],
		read({ ...numbers(0, 5), ...few }, { ...numbers(5, 9), ...few }),
	],
	[
		'nor with one that is equal, in the same place',
		['more', 'complete'],
		read(
			{ items: [{ amount: 1 }, { amount: 2 }], totalItems: 4, totalPages: 2 },
			{ items: [{ amount: 3 }, { amount: 2 }], totalItems: 4, totalPages: 2 },
		),
	],
	[
		'page 1 again, without IDs',
		['more', 'more', SAME],
		read(numbers(0, 5), numbers(5, 10), numbers(0, 5)),
	],
	['an empty list', ['complete'], read(page(0, 0, { totalItems: 0, totalPages: 1 }))],
	[
		'an empty page that announces more',
		['more', expect.stringMatching(/^The API sent an empty page 2 of 5/)],
		read(page(0, 100), page(0, 0, { totalPages: 5 })),
	],
	[
		'a lower bound, and then a total',
		['more', 'more', 'complete'],
		read(page(0, 100, cap), page(100, 200, { totalItems: 200 }), page(0, 0)),
	],
	[
		'a total, and then a lower bound',
		['more', 'more', 'complete'],
		read(page(0, 100, { totalItems: 200 }), page(100, 200, cap), page(0, 0)),
	],
	[
		'page 1 again, after as many were added as are on a page',
		['more', 'more', 'more'],
		read(
			page(0, 5, { totalItems: 9, totalPages: 2 }),
			{ items: ['a', 'b', 'c', 'd'].map((id) => ({ id })), totalItems: 13, totalPages: 4 },
			page(0, 5, { totalItems: 14, totalPages: 4 }),
		),
	],
])('%s', (_name, expected, verdicts) => {
	expect(verdicts).toEqual(expected);
});

test.each<[string, ListPage, string]>([
	['a full page without a total', page(0, 100), 'there may be more that cannot be read'],
	['one of several', page(0, 30, { totalPages: 2 }), 'there may be more that cannot be read'],
	['one that says more', page(0, 30, { continues: true }), 'there may be more that cannot be read'],
	[
		'one as long as it says',
		page(0, 50, { pageSize: 50 }),
		'there may be more that cannot be read',
	],
	['a short page', page(0, 30), 'complete'],
	['more than a page', page(0, 101), 'complete'],
	['an exact total', page(0, 100, { totalItems: 100, totalPages: 1 }), 'complete'],
])('without a page parameter, the first response is all: not %s', (_name, first, expected) => {
	const verdict = new Ledger({ limit: Infinity, paged: false }).add(first);
	expect(String(verdict)).toContain(expected);
});

test.each<[string, ListPage, { isPageOne: boolean; mayMissNext: boolean }]>([
	['full, with a number and exact totals', one, { isPageOne: true, mayMissNext: false }],
	['without totals', page(0, 100, { page: 1 }), { isPageOne: false, mayMissNext: true }],
	['with a lower bound', { ...one, isCapped: true }, { isPageOne: false, mayMissNext: false }],
	['without its number', page(0, 100, counted), { isPageOne: false, mayMissNext: false }],
	['page 0', { ...one, page: 0 }, { isPageOne: false, mayMissNext: false }],
	[
		'full, with a total of nothing',
		page(0, 100, { page: 1, totalItems: 0, totalPages: 1 }),
		{ isPageOne: false, mayMissNext: false },
	],
	[
		'full, with a total of as many',
		page(0, 100, { page: 1, totalItems: 100, totalPages: 1 }),
		{ isPageOne: false, mayMissNext: false },
	],
	['short', page(0, 99, { page: 1 }), { isPageOne: false, mayMissNext: false }],
])('a first page proves itself, or its next one may be missed: %s', (_name, first, expected) => {
	const ledger = new Ledger({ limit: Infinity, paged: true });
	ledger.add(first);
	const { isPageOne, mayMissNext } = ledger;
	expect({ isPageOne, mayMissNext }).toEqual(expected);
	expect(ledger.hints).toEqual([]);
});

test.each<[string, boolean, ListPage, ListPage?]>([
	['another total', true, { ...two, totalItems: 251 }],
	['a lower bound, whatever it is', false, { ...two, totalItems: 300, isCapped: true }],
	['nor a total after one', false, { ...two, totalItems: 300 }, { ...one, isCapped: true }],
	['no total', false, page(100, 200)],
	['a record that was on page 1', true, page(99, 199, counted)],
])('what shows that the list has changed: %s: %s', (_name, expected, next, first = one) => {
	const ledger = new Ledger({ limit: Infinity, paged: true });
	ledger.add(first);
	ledger.add(next);
	expect(ledger.hasChanged).toBe(expected);
});

test.each([
	[64, true],
	[65, false],
])('a record that does not pass is known again %d pages later: %s', (later, isKnown) => {
	const ledger = new Ledger({ limit: Infinity, paged: true, filters: [{ passes: () => false }] });
	for (let each = 0; each < later; each++) ledger.add({ items: others(2 * each + 2).slice(-2) });
	ledger.add({ items: [...others(1), { id: 'new' }] });
	expect(ledger.hasChanged).toBe(isKnown);
});

describe('a step, whose pages were in flight together', () => {
	const ledger = () => {
		const begun = new Ledger({ limit: Infinity, paged: true });
		begun.add(one);
		return begun;
	};
	const steady = (...step: ListPage[]) => outcomeOf(() => ledger().checkStep(step));
	const three = page(200, 250, counted);

	test.each<[string, boolean | string, ReturnType<typeof steady>]>([
		['is steady', true, steady(two, three)],
		['is not with a record on two pages', false, steady(two, page(199, 250, counted))],
		['nor with another total', false, steady(two, { ...three, totalItems: 251 })],
		['unless the page is empty', true, steady(two, page(0, 0, { totalItems: 0, totalPages: 1 }))],
		[
			'has lost records if a total is lower',
			DISAPPEARED,
			steady({ ...two, totalItems: 249 }, three),
		],
	])('%s', (_name, expected, verdict) => {
		expect(verdict).toEqual(expected);
	});

	test.each<[string, ListPage[]]>([
		['its last total', [two, { ...three, totalItems: 251 }]],
		['its highest one', [{ ...two, totalItems: 251 }, three]],
		[
			'a total before an empty page',
			[two, { ...three, totalItems: 251 }, page(0, 0, { totalItems: 0, totalPages: 1 })],
		],
	])('then page 1 must not have less than %s', (_name, step) => {
		const begun = ledger();
		begun.checkStep(step);
		expect(outcomeOf(() => begun.checkPageOne(one))).toEqual(DISAPPEARED);
	});

	test.each<[string, boolean | string, ListPage]>([
		['the same', true, one],
		['one more on top', false, { ...one, items: [{ id: 'new' }, ...items(99)] }],
		['another total', false, { ...one, totalItems: 251 }],
		['all new', false, { ...one, items: items(300).slice(200) }],
		['its first record is gone', DISAPPEARED, page(1, 101, { ...counted, page: 1 })],
		['a lower total', DISAPPEARED, { ...one, totalItems: 249 }],
	])('page 1 again: %s', (_name, expected, again) => {
		expect(outcomeOf(() => ledger().checkPageOne(again))).toEqual(expected);
	});

	test('a list that grows has lost nothing, though some of its records have no ID', () => {
		const begun = new Ledger({ limit: Infinity, paged: true });
		const [a, b, none] = [{ id: 'a' }, { id: 'b' }, { amount: 1 }];
		begun.add({ items: [a, none, b, none] });
		expect(begun.checkPageOne({ items: [...others(2), a, none] })).toBe(false);
	});
});

const UNKNOWN = { mayContinue: true };
const CLEAR = { mayContinue: false, continues: false };
test.each<[string, number, object, Partial<ListPage>]>([
	['unknown ones, and as many records as a page may have', 20, { pages: 2 }, UNKNOWN],
	['or as another one may', 25, { pages: 2 }, UNKNOWN],
	['not as many', 33, { pages: 2 }, CLEAR],
	['nor none', 0, { pages: 2 }, CLEAR],
	['one that says no', 20, { pages: false }, CLEAR],
	['a total', 20, { total: 20 }, { ...CLEAR, otherTotal: 20 }],
	['the last page', 20, { isLast: true }, CLEAR],
	['four objects deep', 1, { a: { b: { c: { d: { next: 'x' } } } } }, { continues: true }],
	['not five', 1, { a: { b: { c: { d: { e: { next: 'x' } } } } } }, CLEAR],
])('words beside a list: %s', (_name, count, words, expected) => {
	expect(readListPage({ data: items(count), ...words })).toMatchObject(expected);
});

const CONTINUES = { continues: true };
const ENDS = { continues: false };
test.each<[string, unknown, Partial<ListPage>, string]>([
	[
		'say that there is more',
		'x',
		CONTINUES,
		'truncated isTruncated is_truncated cursor endCursor end_cursor after_cursor nextUrl next_uri next_page_token nextPageToken @odata.nextLink',
	],
	[
		'only begin or end alike',
		'x',
		ENDS,
		'wasTruncated truncatedAt precursor cursorType my_next_url nextUrls nextUrn nextPaymentId',
	],
	['deny that it is the last page', false, CONTINUES, 'isLast is_last isLastPage is_last_page'],
	['only begin or end alike, too', false, ENDS, 'wasIsLast isLastOrder'],
	[
		'count records',
		9,
		{ otherTotal: 9 },
		'count total totalItems total_item totalRecord totalRecords total_result totalResults itemCount items_count recordCount records_count resultCount resultsCount total_count',
	],
	['count other things', 9, { otherTotal: 0 }, 'subtotal accounts countOf totalItemsDue discount'],
	[
		'are never about pages',
		'x',
		{ mayContinue: false },
		'page_size error errors warning warnings requestId request_id',
	],
])('words that %s', (_what, value, expected, names) => {
	for (const name of names.split(' ')) {
		const read = readListPage({ data: items(20), [name]: value });
		expect({ name, ...read }).toMatchObject({ name, ...expected });
	}
});

test('what has no list is no page', () => {
	expect(readListPage({ items: [] })).toBeUndefined();
});

test('300,000 words beside a list, and 6,000 levels of them, can be read', () => {
	let deep: object = { next: 'x' };
	for (let level = 0; level < 6_000; level++) deep = { deep };
	expect(readListPage({ data: [], deep })?.continues).toBe(false);
	const totals = Object.fromEntries(
		Array.from({ length: 300_000 }, (_, index) => [`w${index}`, { total: index }]),
	);
	expect(readListPage({ data: [], totals })?.otherTotal).toBe(299_999);
});
