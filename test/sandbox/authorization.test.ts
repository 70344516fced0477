import { cardId, startSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const ACTIVE = cardId(3);
const declinedFor = (reason: string) => [{ origin: 'platform', reason, severity: 'error' }];

test('an authorization writes a pending transaction and a matching event', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
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
	const both = {
		id: expect.any(String),
		cardId: ACTIVE,
		amount: '12.50',
		amountDirection: 'debit',
		currency: 'EUR',
		createdAt: NOW.toISOString(),
	};
	const { merchantName } = merchant;
	expect(transaction).toEqual({ ...both, status: 'pending', merchantName });
	const outcome = { isReversal: false, isSuccess: true, issues: [] };
	expect(event).toEqual({ ...both, ...outcome, transactionId: transaction.id, ...merchant });
	const { body } = await sandbox.api('GET', `/transactions/${transaction.id}`);
	expect(body).toEqual(transaction);
});

test('a simulated decline has the requested reason', async () => {
	const sandbox = await startSandbox();
	const decline = { reason: 'suspected_fraud', origin: 'issuer' };
	const request = { cardId: ACTIVE, amount: '980.00', decline };
	expect(await sandbox.client.authorize(request)).toMatchObject({
		transaction: { status: 'declined' },
		event: { isSuccess: false, issues: [{ ...decline, severity: 'error' }] },
	});
});

test.each([
	['freeze', 'card_frozen'],
	['archive', 'card_archived'],
])(
	'§3: after %s new transactions are refused, and pending ones still settled',
	async (action, reason) => {
		const sandbox = await startSandbox();
		const { client } = sandbox;
		const before = await client.authorize({ cardId: ACTIVE, amount: '2.00' });
		await sandbox.api('POST', `/cards/${ACTIVE}/${action}`);
		const after = await client.authorize({ cardId: ACTIVE, amount: '1.00' });
		expect(after.transaction.status).toBe('declined');
		expect(after.event.issues).toEqual(declinedFor(reason));
		const cleared = await client.simulateStep('clearing', before.transaction.id);
		expect(cleared.transaction.status).toBe('settled');
	},
);

test.each([
	['the limit of its card', cardId(5), '2000.00', '2000.01', 'card_limit_exceeded'],
	['the credit of its account', ACTIVE, '244398.46', '244398.47', 'insufficient_credit'],
])('a purchase can use up %s to the last cent', async (_, card, all, more, reason) => {
	const { client } = await startSandbox({ now: () => NOW });
	const over = await client.authorize({ cardId: card, amount: more });
	expect(over.event.issues).toEqual(declinedFor(reason));
	const exact = await client.authorize({ cardId: card, amount: all });
	expect(exact.event.issues).toEqual([]);
});

test('categories restrict merchants; a card without categories and an unknown category do not', async () => {
	const sandbox = await startSandbox();
	const issues = async (category?: string) =>
		(await sandbox.client.authorize({ cardId: ACTIVE, amount: '1.00', category })).event.issues;
	expect(await issues('pet')).toEqual(declinedFor('category_not_allowed'));
	expect(await issues('lodging')).toEqual([]);
	expect(await issues()).toEqual([]);
	await sandbox.send('PATCH', `/cards/${ACTIVE}`, { categories: [] });
	expect(await issues('pet')).toEqual([]);
});
