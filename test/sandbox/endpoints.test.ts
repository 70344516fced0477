import { sign } from '../../harness/signing.ts';
import {
	startHoldingReceiver,
	startReceiver,
	waitForDeliveries,
	withStatuses,
} from './support/receiver.ts';
import { cardId, startSandbox } from './support/sandbox.ts';

/** A card of account 1001. */
const CARD = cardId(3);
const DAY = 24 * 60 * 60 * 1000;

test('for 24 hours after a rotation both secrets sign, then only the new one', async () => {
	let now = new Date('2026-03-15T12:00:00Z');
	const sandbox = await startSandbox({ now: () => now });
	const receiver = await startReceiver();
	const { id, signingSecret: first } = await sandbox.client.subscribe(1001, receiver.url);
	const second = await sandbox.client.rotateSecret(id);

	const signatureOfNext = async () => {
		// Counted before, as the delivery may arrive before the simulation is answered.
		const before = receiver.received.length;
		await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
		const { headers, body } = (await receiver.waitFor(before + 1)).at(-1) ?? {
			headers: {},
			body: Buffer.alloc(0),
		};
		return { signature: headers['x-webhook-signature'], body };
	};
	now = new Date('2026-03-16T11:59:59.999Z');
	const during = await signatureOfNext();
	expect(during.signature).toBe(`${sign(during.body, second)},${sign(during.body, first)}`);
	now = new Date(Date.UTC(2026, 2, 15, 12) + DAY);
	const after = await signatureOfNext();
	expect(after.signature).toBe(sign(after.body, second));
});

test('a removed endpoint gets nothing any more; its log stays', async () => {
	const sandbox = await startSandbox({ deliveries: { baseDelay: 60_000, maxDelay: 60_000 } });
	const receiver = await startReceiver(withStatuses(500));
	const { id } = await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await waitForDeliveries(sandbox, [{ attempts: [{ httpStatus: 500 }] }]);
	await sandbox.client.unsubscribe({ id });
	expect(await sandbox.client.deliveries({ endpointId: id })).toMatchObject([
		{ url: receiver.url, status: 'failed' },
	]);
	const { deliveries } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	expect(deliveries).toEqual([]);
});

test('an endpoint removed while a delivery is on its way: the attempt is logged, none follows', async () => {
	const sandbox = await startSandbox({ deliveries: { baseDelay: 1 } });
	const receiver = await startHoldingReceiver();
	const { id } = await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await receiver.waitFor(1);
	await sandbox.client.unsubscribe({ id });
	receiver.respond(500);
	await waitForDeliveries(sandbox, [{ status: 'failed', attempts: [{ httpStatus: 500 }] }]);
});
