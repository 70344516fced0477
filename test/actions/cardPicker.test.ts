import { searchCards, useFakeClock } from '../support/execute';
import { fakeApi, refusal } from '../support/fakeApi';

useFakeClock();

test('cards sorted by name, with their last four digits, and marked if archived or frozen', async () => {
	const data = [
		{ id: 'e', name: 'Team 10', lastFour: '0001', status: 'active' },
		{ id: 'd', name: 'team 9', lastFour: '0002', status: 'frozen' },
		{ id: 'b', name: 'Lunch' },
		{ id: 'c', status: 'archived' },
		{ id: 'g', name: 'Travel', lastFour: '2222', status: 'active' },
		{ id: 'f', name: 'Travel', lastFour: '1111', status: 'archived' },
	];
	const api = fakeApi(() => ({ body: { data, page: 1, totalPages: 1 } }));
	expect(await searchCards(api)).toEqual({
		results: [
			{ name: 'c (archived)', value: 'c' },
			{ name: 'Lunch', value: 'b' },
			{ name: 'team 9 •••• 0002 (frozen)', value: 'd' },
			{ name: 'Team 10 •••• 0001', value: 'e' },
			{ name: 'Travel •••• 1111 (archived)', value: 'f' },
			{ name: 'Travel •••• 2222', value: 'g' },
		],
		paginationToken: undefined,
	});
	expect(api.requests).toMatchObject([
		{ method: 'GET', path: '/cards', query: { page: '1', pageSize: '100' } },
	]);
});

/** An API with this many cards, oldest first, of which it finds those whose name contains the search. */
function company(count: number, { withTotals = true } = {}) {
	const all = Array.from({ length: count }, (_, index) => ({
		id: `card-${index}`,
		name: `Card ${count - index}`,
		lastFour: String(index).padStart(4, '0'),
	}));
	return fakeApi(({ query: { name = '', page, pageSize } }) => {
		const found = all.filter((card) => card.name.includes(name));
		const [number, size] = [Number(page), Number(pageSize)];
		const data = found.slice((number - 1) * size, number * size);
		const totals = { totalPages: Math.ceil(found.length / size), totalItemCount: found.length };
		return { body: { data, page: number, pageSize: size, ...(withTotals && totals) } };
	});
}

const pagesOf = (api: ReturnType<typeof company>) => api.requests.map(({ query }) => query.page);

test.each([true, false])('999 cards are one list, sorted; with totals: %s', async (withTotals) => {
	const api = company(999, { withTotals });
	const { results, paginationToken } = await searchCards(api);
	const numbers = Array.from({ length: 999 }, (_, index) => index + 1);
	expect(results.map(({ name }) => name.split(' •')[0])).toEqual(
		numbers.map((number) => `Card ${number}`),
	);
	expect(paginationToken).toBeUndefined();
	expect(new Set(pagesOf(api)).size).toBe(10);
});

test.each([
	['a total', true, 1],
	['no total', false, 12],
])(
	'1,000 cards with %s are listed by page, in the order of the API',
	async (_name, withTotals, most) => {
		const api = company(1_000, { withTotals });
		const { results, paginationToken } = await searchCards(api);
		const first = Array.from({ length: 100 }, (_, index) => `card-${index}`);
		expect(results.map(({ value }) => value)).toEqual(first);
		expect(paginationToken).toBe('2');
		expect(api.requests.length).toBeLessThanOrEqual(most);

		api.requests.splice(0);
		const second = await searchCards(api, undefined, paginationToken);
		expect(second.results[0]?.value).toBe('card-100');
		expect(second.paginationToken).toBe('3');
		expect(pagesOf(api)).toEqual(['2']);
	},
);

