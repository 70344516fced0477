import { createSource } from '../../nodes/CardPlatform/events/cardEvents';
import { apiOf, useFakeClock } from '../support/execute';
import { fakeApi, type Reply } from '../support/fakeApi';

useFakeClock();

const from = Date.parse('2026-11-10T00:00:00Z');
const to = from + 86_400_000;

const rowAt = (time: number) => ({
	id: String(time),
	cardId: 'card',
	createdAt: new Date(time).toISOString(),
});

/** The source of an API that always gives this, on one page. */
function sourceOf(body: Reply['body'], status = 200) {
	const api = fakeApi(({ query }) => ({
		status,
		body: query.page === undefined || query.page === '1' ? body : [],
	}));
	return { api, source: createSource(apiOf(api)) };
}

test('transactions of a range are cut exactly, also if the API ignores both of its ends', async () => {
	const day = to - from;
	const { source } = sourceOf([to + day, to, to - 1, from, from - 1, from - day].map(rowAt));
	const transactions = await source.transactions({ from, to });
	expect(transactions.map(({ createdAt }) => createdAt)).toEqual([to - 1, from]);
});

test('transactions that do not name their cards are an error, not the end of all events', async () => {
	const { source } = sourceOf([{ ...rowAt(from), cardId: undefined }]);
	await expect(source.transactions({ from, to })).rejects.toThrow('has a cardId');
});

test('a range is asked for with a second more at both ends, and without one that it does not have', async () => {
	const { api, source } = sourceOf([]);
	await source.transactions({ from, to });
	await source.transactions({ from, to: Infinity });
	const createdAfter = '2026-11-09T23:59:59.000Z';
	expect(api.requests.map(({ query }) => query)).toMatchObject([
		{ createdAfter, createdBefore: '2026-11-11T00:00:01.000Z' },
		{ createdAfter },
	]);
	expect(api.requests[1]?.query).not.toHaveProperty('createdBefore');
});

test('without an ID its content tells a transaction from others, and without a time it is at the start', async () => {
	const base = { id: null, cardId: 'card', createdAt: 'soon', status: 'pending' };
	const { source } = sourceOf([
		{ ...base, amount: '1.00' },
		{ ...base, amount: '2.00' },
		{ ...base, cardId: 5 },
	]);
	const transactions = await source.transactions({ from, to });
	expect(transactions.map(({ createdAt }) => createdAt)).toEqual([from, from]);
	expect(new Set(transactions.map(({ id }) => id)).size).toBe(2);
});

test('a card that is gone has no events; a card that is there has not lost them', async () => {
	expect(await sourceOf({ code: 'x' }, 404).source.events('a b')).toEqual([]);
	const refusing = sourceOf({ code: 'x' }, 400);
	await expect(refusing.source.events('a b')).rejects.toThrow('400 x');
	expect(refusing.api.requests).toHaveLength(1);
	const noEvents = fakeApi(({ path }) =>
		path.endsWith('/financial-events')
			? { status: 404, body: { code: 'x' } }
			: { body: { id: 'a' } },
	);
	await expect(createSource(apiOf(noEvents)).events('a')).rejects.toThrow('404 x');
	const { api, source } = sourceOf([{ id: 'e1' }]);
	expect(await source.events('a b')).toEqual([{ id: 'e1' }]);
	expect(api.requests).toMatchObject([{ path: '/cards/a%20b/financial-events', query: {} }]);
	expect(api.requests[0]?.query).toEqual({});
});

test('only the API itself says that a card is gone', async () => {
	const inFront = expect(sourceOf('<html>', 404).source.events('a')).rejects.toThrow(
		'returned 404',
	);
	await jest.runAllTimersAsync();
	await inFront;
	expect(await sourceOf({ code: 'x' }, 404).source.isGone('a')).toBe(true);
	expect(await sourceOf({ id: 'a' }).source.isGone('a')).toBe(false);
	await expect(sourceOf({ code: 'x' }, 403).source.isGone('a')).rejects.toThrow('403 x');
});

test('what breaks the contract is named', async () => {
	const { source } = sourceOf('x');
	await expect(source.transactions({ from, to })).rejects.toThrow('of a list of transactions');
	await expect(source.cards()).rejects.toThrow('of a list of cards');
	await expect(source.events('a')).rejects.toThrow('of a list of events');
	const two = sourceOf([{ id: 'a' }, { id: 'b' }]);
	expect(await two.source.cards()).toEqual(['a', 'b']);
	expect(two.api.requests[0]?.path).toBe('/cards');
});
