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

test("an endpoint's secret is shown only when it is created or rotated", async () => {
	const sandbox = await startSandbox();
	const url = 'http://127.0.0.1:9/hook';
	const created = await sandbox.client.subscribe(1001, url);
	expect((await sandbox.control('GET', '/endpoints')).body).toEqual({
		data: [
			{
				id: created.id,
				accountId: 1001,
				name: null,
				url,
				retryTimestamp: 'new',
				createdAt: expect.any(String),
				previousSecretUntil: null,
			},
		],
	});
	const rotated = await sandbox.control('POST', `/endpoints/${created.id}/rotate`);
	expect(rotated).toEqual({
		status: 200,
		body: { id: created.id, signingSecret: expect.stringMatching(/^whsec_/) },
	});
	expect(rotated.body).not.toHaveProperty('signingSecret', created.signingSecret);
	expect((await sandbox.control('DELETE', `/endpoints/${created.id}`)).status).toBe(204);
	expect((await sandbox.control('GET', '/endpoints')).body).toEqual({ data: [] });
});

test('after a rotation both secrets sign until the clock has advanced 24 hours', async () => {
	const sandbox = await startSandbox();
	const receiver = await startReceiver();
	const { id, signingSecret: first } = await sandbox.client.subscribe(1001, receiver.url);
	const second = await sandbox.client.rotateSecret(id);

	const secretsOfNext = async () => {
		// Counted before, as the delivery may arrive before the simulation is answered.
		const before = receiver.received.length;
		await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
		const [delivery] = (await receiver.waitFor(before + 1)).slice(-1);
		const signatures = String(delivery?.headers['x-webhook-signature']).split(',');
		const bytes = delivery?.body ?? Buffer.alloc(0);
		const known = new Map([
			[sign(bytes, first), 'first'],
			[sign(bytes, second), 'second'],
		]);
		return signatures.map((signature) => known.get(signature));
	};
	expect(await secretsOfNext()).toEqual(['second', 'first']);
	await sandbox.client.advanceClock(24 * 60 * 60 - 60);
	expect(await secretsOfNext()).toEqual(['second', 'first']);
	await sandbox.client.advanceClock(60);
	expect(await secretsOfNext()).toEqual(['second']);
});

test('a second rotation within 24 hours ends the oldest secret: never three signatures', async () => {
	const sandbox = await startSandbox();
	const receiver = await startReceiver();
	const { id } = await sandbox.client.subscribe(1001, receiver.url);
	const second = await sandbox.client.rotateSecret(id);
	const third = await sandbox.client.rotateSecret(id);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	const [delivery] = await receiver.waitFor(1);
	const body = delivery?.body ?? '';
	expect(delivery?.headers['x-webhook-signature']).toBe(
		[third, second].map((secret) => sign(body, secret)).join(),
	);
});

test('a removed endpoint gets nothing more; its log stays', async () => {
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

test('if an endpoint is removed during a delivery, the attempt is logged and none follows', async () => {
	const sandbox = await startSandbox({ deliveries: { baseDelay: 1 } });
	const receiver = await startHoldingReceiver();
	const { id } = await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await receiver.waitFor(1);
	await sandbox.client.unsubscribe({ id });
	receiver.respond(500);
	await waitForDeliveries(sandbox, [{ status: 'failed', attempts: [{ httpStatus: 500 }] }]);
});
