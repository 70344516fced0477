import { z } from 'zod';

import {
	cardId,
	createCard,
	errorAnswer,
	refused,
	startSandbox,
	type TestSandbox,
	UNKNOWN_ID,
} from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const TRANSACTION = '7a5a0000-0000-4000-8000-000000000003';

const page = z
	.object({
		data: z.array(
			z.object({ id: z.string(), cardId: z.string(), status: z.string(), createdAt: z.string() }),
		),
		totalItemCount: z.number(),
	})
	.passthrough();

const list = async (sandbox: TestSandbox, query = '') =>
	page.parse((await sandbox.api('GET', `/transactions${query}`)).body);

test('a transaction has exactly the documented fields', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
	expect(await sandbox.api('GET', `/transactions/${TRANSACTION}`)).toEqual({
		status: 200,
		body: {
			id: TRANSACTION,
			cardId: cardId(3),
			amount: '38.50',
			amountDirection: 'debit',
			currency: 'USD',
			status: 'pending',
			createdAt: '2026-03-15T05:00:00.000Z',
			merchantName: 'YELLOWLINE CABS',
		},
	});
});

test('a released transaction has an amount of zero, and no merchantName if the merchant has none', async () => {
	const sandbox = await startSandbox();
	const { body } = await sandbox.api('GET', `/transactions?status=released&cardId=${cardId(5)}`);
	expect(page.parse(body).data).toHaveLength(1);
	expect(body).toMatchObject({ data: [{ amount: '0.00' }] });
	expect(body).not.toHaveProperty('data.0.merchantName');
});

test('the list is newest first, and every item matches the filters', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
	const all = await list(sandbox);
	expect(all.totalItemCount).toBe(44);
	const times = all.data.map(({ createdAt }) => createdAt);
	expect(times).toEqual([...times].sort().reverse());

	const settled = all.data.filter((one) => one.cardId === cardId(2) && one.status === 'settled');
	expect(settled).toHaveLength(4);
	// The first moment counts, the last does not.
	const [to = '', , from = ''] = settled.map(({ createdAt }) => createdAt);
	const query = `?cardId=${cardId(2)}&status=settled&createdAfter=${from}`;
	expect((await list(sandbox, query)).data).toEqual(settled.slice(0, 3));
	expect((await list(sandbox, `${query}&createdBefore=${to}`)).data).toEqual(settled.slice(1, 3));
	expect((await list(sandbox, `?createdBefore=${to}&sort=asc`)).data).toEqual(
		[...all.data].reverse().filter(({ createdAt }) => createdAt < to),
	);
});

test.each(['status=open', 'cardId=42', 'pageSize=101', 'createdAfter=now'])(
	'%s is refused with 400',
	async (query) => {
		const sandbox = await startSandbox();
		expect(await sandbox.api('GET', `/transactions?${query}`)).toEqual(refused());
	},
);

test('an unknown id and one that is no uuid give 404 (§4.8 has no 400)', async () => {
	const sandbox = await startSandbox();
	for (const id of [UNKNOWN_ID, '42']) {
		expect(await sandbox.api('GET', `/transactions/${id}`)).toEqual(errorAnswer(404, 'not-found'));
	}
});

test('an account-scoped key sees only the transactions and settlements of its own account', async () => {
	const sandbox = await startSandbox();
	const lists = async () =>
		Promise.all(
			['/transactions', '/settlements'].map(async (path) => {
				const { body } = await sandbox.api('GET', path);
				return z.object({ data: z.array(z.object({ cardId: z.string() })) }).parse(body).data;
			}),
		);
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
	// In UTC this is in the year 10000.
	['9999-12-31T23:59:59-14:00', 0],
])(
	'a transaction at the turn of the year: createdAfter %s finds %d, createdBefore the rest',
	async (time, count) => {
		const turn = new Date('2026-01-01T00:00:00Z');
		const sandbox = await startSandbox({ now: () => turn, seed: 'none' });
		await sandbox.client.authorize({ cardId: await createCard(sandbox), amount: '1.00' });
		const filter = encodeURIComponent(time);
		const after = await list(sandbox, `?createdAfter=${filter}`);
		const before = await list(sandbox, `?createdBefore=${filter}`);
		expect([after.data.length, before.data.length]).toEqual([count, 1 - count]);
	},
);
