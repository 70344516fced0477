import type { ListPage } from '../../nodes/CardPlatform/api/list';
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
		['more', expect.stringMatching(/^Records disappeared/)],
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
])('%s', (_name, expected, verdicts) => {
	expect(verdicts).toEqual(expected);
});
