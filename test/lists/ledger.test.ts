import { type ListPage, readListPage } from '../../nodes/CardPlatform/api/list';
import { UserError } from '../../nodes/CardPlatform/api/userError';
import { Ledger } from '../../nodes/CardPlatform/transport/ledger';
import { items } from '../support/pages';

// What an account says after each page, without requests. pagination.test.ts has whole reads.

const verdictsOf = (limit: number, ...pages: (ListPage | UserError)[]) => {
	const ledger = new Ledger({ limit, paged: true });
	return pages.map((page) => {
		const verdict = page instanceof UserError ? ledger.refuse(page) : ledger.add(page);
		return verdict instanceof UserError ? verdict.message : verdict;
	});
};

/** What a check gives, or the message of its error. */
function outcomeOf<T>(check: () => T): T | string {
	try {
		return check();
	} catch (error) {
		return String(error);
	}
}

const DISAPPEARED = expect.stringContaining('Records disappeared');

/** Some of the records of a list, as one of its pages. */
const page = (from: number, to: number, more: Partial<ListPage> = {}): ListPage => ({
	items: items(to).slice(from),
	...more,
});
const counted = { totalItems: 250, totalPages: 3 };
const [one, two] = [page(0, 100, { ...counted, page: 1 }), page(100, 200, { ...counted, page: 2 })];
const refused = (status: string) => new UserError('Refused', '', status, { isFromApi: true });

test.each<[string, string[], ReturnType<typeof verdictsOf>]>([
	[
		'an exact total is reached on the last page',
		['more', 'more', 'complete'],
		verdictsOf(Infinity, one, two, page(200, 250, counted)),
	],
	['so is the limit', ['more', 'complete'], verdictsOf(150, one, two)],
	['no total: an empty page', ['more', 'complete'], verdictsOf(Infinity, page(0, 9), page(0, 0))],
	['or a 404', ['more', 'complete'], verdictsOf(Infinity, page(0, 100), refused('404'))],
	['not a 400', ['more', 'Refused'], verdictsOf(Infinity, page(0, 100), refused('400'))],
	['nor an announced page', ['more', 'Refused'], verdictsOf(Infinity, one, refused('404'))],
	[
		'the total shrinks',
		['more', DISAPPEARED],
		verdictsOf(Infinity, one, { ...two, totalItems: 249 }),
	],
	[
		'it is exceeded: an empty page',
		['more', 'more', 'complete'],
		verdictsOf(
			Infinity,
			{ ...one, totalItems: 150, totalPages: 2 },
			{ ...two, totalItems: 150, totalPages: 2 },
			page(0, 0, { totalItems: 150, totalPages: 2 }),
		),
	],
	[
		'another page',
		['more', expect.stringMatching(/^The API sent page 7 in place of page 2/)],
		verdictsOf(Infinity, one, { ...two, page: 7 }),
	],
	[
		'page 1 again, with one more on top',
		['more', expect.stringMatching(/^The API sent the same page twice/)],
		verdictsOf(Infinity, page(0, 7, { totalItems: 8, totalPages: 2 }), {
			items: [{ id: 'new' }, ...items(6)],
			totalItems: 9,
			totalPages: 2,
		}),
	],
	[
		'page 1 again, after as many were added as are on a page',
		['more', 'more', 'more'],
		verdictsOf(
			Infinity,
			page(0, 5, { totalItems: 9, totalPages: 2 }),
			{ items: ['a', 'b', 'c', 'd'].map((id) => ({ id })), totalItems: 13, totalPages: 4 },
			page(0, 5, { totalItems: 14, totalPages: 4 }),
		),
	],
])('%s', (_name, expected, verdicts) => {
	expect(verdicts).toEqual(expected);
});

describe('a step, whose pages were in flight together', () => {
	const ledger = () => {
		const begun = new Ledger({ limit: Infinity, paged: true });
		begun.add(one);
		return begun;
	};
	const steady = (...step: ListPage[]) => outcomeOf(() => ledger().checkSteady(step));
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
