import { searchCards, useFakeClock } from '../../support/execute';
import { fakeApi, refusal } from '../../support/fakeApi';

useFakeClock();

test('cards with their name, last four digits and status, as far as they have them', async () => {
	const data = [
		{ id: 'a', name: 'Travel', lastFour: '1234', status: 'active' },
		{ id: 'b', name: 'Lunch' },
		{ id: 'c', status: 'frozen' },
	];
	const api = fakeApi(() => ({ body: { data, page: 1, totalPages: 1 } }));
	expect(await searchCards(api)).toEqual({
		results: [
			{ name: 'Travel •••• 1234 (active)', value: 'a' },
			{ name: 'Lunch', value: 'b' },
			{ name: 'c (frozen)', value: 'c' },
		],
		paginationToken: undefined,
	});
	expect(api.requests).toMatchObject([
		{ method: 'GET', path: '/cards', query: { page: '1', pageSize: '100' } },
	]);
});

test('the search and the page go under the names of the credential', async () => {
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
	['the envelope says that there are more', { data: fullPage, page: 1, totalPages: 3 }, '2'],
	['the envelope says that this is all', { data: fullPage, page: 1, totalPages: 1 }, undefined],
	[
		'the total is a lower bound',
		{ data: fullPage, totalPages: 1, totalItemCountCapped: true },
		'2',
	],
	['a full page without a total', fullPage, '2'],
	['a short page without a total', fullPage.slice(1), undefined],
	['a page that is full as the API sees it', { data: fullPage.slice(50), pageSize: 50 }, '2'],
	['more than requested: the list is not paged', [...fullPage, { id: 'more' }], undefined],
	['another page than requested', { data: fullPage, page: 2, totalPages: 3 }, undefined],
	['nothing', [], undefined],
	['nothing, where more is said', { data: [], totalPages: 3 }, undefined],
])('the next page, where %s', async (_name, body, next) => {
	expect((await searchCards(fakeApi(() => ({ body })))).paginationToken).toBe(next);
});

test('one page only, where no page parameter is sent', async () => {
	const api = fakeApi(() => ({ body: fullPage }));
	const found = await searchCards(api, undefined, undefined, { parameterNames: '{"page":""}' });
	expect(found.results).toHaveLength(100);
	expect(found.paginationToken).toBeUndefined();
});

test('a failure shows its reason', async () => {
	await expect(searchCards(fakeApi(() => refusal(403)))).rejects.toMatchObject({
		message: 'Some message (403 some-code)',
		description: expect.stringContaining('Card management'),
	});
});
