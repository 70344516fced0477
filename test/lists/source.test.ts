import { UserError } from '../../nodes/CardPlatform/api/userError';
import { createSource } from '../../nodes/CardPlatform/cardEvents/source';
import { apiOf, useFakeClock } from '../support/execute';
import { fakeApi, type Reply } from '../support/fakeApi';

useFakeClock();

const DAY = 86_400_000;
const from = Date.parse('2026-11-10T00:00:00Z');
const to = from + DAY;

const rowAt = (time: number) => ({
	id: String(time),
	cardId: 'card',
	createdAt: new Date(time).toISOString(),
});

/** The source of an API that gives this as its only page. */
function sourceOf(body: Reply['body'], status = 200) {
	const api = fakeApi(({ query }) => ({ status, body: Number(query.page ?? 1) > 1 ? [] : body }));
	return { api, source: createSource(apiOf(api)) };
}

test('transactions of a range have both of its ends', async () => {
	const { source } = sourceOf([to + 1, to, from, from - 1].map(rowAt));
	const { transactions } = await source.transactions({ from, to }, 10);
	expect(transactions.map(({ createdAt }) => createdAt)).toEqual([to, from]);
});

test.each([
	[2, true],
	[3, false],
])('%d rows with a limit of 2: complete %p', async (count, isComplete) => {
	const rows = Array.from({ length: count }, (_, index) => rowAt(from + index));
	expect(await sourceOf(rows).source.transactions({ from, to }, 2)).toMatchObject({ isComplete });
});

test('an API that ignores the end of a range shows it by a transaction more than a day later', async () => {
	const ofRange = async (...times: number[]) =>
		(await sourceOf(times.map(rowAt)).source.transactions({ from, to }, 10)).ignoresEnd;
	expect(await ofRange(to + DAY, from)).toBe(false);
	expect(await ofRange(to + DAY + 1, from)).toBe(true);
	expect((await sourceOf([rowAt(to)]).source.transactions({ from }, 10)).ignoresEnd).toBe(false);
});

test('an API that ignores the start of a range shows it by a transaction more than a day earlier', async () => {
	const { source } = sourceOf([rowAt(from - DAY)]);
	expect((await source.transactions({ from }, 10)).transactions).toEqual([]);
	await expect(sourceOf([rowAt(from - DAY - 1)]).source.transactions({ from }, 10)).rejects.toThrow(
		'it does not know the parameter createdAfter',
	);
});

test('a range is asked for with a second more at both ends, and without one that it does not have', async () => {
	const { api, source } = sourceOf([]);
	await source.transactions({ from, to }, 10);
	await source.transactions({ from }, 10);
	const createdAfter = '2026-11-09T23:59:59.000Z';
	expect(api.requests.map(({ query }) => query)).toEqual([
		{ createdAfter, createdBefore: '2026-11-11T00:00:01.000Z', page: '1', pageSize: '11' },
		{ createdAfter, page: '1', pageSize: '11' },
	]);
});

test('without an ID its content tells a transaction from others, and without a time it is at the start', async () => {
	const base = { id: null, cardId: 'card', createdAt: 'soon', status: 'pending' };
	const { source } = sourceOf([
		{ ...base, amount: '1.00' },
		{ ...base, amount: '2.00' },
		{ ...base, cardId: 5 },
	]);
	const { transactions } = await source.transactions({ from, to }, 10);
	expect(transactions.map(({ createdAt }) => createdAt)).toEqual([from, from]);
	expect(new Set(transactions.map(({ id }) => id)).size).toBe(2);
});

test('a card that is gone has no events; another failure is one', async () => {
	expect(await sourceOf({ code: 'x' }, 404).source.events('a b')).toEqual([]);
	await expect(sourceOf({ code: 'x' }, 400).source.events('a b')).rejects.toThrow('400 x');
	const { api, source } = sourceOf([{ id: 'e1' }]);
	expect(await source.events('a b')).toEqual([{ id: 'e1' }]);
	expect(api.requests).toMatchObject([{ path: '/cards/a%20b/financial-events', query: {} }]);
	expect(api.requests[0]?.query).toEqual({});
});

test('what breaks the contract is named', async () => {
	const { source } = sourceOf('x');
	await expect(source.transactions({ from }, 10)).rejects.toThrow('of a list of transactions');
	await expect(source.cards()).rejects.toThrow('of a list of cards');
	await expect(source.events('a')).rejects.toThrow('of a list of events');
	expect(await sourceOf([{ id: 'a' }, { id: 'b' }]).source.cards()).toEqual(['a', 'b']);
});

test.each<[unknown, boolean, boolean]>([
	[new UserError('', '', '429'), true, false],
	[new UserError('', '', '500'), false, true],
	[new UserError('', '', '599'), false, true],
	[new UserError('', '', '450'), false, false],
	[new UserError('', ''), false, false],
	[new Error('429 500'), false, false],
])('case %#: a rate limit or a failure of the server', (error, isRateLimit, isServerError) => {
	const { source } = sourceOf([]);
	expect(source.isRateLimit(error)).toBe(isRateLimit);
	expect(source.isServerError(error)).toBe(isServerError);
});
