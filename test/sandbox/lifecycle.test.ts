import { z } from 'zod/v4';

import { startReceiver, waitForDeliveries } from './support/receiver.ts';
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
/** A card for one use. */
const SINGLE_USE = cardId(5);

const start = () => startSandbox({ now: () => NOW });

/** A card of account 1001 without a limit. */
const CARD = cardId(3);

/** Authorizes a purchase; gives the id of its transaction. */
async function buy(sandbox: TestSandbox, amount: string, card = CARD): Promise<string> {
	const merchant = { merchantName: 'HARBOUR HOTEL', mcc: '7011' };
	const { transaction } = await sandbox.client.authorize({ cardId: card, amount, ...merchant });
	expect(transaction.status).toBe('pending');
	return transaction.id;
}

/** Reads a transaction. */
const readTransaction = async (sandbox: TestSandbox, id: string) =>
	(await sandbox.api('GET', `/transactions/${id}`)).body;

/** Simulates a step of a transaction; gives the whole answer. */
const tryStep = (sandbox: TestSandbox, step: string, transactionId: string, amount?: string) =>
	sandbox.control('POST', `/simulate/${step}`, { transactionId, amount });

/** Amounts of the settlements of a card that are not seeded, the newest first. */
async function settled(sandbox: TestSandbox, card = CARD): Promise<string[]> {
	const { body } = await sandbox.api('GET', `/settlements?cardId=${card}`);
	return z
		.object({ data: z.array(z.object({ id: z.string(), amount: z.string() })) })
		.parse(body)
		.data.filter(({ id }) => !id.startsWith('5e77'))
		.map(({ amount }) => amount);
}

/** The scheduled payment of account 1001 and its available credit. */
async function money(sandbox: TestSandbox): Promise<[string | undefined, string]> {
	await sandbox.makeKey(1001);
	const payments = await sandbox.api('GET', '/payments?from=2026-03-16&to=2026-12-31');
	const balance = await sandbox.api('GET', '/balance');
	await sandbox.makeKey();
	const amounts = z.object({ data: z.array(z.object({ amount: z.string() })) });
	return [
		amounts.parse(payments.body).data[0]?.amount,
		z.object({ availableCreditLimit: z.string() }).parse(balance.body).availableCreditLimit,
	];
}

/** The event of a step that succeeds and takes money. */
const debitOf = (transactionId: string, amount: string) => ({
	id: expect.any(String),
	transactionId,
	cardId: CARD,
	amount,
	amountDirection: 'debit',
	currency: 'USD',
	isReversal: false,
	isSuccess: true,
	createdAt: NOW.toISOString(),
	issues: [],
	merchantName: 'HARBOUR HOTEL',
	mcc: '7011',
});

test('a full clearing settles the transaction; settlement, payment and event match it', async () => {
	const sandbox = await start();
	const before = await money(sandbox);
	expect(before).toEqual(['4930.25', '244398.46']);
	const id = await buy(sandbox, '100.00');
	expect(await money(sandbox)).toEqual(['4930.25', '244298.46']);
	const { transaction: cleared, event } = await sandbox.client.simulateStep('clearing', id);
	expect(cleared).toMatchObject({ id, status: 'settled', amount: '100.00' });
	expect(await readTransaction(sandbox, id)).toEqual(cleared);
	expect(event).toEqual(debitOf(id, '100.00'));
	expect(await settled(sandbox)).toEqual(['100.00']);
	expect(await money(sandbox)).toEqual(['5030.25', '244298.46']);
});

test('a release frees the whole hold and leaves an amount of zero', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '100.00');
	expect(await tryStep(sandbox, 'release', id, '100.00')).toEqual(refused());
	const { transaction: released, event } = await sandbox.client.simulateStep('release', id);
	expect(released).toMatchObject({ status: 'released', amount: '0.00' });
	expect(event).toMatchObject({
		amount: '100.00',
		amountDirection: 'credit',
		isReversal: true,
		isSuccess: true,
	});
	expect(await settled(sandbox)).toEqual([]);
	expect(await money(sandbox)).toEqual(['4930.25', '244398.46']);
});

test('a refund is a separate settled credit of at most what was cleared', async () => {
	let now = NOW;
	const sandbox = await startSandbox({ now: () => now });
	const id = await buy(sandbox, '100.00');
	expect(await tryStep(sandbox, 'refund', id)).toEqual(refused());
	await sandbox.client.simulateStep('clearing', id);
	now = new Date('2026-03-16T12:00:00Z');
	const { transaction: refund, event } = await sandbox.client.simulateStep('refund', id, '30.00');
	expect(refund).toEqual({
		id: expect.not.stringMatching(id),
		cardId: CARD,
		amount: '30.00',
		amountDirection: 'credit',
		currency: 'USD',
		status: 'settled',
		createdAt: now.toISOString(),
		merchantName: 'HARBOUR HOTEL',
	});
	expect(event).toMatchObject({
		transactionId: refund.id,
		createdAt: refund.createdAt,
		amount: '30.00',
		amountDirection: 'credit',
		isReversal: false,
		isSuccess: true,
	});
	expect(await readTransaction(sandbox, id)).toMatchObject({ status: 'settled', amount: '100.00' });
	expect(await tryStep(sandbox, 'refund', id, '70.01')).toEqual(refused());
	expect((await sandbox.client.simulateStep('refund', id)).transaction).toMatchObject({
		amount: '70.00',
	});
	expect(await tryStep(sandbox, 'refund', id)).toEqual(refused());
	expect(await tryStep(sandbox, 'refund', refund.id)).toEqual(refused());
	expect(await money(sandbox)).toEqual(['4930.25', '244398.46']);
});

