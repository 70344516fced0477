import { z } from 'zod/v4';

import type { CardEvent } from '../../dev/harness/sandboxClient.ts';
import { cardId, startSandbox, type TestSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-31T12:00:00Z');

const cards = z.object({
	data: z.array(z.object({ id: z.string(), status: z.string(), type: z.string() })),
});
const card = z.object({ category: z.string().optional(), balance: z.string().optional() });
const list = z.object({ data: z.array(z.unknown()) });

const everyCard = async (sandbox: TestSandbox) => {
	const { data } = cards.parse((await sandbox.api('GET', '/cards')).body);
	return Promise.all(
		data.map(async ({ id }) => card.parse((await sandbox.api('GET', `/cards/${id}`)).body)),
	);
};

test('no seeded card is over its limit, even at the end of a month', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
	const all = await everyCard(sandbox);
	expect(all.filter(({ balance }) => balance === undefined)).toHaveLength(4);
	expect(all.filter(({ balance }) => balance?.startsWith('-'))).toEqual([]);
	expect(all.filter(({ category }) => category !== undefined)).toHaveLength(1);
});

test('an event of the seed matches its transaction', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
	const { body } = await sandbox.api('GET', `/cards/${cardId(2)}/financial-events`);
	const { data } = body as { data: CardEvent[] };
	expect(data).not.toEqual([]);
	for (const { transactionId, cardId: card, createdAt, isSuccess, issues } of data) {
		const { body: transaction } = await sandbox.api('GET', `/transactions/${transactionId}`);
		const status: unknown = isSuccess ? expect.not.stringMatching('declined') : 'declined';
		expect(transaction).toMatchObject({ cardId: card, createdAt, status });
		expect(issues).toHaveLength(isSuccess ? 0 : 1);
	}
});

test.each([
	[10_000, false],
	[10_001, true],
])(
	'of %d transactions, the total is a lower bound: %j, and the oldest can be read',
	async (count, totalItemCountCapped) => {
		const merchants = { shop: { merchantName: 'SHOP' } };
		const one = { card: 1, merchant: 'shop', amount: '1.00', outcome: 'settled' };
		const transactions = Array.from({ length: count }, (_, index) => ({ ...one, hoursAgo: index }));
		const cards = [{ name: 'Travel', type: 'recurring' }];
		const sandbox = await startSandbox({
			seed: { merchants, cards, transactions },
			now: () => NOW,
		});
		const page = async (number: number) =>
			(await sandbox.api('GET', `/transactions?pageSize=100&page=${number}`)).body;
		expect(await page(1)).toMatchObject({
			totalItemCount: 10_000,
			totalPages: 100,
			totalItemCountCapped,
		});
		expect(list.parse(await page(101)).data).toHaveLength(count - 10_000);
		const shown = await fetch(`${sandbox.url}/dashboard/transactions?page=400`);
		const isMore = /Page 400 of more than 400\s[^]*page=401">Older/.test(await shown.text());
		expect(isMore).toBe(totalItemCountCapped);
	},
);
