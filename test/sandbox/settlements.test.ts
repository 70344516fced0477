import { z } from 'zod';

import { cardId, startSandbox, type TestSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const start = () => startSandbox({ now: () => NOW });

const page = z
	.object({
		data: z.array(z.object({ id: z.string(), cardId: z.string(), createdAt: z.string() })),
		totalItemCount: z.number(),
	})
	.passthrough();

const list = async (sandbox: TestSandbox, query = '') =>
	page.parse((await sandbox.api('GET', `/settlements${query}`)).body);

test('the envelope and an item have exactly the assumed fields, newest first', async () => {
	const sandbox = await start();
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
	const times = (await list(sandbox)).data.map(({ createdAt }) => createdAt);
	expect(times).toEqual([...times].sort().reverse());
});

test('every item matches the filters', async () => {
	const sandbox = await start();
	const all = (await list(sandbox)).data;
	const [from, to] = ['2026-03-01T00:00:00.000Z', '2026-03-10T00:00:00.000Z'];
	const query = `?cardId=${cardId(3).toUpperCase()}&createdAfter=${from}&createdBefore=${to}&sort=asc`;
	const some = (await list(sandbox, query)).data;
	expect(some).toEqual(
		[...all]
			.reverse()
			.filter((one) => one.cardId === cardId(3) && one.createdAt >= from && one.createdAt < to),
	);
	expect(some.length).toBeGreaterThan(0);
});

test('no feature gates settlements', async () => {
	const sandbox = await start();
	await sandbox.makeKey(1002);
	await sandbox.client.setFeatures(1002, {
		cardManagement: false,
		accountManagement: false,
		webhooks: false,
	});
	expect((await sandbox.api('GET', '/settlements')).status).toBe(200);
});