test('an increment raises what is held, and is cleared with the rest', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '100.00');
	expect(await tryStep(sandbox, 'increment', id)).toEqual(refused());
	await sandbox.client.simulateStep('clearing', id, '60.00');
	const { transaction, event } = await sandbox.client.simulateStep('increment', id, '25.00');
	expect(transaction).toMatchObject({ id, status: 'pending', amount: '125.00' });
	expect(event).toEqual(debitOf(id, '25.00'));
	expect(await money(sandbox)).toEqual(['4990.25', '244273.46']);
	const rest = await sandbox.client.simulateStep('clearing', id);
	expect(rest).toMatchObject({ event: { amount: '65.00' }, transaction: { status: 'settled' } });
	expect(await tryStep(sandbox, 'increment', id, '1.00')).toEqual(refused());
});

test('an increment is declined like an authorization, and then changes nothing', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '100.00');
	const before = await readTransaction(sandbox, id);
	await sandbox.api('POST', `/cards/${CARD}/freeze`);
	const { transaction, event } = await sandbox.client.simulateStep('increment', id, '250000.00');
	expect(transaction).toEqual(before);
	expect(event).toMatchObject({
		transactionId: id,
		amount: '250000.00',
		amountDirection: 'debit',
		isSuccess: false,
		issues: [{ reason: 'card_frozen' }, { reason: 'insufficient_credit' }],
	});
	expect(await readTransaction(sandbox, id)).toEqual(before);
	expect(await money(sandbox)).toEqual(['4930.25', '244298.46']);
});

test('a single-use card allows increments of its purchase, and a small one grown large uses it up', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '4.00', SINGLE_USE);
	const grow = async (transactionId: string) =>
		(await sandbox.client.simulateStep('increment', transactionId, '10.00')).event.issues;
	expect(await grow(id)).toEqual([]);
	expect(await grow(id)).toEqual([]);
	const spent = [{ reason: 'single_use_card_spent' }];
	const { event } = await sandbox.client.authorize({ cardId: SINGLE_USE, amount: '10.00' });
	expect(event.issues).toMatchObject(spent);
	expect(await grow(await buy(sandbox, '4.00', SINGLE_USE))).toMatchObject(spent);
});

test.each(['increment', 'clearing', 'release', 'reversal', 'refund'])(
	'%s: 404 for an unknown transaction, 400 for a declined one and a wrong body',
	async (step) => {
		const sandbox = await start();
		expect(await tryStep(sandbox, step, UNKNOWN_ID)).toEqual(errorAnswer(404, 'not-found'));
		const { transaction: declined } = await sandbox.client.authorize({
			cardId: CARD,
			amount: '1.00',
			decline: { reason: 'suspected_fraud' },
		});
		expect(await tryStep(sandbox, step, declined.id)).toEqual(refused());
		const id = await buy(sandbox, '1.00');
		for (const amount of ['0.00', '1.001', '-1']) {
			expect(await tryStep(sandbox, step, id, amount)).toEqual(refused());
		}
		expect(await tryStep(sandbox, step, '42')).toEqual(refused());
	},
);

test('a clearing without a scheduled payment creates one that is due in 30 days', async () => {
	const sandbox = await startSandbox({ now: () => NOW, seed: 'none' });
	const id = await createCard(sandbox);
	for (const amount of ['10.00', '0.50']) {
		await sandbox.client.simulateStep('clearing', await buy(sandbox, amount, id));
	}
	const path = '/payments?from=2026-03-15&to=2026-12-31&accountId=1001';
	expect((await sandbox.api('GET', path)).body).toEqual({
		data: [
			{
				id: expect.any(String),
				amount: '10.50',
				dueDate: '2026-04-14',
				status: 'scheduled',
				type: 'automatic',
				descriptor: 'Operating card balance',
			},
		],
	});
});

test('a single-use card is used up by an authorization that is not released, however little is cleared', async () => {
	const sandbox = await start();
	await sandbox.client.simulateStep('release', await buy(sandbox, '100.00', SINGLE_USE));
	const id = await buy(sandbox, '100.00', SINGLE_USE);
	await sandbox.client.simulateStep('clearing', id, '3.00');
	await sandbox.client.simulateStep('release', id);
	const { event } = await sandbox.client.authorize({ cardId: SINGLE_USE, amount: '10.00' });
	expect(event.issues).toMatchObject([{ reason: 'single_use_card_spent' }]);
	const { body } = await sandbox.api('GET', `/cards/${SINGLE_USE}`);
	expect(body).toMatchObject({ status: 'active' });
});

test('each step is delivered, with the events of §4.6 in the order in which they happened', async () => {
	const sandbox = await start();
	const receiver = await startReceiver();
	await sandbox.client.subscribe(1001, receiver.url);
	const id = await buy(sandbox, '100.00');
	const { deliveries } = await sandbox.client.simulateStep('clearing', id, '60.00');
	await sandbox.client.simulateStep('reversal', id, '10.00');
	await sandbox.client.simulateStep('release', id);
	await sandbox.client.simulateStep('refund', id);
	expect(deliveries).toHaveLength(1);
	await waitForDeliveries(sandbox, Array<object>(5).fill({ status: 'delivered' }));
	const { body } = await sandbox.api('GET', `/cards/${CARD}/financial-events`);
	const events = z
		.object({ data: z.array(z.object({ id: z.string(), amount: z.string() })) })
		.parse(body).data;
	expect(events.slice(0, 5).map(({ amount }) => amount)).toEqual([
		'60.00',
		'30.00',
		'10.00',
		'60.00',
		'100.00',
	]);
	const arrived = receiver.received.map(({ headers }) => headers['x-webhook-event-id']);
	expect(new Set(arrived)).toEqual(new Set(events.slice(0, 5).map(({ id: event }) => event)));
});
