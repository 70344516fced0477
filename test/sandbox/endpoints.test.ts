import { sign } from '../../dev/harness/signing.ts';
import {
	startDelivering,
	startHoldingReceiver,
	startReceiver,
	waitForDeliveries,
	withStatuses,
} from './support/receiver.ts';
import { refused, startSandbox } from './support/sandbox.ts';

test("an endpoint's secret is shown only when it is created or rotated", async () => {
	const sandbox = await startSandbox();
	const url = 'http://127.0.0.1:9/hook';
	const created = await sandbox.client.subscribe(1001, url);
	expect((await sandbox.control('GET', '/endpoints')).body).toEqual({
		data: [
			{
				id: created.id,
				accountId: 1001,
				url,
				createdAt: expect.any(String),
				previousSecretUntil: null,
			},
		],
	});
	const again = { accountId: 1001, url: 'HTTP://127.0.0.1:9/hook' };
	expect(await sandbox.control('POST', '/endpoints', again)).toEqual(
		refused('url: the account has'),
	);
	await sandbox.client.unsubscribe(await sandbox.client.subscribe(1002, url));
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
	const receiver = await startReceiver();
	const options = { clock: '2026-03-15T12:00:00Z' };
	const { client, endpoint, buy } = await startDelivering(receiver, options);
	const first = endpoint.signingSecret;
	const second = await client.rotateSecret(endpoint.id);

	const secretsOfNext = async () => {
		// Counted before, as the delivery may arrive before the simulation is answered.
		const before = receiver.received.length;
		await buy();
		const [delivery] = (await receiver.waitFor(before + 1)).slice(-1);
		const signatures = String(delivery?.headers['x-webhook-signature']).split(',');
		const bytes = delivery?.body ?? '';
		const known = new Map([
			[sign(bytes, first), 'first'],
			[sign(bytes, second), 'second'],
		]);
		return signatures.map((signature) => known.get(signature));
	};
	expect(await secretsOfNext()).toEqual(['second', 'first']);
	await client.advanceClock(24 * 60 * 60 - 0.001);
	expect(await secretsOfNext()).toEqual(['second', 'first']);
	await client.advanceClock(0.001);
	expect(await secretsOfNext()).toEqual(['second']);
});

test('a second rotation within 24 hours ends the oldest secret: never three signatures', async () => {
	const receiver = await startReceiver();
	const { client, endpoint, buy } = await startDelivering(receiver);
	const second = await client.rotateSecret(endpoint.id);
	const third = await client.rotateSecret(endpoint.id);
	await buy();
	const [delivery] = await receiver.waitFor(1);
	const body = delivery?.body ?? '';
	expect(delivery?.headers['x-webhook-signature']).toBe(
		[third, second].map((secret) => sign(body, secret)).join(),
	);
});

test('a removed endpoint gets nothing more; its log stays', async () => {
	const receiver = await startReceiver(withStatuses(500));
	const deliveries = { baseDelay: 60_000, maxDelay: 60_000 };
	const { sandbox, client, endpoint, buy } = await startDelivering(receiver, { deliveries });
	await buy();
	await waitForDeliveries(sandbox, [{ attempts: [{ httpStatus: 500 }] }]);
	await client.unsubscribe(endpoint);
	expect(await client.deliveries({ endpointId: endpoint.id })).toMatchObject([
		{ url: receiver.url, status: 'failed' },
	]);
	expect((await buy()).deliveries).toEqual([]);
});

test('if an endpoint is removed during a delivery, the attempt is logged and none follows', async () => {
	const receiver = await startHoldingReceiver();
	const { sandbox, client, endpoint, buy } = await startDelivering(receiver);
	await buy();
	await receiver.waitFor(1);
	await client.unsubscribe(endpoint);
	receiver.respond(500);
	await waitForDeliveries(sandbox, [{ status: 'failed', attempts: [{ httpStatus: 500 }] }]);
});
