import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { listCards, searchCards, useFakeClock } from '../support/execute';
import { fakeApi, listOf, refusal } from '../support/fakeApi';

useFakeClock();

test('cards sorted by name, with their last four digits, and marked if archived or frozen', async () => {
	const data = [
		{ id: 'e', name: 'Team 10', lastFour: '0001', status: 'active' },
		{ id: 'd', name: 'team 9', lastFour: '0002', status: 'frozen' },
		{ id: 'b', name: 'Lunch' },
		{ id: 'c', status: 'archived' },
		{ id: 'g', name: 'Travel', lastFour: '2222', status: 'active' },
		{ id: 'f', name: 'Travel', lastFour: '1111', status: 'archived' },
		{ id: 'i', name: 'Travel' },
		{ id: 'h', name: 'Travel', lastFour: '3333' },
	];
	const api = fakeApi(listOf(data));
	expect(await searchCards(api)).toEqual({
		results: [
			{ name: 'c (archived)', value: 'c' },
			{ name: 'Lunch', value: 'b' },
			{ name: 'team 9 •••• 0002 (frozen)', value: 'd' },
			{ name: 'Team 10 •••• 0001', value: 'e' },
			{ name: 'Travel', value: 'i' },
			{ name: 'Travel •••• 1111 (archived)', value: 'f' },
			{ name: 'Travel •••• 2222', value: 'g' },
			{ name: 'Travel •••• 3333', value: 'h' },
		],
		paginationToken: undefined,
	});
	expect(api.requests).toMatchObject([{ method: 'GET', path: '/cards', query: {} }]);
});

test('no archived cards for Freeze and Unfreeze, which can change none', async () => {
	const data = ['active', 'frozen', 'archived', undefined].map((status) => ({
		id: String(status),
		status,
	}));
	const offered = async (operation: string) => {
		const api = fakeApi(listOf(data));
		const { results } = await searchCards(api, '', {}, { operation });
		return results.map(({ value }) => value);
	};
	for (const operation of ['freeze', 'unfreeze'])
		expect(await offered(operation)).toEqual(['active', 'frozen', 'undefined']);
	expect(await offered('get')).toEqual(['active', 'archived', 'frozen', 'undefined']);
});

/** An API with this many cards, which ignores the search. */
function company(count: number) {
	const all = Array.from({ length: count }, (_, index) => ({
		id: `card-${index}`,
		name: `Card ${count - index}`,
		lastFour: String(index).padStart(4, '0'),
	}));
	return fakeApi(listOf(all));
}

test.each([
	[999, 999],
	[1_500, 1_000],
])('of %d cards, the first %d are one list, sorted', async (count, listed) => {
	const api = company(count);
	const { results, paginationToken } = await searchCards(api);
	expect(results).toHaveLength(listed);
	const numbers = Array.from({ length: listed }, (_, index) => count - listed + 1 + index);
	expect(results.map(({ name }) => name.split(' •')[0])).toEqual(
		numbers.map((number) => `Card ${number}`),
	);
	expect(paginationToken).toBeUndefined();
	expect(new Set(api.requests.map(({ query }) => query.page ?? '1')).size).toBe(10);
});

test.each([
	['0042', ['Card 208 •••• 0042']],
	[' •••• 0042 ', ['Card 208 •••• 0042']],
	['CARD 24', ['24', '240', '241', '242', '243', '244', '245', '246', '247', '248', '249']],
	['00421', []],
	['Card 0042', []],
])('a search for %j finds what an entry shows', async (text, found) => {
	const { results } = await searchCards(company(250), text);
	const names = results.map(({ name }) => name);
	expect(names).toHaveLength(found.length);
	for (const [index, part] of found.entries()) expect(names[index]).toContain(part);
});

test.each([
	['comes once if it matches by both', '2026', { name: 'Trip 2026', lastFour: '2026' }, 1],
	['without digits is found by its name', 'pay', { name: 'Payroll' }, 1],
	['without digits is found by nothing else', 'travel', { name: 'Payroll' }, 0],
])('a card %s', async (_name, text, card, count) => {
	const api = fakeApi(listOf([{ id: 'a', ...card }]));
	expect((await searchCards(api, text)).results).toHaveLength(count);
});

test('the filters of the action node and the polling trigger list the cards, too', async () => {
	const data = [{ id: 'a', name: 'Travel', lastFour: '0042', status: 'archived' }];
	const api = fakeApi(listOf(data));
	for (const node of [new CardPlatform(), new CardPlatformPollingTrigger()])
		expect(await listCards(api, node)).toEqual([
			{ name: 'Travel •••• 0042 (archived)', value: 'a' },
		]);
});

test('the pages are asked for under the names of the credential', async () => {
	const cards = Array.from({ length: 250 }, (_, index) => ({ id: String(index) }));
	const api = fakeApi(({ query: { number = '1' } }) => listOf(cards)({ query: { page: number } }));
	const { results } = await searchCards(api, '', { parameterNames: '{"page": "number"}' });
	expect(results).toHaveLength(250);
});

test('a failed request is sent again, for 20 s', async () => {
	let waited = 0;
	const api = fakeApi(({ at }, count) => {
		waited = at;
		return count === 1 ? refusal(503) : refusal(429);
	});
	const search = expect(searchCards(api)).rejects.toThrow('refused every request for 20 s');
	await jest.runAllTimersAsync();
	await search;
	expect(waited).toBeGreaterThan(19_000);
});

test('an error shows its reason', async () => {
	await expect(searchCards(fakeApi(() => refusal(403)))).rejects.toMatchObject({
		message: 'Some message (403 some-code)',
		description: expect.stringContaining('Card management'),
	});
});
