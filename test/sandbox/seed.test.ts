import { z } from 'zod/v4';

import type { CardEvent } from '../../sandbox/client.ts';
import { UsageError } from '../../sandbox/http/errors.ts';
import { cardId, refused, startSandbox, type TestSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-31T12:00:00Z');

const cards = z.object({
	data: z.array(z.object({ id: z.string(), status: z.string(), type: z.string() })),
});
const card = z.object({ category: z.string().optional(), balance: z.string().optional() });
const transactions = z.object({
	data: z.array(z.object({ status: z.string(), amountDirection: z.string() })),
});

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

test('a reset to the large company: totals are lower bounds, and the oldest transactions can be read', async () => {
	const sandbox = await startSandbox({ seed: 'none', now: () => NOW });
	expect((await sandbox.control('POST', '/reset', { seed: 'large' })).body).toMatchObject({
		counts: { transactions: 100_000, cards: 253 },
	});
	await sandbox.makeKey();
	const page = async (number: number) =>
		(await sandbox.api('GET', `/transactions?pageSize=100&page=${number}`)).body;
	expect(await page(1)).toMatchObject({ totalItemCount: 10_000, totalItemCountCapped: true });
	expect(transactions.parse(await page(1_000)).data).toHaveLength(100);
	expect(transactions.parse(await page(1_001)).data).toEqual([]);
	const shown = await fetch(`${sandbox.url}/dashboard/transactions?page=400`);
	expect(await shown.text()).toMatch(/Page 400 of more than 400\s[^]*page=401">Older/);
	const all = await everyCard(sandbox);
	expect(all.filter(({ balance }) => balance?.startsWith('-'))).toEqual([]);
	expect((await sandbox.api('GET', '/balance')).body).toMatchObject({
		availableCreditLimit: expect.stringMatching(/^\d/),
	});
}, 180_000);

const ACCOUNT = { id: 1, name: 'Berlin', creditLimit: '1.00' };
const CARD = { name: 'Travel' };
const BOUGHT = {
	card: 'Travel',
	merchant: 'hotel',
	amount: '1.00',
	hoursAgo: 1,
	outcome: 'settled',
};

test.each([
	[{ accounts: [ACCOUNT, ACCOUNT] }, 'accounts.1.id: already used'],
	[{ accounts: [{ ...ACCOUNT, id: 2 ** 53 }] }, 'seed.accounts.0.id: expected int to be <'],
	[{ cards: [{}] }, 'seed.cards.0.name: required'],
	[{ cards: [CARD, CARD] }, 'cards.1.name: already used'],
	[
		{ cards: [{ ...CARD, accountId: 7 }] },
		'cards.0.accountId: no account of the seed has the ID 7',
	],
	[{ cards: [CARD], transactions: [BOUGHT] }, 'transactions.0.merchant: no merchant is "hotel"'],
	[{ merchants: { hotel: {} }, transactions: [BOUGHT] }, 'transactions.0.card: no card'],
	[{ colour: 'red' }, 'seed: unknown field "colour"'],
])(
	'own data %j is refused with the place of the mistake, and nothing changes',
	async (seed, said) => {
		const sandbox = await startSandbox();
		expect(await sandbox.control('POST', '/reset', { seed })).toEqual(refused(said));
		expect((await sandbox.client.overview()).counts.cards).toBe(13);
	},
);

test.each([
	[{ cards: 1 }, 'seed.cards: expected array, received number'],
	[{ cards: [CARD, CARD] }, 'seed: cards.1.name: already used'],
])('a sandbox does not start with wrong own data %j', async (seed, said) => {
	const failure: unknown = await startSandbox({ seed }).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(UsageError);
	expect(String(failure)).toContain(said);
});
