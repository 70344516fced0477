import { z } from 'zod/v4';

import {
	cardId,
	createCard,
	errorAnswer,
	startSandbox,
	type TestSandbox,
	UNKNOWN_ID,
} from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const start = () => startSandbox({ now: () => NOW });

const record = z.object({ id: z.string(), createdAt: z.string(), cardId: z.string().optional() });
const page = z.object({ data: z.array(record), totalItemCount: z.number() }).loose();

const list = async (sandbox: TestSandbox, path: string) =>
	page.parse((await sandbox.api('GET', path)).body);

const records = async (sandbox: TestSandbox, path: string) => (await list(sandbox, path)).data;

/** The card that a record is, or is about. */
const cardOf = ({ id, cardId: card = id }: z.infer<typeof record>) => card;

const NEWEST_CARD = {
	id: cardId(5),
	createdAt: '2026-03-10T12:00:00.000Z',
	lastFour: '6640',
	name: 'Conference tickets',
	status: 'active',
	type: 'single-use',
};
const NEWEST_SETTLEMENT = {
	id: '5e770000-0000-4000-8000-000000000009',
	transactionId: '7a5a0000-0000-4000-8000-000000000009',
	cardId: cardId(8),
	amount: '1250.00',
	amountDirection: 'debit',
	currency: 'USD',
	createdAt: '2026-03-14T20:00:00.000Z',
};

test.each([
	['/cards', 13, NEWEST_CARD],
	['/settlements', 28, NEWEST_SETTLEMENT],
])('%s: the envelope and a record have exactly their fields', async (path, count, newest) => {
	const { body } = await (await start()).api('GET', `${path}?pageSize=1`);
	const envelope = { page: 1, pageSize: 1, totalItemCountCapped: false };
	const totals = { totalItemCount: count, totalPages: count };
	expect(body).toEqual({ data: [newest], ...envelope, ...totals });
});

test.each([
	['/cards', 13, 6],
	['/transactions', 44, 17],
	['/settlements', 28, 11],
])('%s: order, pages, range of time, and what a key sees', async (path, count, ofMarketing) => {
	const sandbox = await start();
	const { data: all, ...envelope } = await list(sandbox, path);
	expect(envelope).toMatchObject({ page: 1, pageSize: 100, totalItemCount: count, totalPages: 1 });
	const times = all.map(({ createdAt }) => createdAt);
	expect(times).toEqual([...times].sort().reverse());
	const shown = (query: string) => records(sandbox, `${path}?${query}`);
	expect(await shown('sort=desc')).toEqual(all);
	expect(await shown('sort=asc')).toEqual([...all].reverse());
	const pages = await Promise.all([1, 2, 3].map((number) => shown(`pageSize=20&page=${number}`)));
	expect(pages.flat()).toEqual(all);
	expect(await shown('page=4')).toEqual([]);

	// The first moment counts, the last does not.
	const [to = '', from = ''] = [times[2], times[6]];
	const inRange = all.filter(({ createdAt }) => createdAt >= from && createdAt < to);
	expect(await shown(`createdAfter=${from}&createdBefore=${to}`)).toEqual(inRange);

	await sandbox.makeKey(1002);
	const marketing = [8, 9, 10, 11, 12, 13].map(cardId);
	const own = all.filter((each) => marketing.includes(cardOf(each)));
	expect([await list(sandbox, path), own.length]).toMatchObject([{ data: own }, ofMarketing]);
});

test.each([
	['/cards?name=ADVERTIS', [8, 13]],
	['/cards?name=%25', []],
	['/cards?status=frozen', [10, 6]],
	['/cards?status=archived&name=search', [13]],
	['/transactions?status=released', [3, 5, 4]],
	[`/transactions?cardId=${cardId(2).toUpperCase()}`, Array<number>(6).fill(2)],
	[`/settlements?cardId=${cardId(2).toUpperCase()}`, Array<number>(4).fill(2)],
])('%s finds the records of the cards %j', async (path, numbers) => {
	expect((await records(await start(), path)).map(cardOf)).toEqual(numbers.map(cardId));
});

test('an empty list still has one page', async () => {
	const sandbox = await startSandbox({ seed: 'none' });
	const empty = { data: [], totalItemCount: 0, totalPages: 1 };
	expect(await list(sandbox, '/cards')).toMatchObject(empty);
});

test('a released transaction has an amount of zero, and no merchantName if the merchant has none', async () => {
	const path = `/transactions?status=released&cardId=${cardId(5)}`;
	const { body } = await (await start()).api('GET', path);
	expect(body).toMatchObject({ data: [{ amount: '0.00' }], totalItemCount: 1 });
	expect(body).not.toHaveProperty('data.0.merchantName');
});

test.each([
	["another account's", '7a5a0000-0000-4000-8000-000000000003'],
	['an unknown', UNKNOWN_ID],
	// §4.8 has no 400.
	['no uuid as', '42'],
])('%s ID of a transaction is a 404', async (_, id) => {
	const sandbox = await startSandbox();
	await sandbox.makeKey(1002);
	expect(await sandbox.api('GET', `/transactions/${id}`)).toEqual(errorAnswer(404, 'not-found'));
});

test.each([
	// One moment in three notations.
	['2026-01-01T00:00:00Z', 1],
	['2026-01-01T14:00:00+14:00', 1],
	['2025-12-31T10:00:00-14:00', 1],
	['2025-12-31T23:59:59.999Z', 1],
	['2026-01-01T00:00:00.001Z', 0],
	['1970-01-01T00:00:00Z', 1],
	['0000-01-01T00:00:00+14:00', 1],
	['9999-12-31T23:59:59Z', 0],
])(
	'a transaction at the turn of the year: createdAfter %s finds %d, createdBefore the rest',
	async (time, count) => {
		const turn = new Date('2026-01-01T00:00:00Z');
		const sandbox = await startSandbox({ now: () => turn, seed: 'none' });
		await sandbox.client.authorize({ cardId: await createCard(sandbox), amount: '1.00' });
		const filter = encodeURIComponent(time);
		const after = await records(sandbox, `/transactions?createdAfter=${filter}`);
		const before = await records(sandbox, `/transactions?createdBefore=${filter}`);
		expect([after.length, before.length]).toEqual([count, 1 - count]);
	},
);
