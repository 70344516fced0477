import type { SimulationResult } from '../../dev/harness/sandboxClient.ts';
import type { Step } from '../../sandbox/simulate/lifecycle.ts';
import { startReceiver, waitForDeliveries } from './support/receiver.ts';
import { cardId, createCard, startSandbox, type TestSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
/** A card of account 1001 without a limit. */
const CARD = cardId(3);
const MERCHANT = { merchantName: 'HARBOUR HOTEL', mcc: '7011' };

const start = () => startSandbox({ now: () => NOW });

type Take = Step | 'buy' | 'decline';

/** Carries out steps such as "buy 100.00, clearing 60.00, release", each of the newest purchase; gives the last result. */
async function carryOut({ client }: TestSandbox, steps: string, card = CARD) {
	const purchase = { cardId: card, amount: '', ...MERCHANT };
	const take = (what: Take, amount = '', currency?: string) => {
		if (what === 'buy') return client.authorize({ ...purchase, amount, currency });
		const decline = { reason: 'suspected_fraud' };
		if (what === 'decline') return client.authorize({ ...purchase, amount, decline });
		return client.simulateStep(what, purchaseId, amount || undefined);
	};
	let purchaseId = '';
	let result: SimulationResult | undefined;
	for (const step of steps.split(', ')) {
		if (step === 'next-month') {
			await client.advanceClock(31 * 24 * 60 * 60);
			continue;
		}
		const [what, amount, currency] = step.split(' ') as [Take, string?, string?];
		result = await take(what, amount, currency);
		if (what === 'buy' || what === 'decline') purchaseId = result.transaction.id;
	}
	if (!result) throw new Error('there is no step');
	return result;
}

// What account and payments then have is in conservation.test.ts.
test.each([
	['buy 100.00, clearing', 'settled 100.00 debit', '100.00 debit'],
	['buy 100.00, clearing 60.00, clearing', 'settled 100.00 debit', '40.00 debit'],
	['buy 100.00, clearing 60.00, increment 25.00', 'pending 125.00 debit', '25.00 debit'],
	['buy 100.00, clearing 60.00, reversal 10.00', 'pending 90.00 debit', '10.00 reversal'],
	['buy 100.00, clearing 60.00, release', 'settled 60.00 debit', '40.00 reversal'],
	['buy 100.00, release', 'released 0.00 debit', '100.00 reversal'],
	['buy 100.00, clearing, refund 30.00, refund', 'settled 70.00 credit', '70.00 credit'],
])('%s: the transaction is %s, and the last event %s', async (steps, became, last) => {
	const sandbox = await start();
	const { transaction, event } = await carryOut(sandbox, steps);
	const { id, status, amount, amountDirection } = transaction;
	expect(`${status} ${amount} ${amountDirection}`).toBe(became);
	const [eventAmount, kind] = last.split(' ');
	expect(event).toEqual({
		...{ id: expect.any(String), transactionId: id, cardId: CARD, currency: 'USD' },
		...{ isSuccess: true, issues: [], createdAt: NOW.toISOString(), ...MERCHANT },
		...{ amount: eventAmount, isReversal: kind === 'reversal' },
		amountDirection: kind === 'debit' ? 'debit' : 'credit',
	});
	expect((await sandbox.api('GET', `/transactions/${id}`)).body).toEqual(transaction);
});

test.each([
	['buy 100.00, clearing 100.01', 'only 100.00 is held'],
	['buy 100.00, clearing, increment 1.00', 'The transaction is settled, no longer pending'],
	['buy 100.00, increment', 'an increment needs an amount'],
	['buy 100.00, release 100.00', 'a release always covers the full held amount'],
	['buy 100.00, refund', 'Nothing is cleared and not refunded'],
	['buy 100.00, clearing, refund 30.00, refund 70.01', 'only 70.00 is cleared and not refunded'],
	['decline 100.00, clearing', 'The transaction is declined, no longer pending'],
])('%s: the last step is a 400', async (steps, said) => {
	const [, step] = /(\w+)[ .\d]*$/.exec(steps) ?? [];
	const message = new RegExp(`simulate/${step}: HTTP 400: .*${said}`);
	await expect(carryOut(await start(), steps)).rejects.toThrow(message);
});

test('a refund is a separate transaction with its own time, and cannot be refunded', async () => {
	let now = NOW;
	const sandbox = await startSandbox({ now: () => now });
	const purchase = await carryOut(sandbox, 'buy 100.00, clearing');
	now = new Date('2026-03-16T12:00:00Z');
	const refunded = await sandbox.client.simulateStep('refund', purchase.transaction.id);
	const { id } = refunded.transaction;
	const createdAt = now.toISOString();
	expect(refunded).toMatchObject({
		transaction: { createdAt, merchantName: 'HARBOUR HOTEL' },
		event: { createdAt, transactionId: id },
	});
	const before = await sandbox.api('GET', `/transactions/${purchase.transaction.id}`);
	expect(before.body).toEqual(purchase.transaction);
	await expect(sandbox.client.simulateStep('refund', id)).rejects.toThrow(
		'HTTP 400: A refund cannot be refunded',
	);
});

test('an increment is declined like an authorization, and then changes nothing', async () => {
	const sandbox = await start();
	const before = await carryOut(sandbox, 'buy 100.00');
	const { id } = before.transaction;
	await sandbox.api('POST', `/cards/${CARD}/freeze`);
	const { transaction, event } = await sandbox.client.simulateStep('increment', id, '250000.00');
	expect(transaction).toEqual(before.transaction);
	expect(event).toMatchObject({
		transactionId: id,
		amount: '250000.00',
		isSuccess: false,
		issues: [{ reason: 'card_frozen' }, { reason: 'insufficient_credit' }],
	});
	expect((await sandbox.api('GET', `/transactions/${id}`)).body).toEqual(before.transaction);
});

const [ONCE, MONTHLY, LIFETIME] = [
	{ type: 'single-use' },
	{ limit: { amount: '1000.00', type: 'monthly' } },
	{ limit: { amount: '1000.00', type: 'lifetime' } },
];

test.each([
	// One purchase; those up to 5 USD do not count.
	[ONCE, 'buy 5.00, buy 5.01', 'approved'],
	[ONCE, 'buy 5.01, buy 5.01', 'single_use_card_spent'],
	[ONCE, 'buy 5.01, buy 5.00', 'approved'],
	[ONCE, 'buy 5.01, buy 5.00 EUR', 'single_use_card_spent'],
	[ONCE, 'decline 10.00, buy 10.00', 'approved'],
	[ONCE, 'buy 100.00, release, buy 100.00', 'approved'],
	[ONCE, 'buy 100.00, clearing 3.00, release, buy 10.00', 'single_use_card_spent'],
	[ONCE, 'buy 4.00, increment 10.00, increment 10.00', 'approved'],
	[ONCE, 'buy 4.00, increment 10.00, buy 10.00', 'single_use_card_spent'],
	[ONCE, 'buy 10.00, buy 4.00, increment 10.00', 'single_use_card_spent'],
	// What belongs to a purchase counts in the month of the purchase.
	[MONTHLY, 'buy 600.00, next-month, buy 1000.00', 'approved'],
	[MONTHLY, 'buy 600.00, next-month, increment 400.00, buy 1000.00', 'approved'],
	[MONTHLY, 'buy 600.00, next-month, increment 400.01', 'card_limit_exceeded'],
	[MONTHLY, 'buy 600.00, clearing, next-month, refund, buy 1000.00', 'approved'],
	[MONTHLY, 'buy 600.00, clearing, next-month, refund, buy 1000.01', 'card_limit_exceeded'],
	[LIFETIME, 'buy 600.00, next-month, buy 400.01', 'card_limit_exceeded'],
	[LIFETIME, 'buy 600.00, clearing, next-month, refund, buy 1000.00', 'approved'],
])('a card with %j: %s is %s', async (fields, steps, outcome) => {
	const sandbox = await startSandbox({ now: () => NOW, seed: 'none' });
	const { event } = await carryOut(sandbox, steps, await createCard(sandbox, fields));
	const reasons = outcome === 'approved' ? [] : [outcome];
	expect(event.issues.map(({ reason }) => reason)).toEqual(reasons);
});

test('a clearing without a scheduled payment creates one that is due in 30 days', async () => {
	const sandbox = await startSandbox({ now: () => NOW, seed: 'none' });
	const card = await createCard(sandbox);
	for (const amount of ['10.00', '0.50']) await carryOut(sandbox, `buy ${amount}, clearing`, card);
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

test('each step is delivered; §4.6 lists the newest event first, also of the same moment', async () => {
	const sandbox = await start();
	const receiver = await startReceiver();
	await sandbox.client.subscribe(1001, receiver.url);
	await carryOut(sandbox, 'buy 100.00, clearing 60.00, reversal 10.00, release, refund');
	await waitForDeliveries(sandbox, Array<object>(5).fill({ status: 'delivered' }));
	const { body } = await sandbox.api('GET', `/cards/${CARD}/financial-events`);
	const { data } = body as { data: { id: string; amount: string; createdAt: string }[] };
	const times = data.map(({ createdAt }) => createdAt);
	expect(times).toEqual([...times].sort().reverse());
	const newest = data.slice(0, 5);
	const amounts = newest.map(({ amount }) => amount);
	expect(amounts).toEqual(['60.00', '30.00', '10.00', '60.00', '100.00']);
	const arrived = receiver.received.map(({ headers }) => headers['x-webhook-event-id']);
	expect(new Set(arrived)).toEqual(new Set(newest.map(({ id }) => id)));
});
