import { searchTransactions, useFakeClock } from '../support/execute';
import { fakeApi, listOf, refusal } from '../support/fakeApi';
import { items } from '../support/pages';

useFakeClock();

const purchase = (id: string, createdAt: string, more: object = {}) => ({
	id,
	createdAt,
	amount: '12.50',
	amountDirection: 'debit',
	currency: 'USD',
	status: 'settled',
	merchantName: 'Café',
	...more,
});

const data = [
	purchase('a', '2025-11-03T10:00:00Z', { currency: undefined }),
	// In Berlin, where the workflow is, this is the next day.
	purchase('b', '2026-11-03T23:30:00Z', { amountDirection: 'credit' }),
	purchase('c', '2026-11-05T10:00:00Z', { merchantName: undefined, status: 'declined' }),
	{ id: 'd' },
];

test('merchant, amount and day, the newest first', async () => {
	const api = fakeApi(listOf(data));
	expect(await searchTransactions(api)).toEqual({
		results: [
			{ name: 'Unknown merchant · −12.50 USD · 5 Nov · declined', value: 'c' },
			{ name: 'Café · +12.50 USD · 4 Nov', value: 'b' },
			{ name: 'Café · −12.50 · 3 Nov 2025', value: 'a' },
			{ name: 'Unknown merchant', value: 'd' },
		],
	});
	expect(api.requests).toMatchObject([{ method: 'GET', path: '/transactions' }]);
});

test.each([
	[' CAFÉ', ['b', 'a']],
	['+12.50', ['b']],
	['nov 2025', ['a']],
	['x', []],
])('a search for %j finds what an entry shows', async (text, found) => {
	const { results } = await searchTransactions(fakeApi(listOf(data)), text);
	expect(results.map(({ value }) => value)).toEqual(found);
});

test('at most ten requests, and a failure says why', async () => {
	const api = fakeApi(listOf(items(9_900)));
	expect((await searchTransactions(api)).results).toHaveLength(1_000);
	expect(new Set(api.requests.map(({ query }) => query.page ?? '1')).size).toBe(10);
	await expect(searchTransactions(fakeApi(() => refusal(403)))).rejects.toThrow('403 some-code');
});
