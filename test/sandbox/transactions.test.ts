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
const TRANSACTION = '7a5a0000-0000-4000-8000-000000000003';

const page = z
	.object({
		data: z.array(z.object({ id: z.string(), cardId: z.string(), createdAt: z.string() })),
		totalItemCount: z.number(),
	})
	.loose();

const list = async (sandbox: TestSandbox, path = '/transactions') =>
	page.parse((await sandbox.api('GET', path)).body);

test('a settlement has exactly the assumed fields, in the envelope of a list', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
	expect(await sandbox.api('GET', '/settlements?pageSize=1')).toEqual({
		status: 200,
		body: {
			data: [
				{
					id: '5e770000-0000-4000-8000-000000000009',
					transactionId: '7a5a0000-0000-4000-8000-000000000009',
					cardId: cardId(8),
					amount: '1250.00',
					amountDirection: 'debit',
					currency: 'USD',
					createdAt: '2026-03-14T20:00:00.000Z',
				},
			],
			page: 1,
			pageSize: 1,
			totalItemCount: 28,
			totalPages: 28,
			totalItemCountCapped: false,
		},
	});
});

test('a released transaction has an amount of zero, and no merchantName if the merchant has none', async () => {
	const sandbox = await startSandbox();
	const { body } = await sandbox.api('GET', `/transactions?status=released&cardId=${cardId(5)}`);
	expect(body).toMatchObject({ data: [{ amount: '0.00' }], totalItemCount: 1 });
	expect(body).not.toHaveProperty('data.0.merchantName');
	expect((await list(sandbox, '/transactions?status=released')).totalItemCount).toBe(3);
});

test.each([
	['/transactions', 44, 6],
	['/settlements', 28, 4],
])('%s: newest first, and every item matches the filters', async (path, count, ofCard) => {
	const sandbox = await startSandbox({ now: () => NOW });
	const all = await list(sandbox, path);
	expect(all.totalItemCount).toBe(count);
	const times = all.data.map(({ createdAt }) => createdAt);
	expect(times).toEqual([...times].sort().reverse());

	const own = all.data.filter((one) => one.cardId === cardId(2));
	expect(own).toHaveLength(ofCard);
	// The first moment counts, the last does not.
	const [to = '', , from = ''] = own.map(({ createdAt }) => createdAt);
	const query = `${path}?cardId=${cardId(2).toUpperCase()}&createdAfter=${from}`;
	expect((await list(sandbox, query)).data).toEqual(own.slice(0, 3));
	expect((await list(sandbox, `${query}&createdBefore=${to}`)).data).toEqual(own.slice(1, 3));
	expect((await list(sandbox, `${path}?createdBefore=${to}&sort=asc`)).data).toEqual(
		[...all.data].reverse().filter(({ createdAt }) => createdAt < to),
	);
});

test('an unknown id and one that is no uuid give 404 (§4.8 has no 400)', async () => {
	const sandbox = await startSandbox();
	for (const id of [UNKNOWN_ID, '42']) {
		expect(await sandbox.api('GET', `/transactions/${id}`)).toEqual(errorAnswer(404, 'not-found'));
	}
});

test('an account-scoped key sees only the transactions and settlements of its own account', async () => {
	const sandbox = await startSandbox();
	const lists = async () =>
		[await list(sandbox), await list(sandbox, '/settlements')].map(({ data }) => data);
	const all = await lists();
	await sandbox.makeKey(1002);
	const marketing = [8, 9, 10, 11, 12, 13].map(cardId);
	const own = all.map((items) => items.filter((one) => marketing.includes(one.cardId)));
	expect(own.map(({ length }) => length)).toEqual([17, 11]);
	expect(await lists()).toEqual(own);
	expect(await sandbox.api('GET', `/transactions/${TRANSACTION}`)).toEqual(
		errorAnswer(404, 'not-found'),
	);
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
		const after = await list(sandbox, `/transactions?createdAfter=${filter}`);
		const before = await list(sandbox, `/transactions?createdBefore=${filter}`);
		expect([after.data.length, before.data.length]).toEqual([count, 1 - count]);
	},
);

test('no feature gates transactions and settlements', async () => {
	const sandbox = await startSandbox();
	await sandbox.makeKey(1002);
	const off = { cardManagement: false, accountManagement: false, webhooks: false };
	await sandbox.client.setFeatures(1002, off);
	for (const path of ['/transactions', '/settlements']) {
		expect((await sandbox.api('GET', path)).status).toBe(200);
	}
});