describe('a search for four digits', () => {
	test.each(['0042', ' 0042 ', '•••• 0042', '...0042'])('%j finds the card', async (text) => {
		const { results, paginationToken } = await searchCards(company(250), text);
		expect(results).toEqual([{ name: 'Card 208 •••• 0042', value: 'card-42' }]);
		expect(paginationToken).toBeUndefined();
	});

	test('finds cards by name, too, and each once', async () => {
		const { results } = await searchCards(company(1_500), '1457');
		expect(results).toEqual([
			{ name: 'Card 43 •••• 1457', value: 'card-1457' },
			{ name: 'Card 1457 •••• 0043', value: 'card-43' },
		]);
		const data = [{ id: 'a', name: 'Trip 2026', lastFour: '2026' }];
		const both = await searchCards(
			fakeApi(() => ({ body: data })),
			'2026',
		);
		expect(both.results).toEqual([{ name: 'Trip 2026 •••• 2026', value: 'a' }]);
	});

	test.each(['042', '00042', 'Card 0042'])('%j is a search by name only', async (text) => {
		const api = company(250);
		expect((await searchCards(api, text)).results).toEqual([]);
		expect(api.requests.map(({ query }) => query.name)).toEqual([text]);
	});

	test('the next page of a search by name does not repeat a card', async () => {
		const api = company(250);
		await searchCards(api, '0042', '2');
		expect(api.requests.map(({ query }) => [query.name, query.page])).toEqual([['0042', '2']]);
	});

	test('says so if it cannot search all cards', async () => {
		const api = company(5_001);
		await expect(searchCards(api, '9999')).rejects.toMatchObject({
			message: 'No card ending in 9999 is among the first 5000 cards, and there are more',
			description: 'Search by name, or choose "By ID".',
		});
		expect(api.requests.length).toBeLessThanOrEqual(52);
		expect((await searchCards(company(4_999), '9999')).results).toEqual([]);
	});

	test('a card among those that are searched is found', async () => {
		const { results } = await searchCards(company(6_000), '4999');
		expect(results.map(({ value }) => value)).toEqual(['card-4999', 'card-1001']);
	});
});

test('the search and the page have the names set in the credential', async () => {
	const api = fakeApi(() => ({ body: [] }));
	const parameterNames = '{"page":"p","pageSize":"size","name":"q"}';
	await searchCards(api, ' Travel ', '3', { parameterNames });
	expect(api.requests[0]?.query).toEqual({ q: 'Travel', p: '3', size: '100' });
});

test('a blank search string is not sent', async () => {
	const api = fakeApi(() => ({ body: [] }));
	await searchCards(api, '  ');
	expect(api.requests[0]?.query).toEqual({ page: '1', pageSize: '100' });
});

const fullPage = Array.from({ length: 100 }, (_, index) => ({ id: `card-${index}`, name: 'x' }));

test.each([
	['the envelope says that there are more', { data: fullPage, page: 2, totalPages: 3 }, '3'],
	['the envelope says that this is all', { data: fullPage, page: 2, totalPages: 2 }, undefined],
	[
		'the total is a lower bound',
		{ data: fullPage, totalPages: 2, totalItemCountCapped: true },
		'3',
	],
	['a full page without a total', fullPage, '3'],
	['a short page without a total', fullPage.slice(1), undefined],
	['a page that is full as the API sees it', { data: fullPage.slice(50), pageSize: 50 }, '3'],
	['more than requested: the list is not paged', [...fullPage, { id: 'more' }], undefined],
	['another page than requested', { data: fullPage, page: 1, totalPages: 3 }, undefined],
	['nothing', [], undefined],
	['nothing, where more is said', { data: [], totalPages: 3 }, undefined],
])('the page after the second, where %s', async (_name, body, next) => {
	const api = fakeApi(() => ({ body }));
	expect((await searchCards(api, undefined, '2')).paginationToken).toBe(next);
});

test('one page only, where no page parameter is sent', async () => {
	const api = fakeApi(() => ({ body: fullPage }));
	const found = await searchCards(api, undefined, undefined, { parameterNames: '{"page":""}' });
	expect(found.results).toHaveLength(100);
	expect(found.paginationToken).toBeUndefined();
});

test('an error shows its reason', async () => {
	await expect(searchCards(fakeApi(() => refusal(403)))).rejects.toMatchObject({
		message: 'Some message (403 some-code)',
		description: expect.stringContaining('Card management'),
	});
});
