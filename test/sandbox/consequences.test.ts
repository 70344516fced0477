import { z } from 'zod';

import { eventually } from '../../harness/tools/waiting.ts';
import { buy, CARD } from './support/lifecycle.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId, startSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
/** A card for one use. */
const SINGLE_USE = cardId(5);

const start = () => startSandbox({ now: () => NOW });

test('without a scheduled payment a clearing makes one, due in 30 days', async () => {
	const sandbox = await startSandbox({ now: () => NOW, seed: 'none' });
	const { body } = await sandbox.send('POST', '/cards', { name: 'Travel', type: 'recurring' });
	const { id } = z.object({ id: z.string() }).parse(body);
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

test.each(['freeze', 'archive'])(
	'§3: after %s pending authorizations are still settled',
	async (action) => {
		const sandbox = await start();
		const id = await buy(sandbox, '100.00');
		await sandbox.api('POST', `/cards/${CARD}/${action}`);
		const { transaction: cleared } = await sandbox.client.simulateStep('clearing', id);
		expect(cleared.status).toBe('settled');
	},
);

test('the limit follows: holds and settlements count, what is given back does not', async () => {
	const sandbox = await start();
	const balance = async () => (await sandbox.api('GET', `/cards/${cardId(12)}`)).body;
	// 2500.00 - 184.20 - 96.75; the purchase of 142.60 was in February.
	expect(await balance()).toMatchObject({ balance: '2219.05' });
	const id = await buy(sandbox, '100.00', cardId(12));
	expect(await balance()).toMatchObject({ balance: '2119.05' });
	await sandbox.client.simulateStep('clearing', id, '60.00');
	expect(await balance()).toMatchObject({ balance: '2119.05' });
	await sandbox.client.simulateStep('release', id);
	expect(await balance()).toMatchObject({ balance: '2159.05' });
	await sandbox.client.simulateStep('refund', id, '10.00');
	expect(await balance()).toMatchObject({ balance: '2169.05' });
});

test('a single-use card is spent by what was authorized, however little was cleared', async () => {
	const sandbox = await start();
	const id = await buy(sandbox, '100.00', SINGLE_USE);
	await sandbox.client.simulateStep('clearing', id, '3.00');
	await sandbox.client.simulateStep('release', id);
	const { event } = await sandbox.client.authorize({ cardId: SINGLE_USE, amount: '10.00' });
	expect(event.issues).toMatchObject([{ reason: 'single_use_card_spent' }]);
	const { body } = await sandbox.api('GET', `/cards/${SINGLE_USE}`);
	expect(body).toMatchObject({ status: 'active' });
});

test('a released authorization does not spend a single-use card', async () => {
	const sandbox = await start();
	await sandbox.client.simulateStep('release', await buy(sandbox, '100.00', SINGLE_USE));
	await buy(sandbox, '100.00', SINGLE_USE);
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
	await eventually(async () => {
		expect((await sandbox.client.deliveries()).map(({ status }) => status)).toEqual(
			Array(5).fill('delivered'),
		);
	});
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
