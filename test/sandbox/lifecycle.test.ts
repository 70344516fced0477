import { buy, CARD, money, readTransaction, settled, tryStep } from './support/lifecycle.ts';
import { errorAnswer, startSandbox, UNKNOWN_ID } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const REFUSED = errorAnswer(400, 'bad-request');

const start = () => startSandbox({ now: () => NOW });

test('a full clearing settles: transaction, settlement, payment and event agree', async () => {
	const sandbox = await start();
	const before = await money(sandbox);
	expect(before).toEqual(['4930.25', '244398.46']);
	const id = await buy(sandbox, '100.00');
	expect(await money(sandbox)).toEqual(['4930.25', '244298.46']);
	const { transaction: cleared, event } = await sandbox.client.simulateStep('clearing', id);
	expect(cleared).toMatchObject({ id, status: 'settled', amount: '100.00' });
	expect(await readTransaction(sandbox, id)).toEqual(cleared);
	expect(event).toEqual({
		id: expect.any(String),
		transactionId: id,
		cardId: CARD,
		amount: '100.00',
		amountDirection: 'debit',
		currency: 'USD',
		isReversal: false,
		isSuccess: true,
		createdAt: NOW.toISOString(),
		issues: [],
		merchantName: 'HARBOUR HOTEL',
		mcc: '7011',
	});
	expect(await settled(sandbox)).toEqual(['100.00']);
	expect(await money(sandbox)).toEqual(['5030.25', '244298.46']);
});

test('partial clearings leave a transaction pending until all of it is cleared', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '100.00');
	const first = await sandbox.client.simulateStep('clearing', id, '60.00');
	expect(first.transaction).toMatchObject({ status: 'pending', amount: '100.00' });
	expect(first.event).toMatchObject({ amount: '60.00' });
	expect(await tryStep(sandbox, 'clearing', id, '40.01')).toEqual({
		status: 400,
		body: { code: 'bad-request', message: expect.stringContaining('40.00') },
	});
	const second = await sandbox.client.simulateStep('clearing', id);
	expect(second.transaction).toMatchObject({ status: 'settled', amount: '100.00' });
	expect(second.event).toMatchObject({ amount: '40.00' });
	expect((await settled(sandbox)).sort()).toEqual(['40.00', '60.00']);
	expect(await tryStep(sandbox, 'clearing', id)).toEqual(REFUSED);
});

test('a release gives the hold back and leaves zero', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '100.00');
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

test('a release after a partial clearing settles at what was cleared', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '100.00');
	await sandbox.client.simulateStep('clearing', id, '60.00');
	const { transaction: rest, event } = await sandbox.client.simulateStep('release', id);
	expect(rest).toMatchObject({ status: 'settled', amount: '60.00' });
	expect(event).toMatchObject({ amount: '40.00' });
	expect(await money(sandbox)).toEqual(['4990.25', '244338.46']);
});

test('a partial reversal shrinks the authorization, a full one releases it', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '100.00');
	const part = await sandbox.client.simulateStep('reversal', id, '30.00');
	expect(part.transaction).toMatchObject({ status: 'pending', amount: '70.00' });
	expect(part.event).toMatchObject({
		amount: '30.00',
		isReversal: true,
		amountDirection: 'credit',
	});
	expect(await tryStep(sandbox, 'clearing', id, '70.01')).toEqual(REFUSED);
	const rest = await sandbox.client.simulateStep('reversal', id);
	expect(rest.transaction).toMatchObject({ status: 'released', amount: '0.00' });
	expect(await tryStep(sandbox, 'reversal', id)).toEqual(REFUSED);
});

test('a refund is a settled credit of its own, at most what was cleared', async () => {
	let now = NOW;
	const sandbox = await startSandbox({ now: () => now });
	const id = await buy(sandbox, '100.00');
	expect(await tryStep(sandbox, 'refund', id)).toEqual(REFUSED);
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
	expect(await tryStep(sandbox, 'refund', id, '70.01')).toEqual(REFUSED);
	expect((await sandbox.client.simulateStep('refund', id)).transaction).toMatchObject({
		amount: '70.00',
	});
	expect(await tryStep(sandbox, 'refund', id)).toEqual(REFUSED);
	expect(await tryStep(sandbox, 'refund', refund.id)).toEqual(REFUSED);
	expect(await money(sandbox)).toEqual(['4930.25', '244398.46']);
});

test.each(['clearing', 'release', 'reversal', 'refund'])(
	'%s: 404 for an unknown transaction, 400 for a declined one and a wrong body',
	async (step) => {
		const sandbox = await start();
		expect(await tryStep(sandbox, step, UNKNOWN_ID)).toEqual(errorAnswer(404, 'not-found'));
		const { transaction: declined } = await sandbox.client.authorize({
			cardId: CARD,
			amount: '1.00',
			decline: { reason: 'suspected_fraud' },
		});
		expect(await tryStep(sandbox, step, declined.id)).toEqual(REFUSED);
		const id = await buy(sandbox, '1.00');
		for (const amount of ['0.00', '1.001', '-1']) {
			expect(await tryStep(sandbox, step, id, amount)).toEqual(REFUSED);
		}
		expect(await tryStep(sandbox, step, '42')).toEqual(REFUSED);
	},
);

test('a release names no amount', async () => {
	const sandbox = await start();
	expect(await tryStep(sandbox, 'release', await buy(sandbox, '1.00'), '1.00')).toEqual(REFUSED);
});

test('a step that is refused writes nothing', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '1.00');
	const before = (await sandbox.control('GET', '')).body;
	await tryStep(sandbox, 'clearing', id, '2.00');
	expect((await sandbox.control('GET', '')).body).toEqual(before);
	expect(await readTransaction(sandbox, id)).toMatchObject({ status: 'pending', amount: '1.00' });
});
