import type { CardEvent } from '../../sandbox/client.ts';
import { cardId, errorAnswer, startSandbox, UNKNOWN_ID } from './support/sandbox.ts';

const ACTIVE = cardId(3);
const reasons = ({ issues }: CardEvent) => issues;
const declinedFor = (reason: string) => [{ origin: 'platform', reason, severity: 'error' }];

test('an authorization writes a pending transaction and a matching event', async () => {
	const now = new Date('2026-03-15T12:00:00Z');
	const sandbox = await startSandbox({ now: () => now });
	const merchant = {
		merchantName: 'Café Zoë ☕',
		merchantCity: 'Wien',
		merchantState: '9',
		merchantCountry: 'AT',
		merchantPostalCode: '1070',
		merchantStreetAddress: 'Gasse 1',
		merchantTaxId: 'ATU1',
		mcc: '5812',
		category: 'lodging',
	};
	const request = { cardId: ACTIVE, amount: '12.5', currency: 'EUR', ...merchant };
	const { transaction, event } = await sandbox.client.authorize(request);
	expect(transaction).toEqual({
		id: expect.any(String),
		cardId: ACTIVE,
		amount: '12.50',
		amountDirection: 'debit',
		currency: 'EUR',
		status: 'pending',
		createdAt: now.toISOString(),
		merchantName: 'Café Zoë ☕',
	});
	expect(event).toEqual({
		id: expect.any(String),
		transactionId: transaction.id,
		cardId: ACTIVE,
		amount: '12.50',
		amountDirection: 'debit',
		currency: 'EUR',
		isReversal: false,
		isSuccess: true,
		createdAt: now.toISOString(),
		issues: [],
		...merchant,
	});
	const { body } = await sandbox.api('GET', `/transactions/${transaction.id}`);
	expect(body).toEqual(transaction);
});

test('a simulated decline has the requested reason', async () => {
	const sandbox = await startSandbox();
	const { transaction, event } = await sandbox.client.authorize({
		cardId: ACTIVE,
		amount: '980.00',
		decline: { reason: 'suspected_fraud', origin: 'issuer' },
	});
	expect(transaction.status).toBe('declined');
	expect(event).toMatchObject({
		isSuccess: false,
		issues: [{ origin: 'issuer', reason: 'suspected_fraud', severity: 'error' }],
	});
});

test.each([
	['freeze', 'card_frozen'],
	['archive', 'card_archived'],
])(
	'§3: after %s new transactions are refused, and pending ones still settled',
	async (action, reason) => {
		const sandbox = await startSandbox();
		const before = await sandbox.client.authorize({ cardId: ACTIVE, amount: '2.00' });
		await sandbox.api('POST', `/cards/${ACTIVE}/${action}`);
		const { transaction, event } = await sandbox.client.authorize({
			cardId: ACTIVE,
			amount: '1.00',
		});
		expect(transaction.status).toBe('declined');
		expect(reasons(event)).toEqual(declinedFor(reason));
		const cleared = await sandbox.client.simulateStep('clearing', before.transaction.id);
		expect(cleared.transaction.status).toBe('settled');
	},
);

test('a card can spend its limit to the last cent, and its balance shows what is left', async () => {
	const sandbox = await startSandbox();
	const card = cardId(5);
	const balance = async () => (await sandbox.api('GET', `/cards/${card}`)).body;
	expect(await balance()).toMatchObject({ balance: '2000.00' });
	const over = await sandbox.client.authorize({ cardId: card, amount: '2000.01' });
	expect(reasons(over.event)).toEqual(declinedFor('card_limit_exceeded'));
	expect(await balance()).toMatchObject({ balance: '2000.00' });
	const exact = await sandbox.client.authorize({ cardId: card, amount: '2000.00' });
	expect(reasons(exact.event)).toEqual([]);
	expect(await balance()).toMatchObject({ balance: '0.00' });
});

test('a single-use card allows one transaction; those up to 5 USD do not count', async () => {
	const sandbox = await startSandbox();
	const buy = async (amount: string, currency = 'USD') =>
		reasons((await sandbox.client.authorize({ cardId: cardId(5), amount, currency })).event);
	expect(await buy('5.00')).toEqual([]);
	expect(await buy('5.01')).toEqual([]);
	expect(await buy('5.01')).toEqual(declinedFor('single_use_card_spent'));
	expect(await buy('5.00')).toEqual([]);
	expect(await buy('5.00', 'EUR')).toEqual(declinedFor('single_use_card_spent'));
});

test('a declined transaction does not use up a single-use card', async () => {
	const sandbox = await startSandbox();
	const request = { cardId: cardId(5), amount: '10.00' };
	await sandbox.client.authorize({ ...request, decline: { reason: 'suspected_fraud' } });
	expect(reasons((await sandbox.client.authorize(request)).event)).toEqual([]);
});

test('the account declines what exceeds its available credit', async () => {
	const sandbox = await startSandbox({ now: () => new Date('2026-03-15T12:00:00Z') });
	const { event } = await sandbox.client.authorize({ cardId: ACTIVE, amount: '244398.47' });
	expect(event.issues).toEqual([
		{ origin: 'platform', reason: 'insufficient_credit', severity: 'error' },
	]);
	const exact = await sandbox.client.authorize({ cardId: ACTIVE, amount: '244398.46' });
	expect(reasons(exact.event)).toEqual([]);
});

test('categories restrict merchants; a card without categories and an unknown category do not', async () => {
	const sandbox = await startSandbox({ now: () => new Date('2026-03-15T12:00:00Z') });
	const issues = async (card: string, category?: string) =>
		(await sandbox.client.authorize({ cardId: card, amount: '1.00', category })).event.issues;
	expect(await issues(ACTIVE, 'pet')).toMatchObject([{ reason: 'category_not_allowed' }]);
	expect(await issues(ACTIVE, 'lodging')).toEqual([]);
	expect(await issues(ACTIVE)).toEqual([]);
	await sandbox.send('PATCH', `/cards/${ACTIVE}`, { categories: [] });
	expect(await issues(ACTIVE, 'pet')).toEqual([]);
});

test('an unknown card gives 404', async () => {
	const sandbox = await startSandbox();
	expect(
		await sandbox.control('POST', '/simulate/authorization', { cardId: UNKNOWN_ID, amount: '1' }),
	).toEqual(errorAnswer(404, 'not-found'));
});
