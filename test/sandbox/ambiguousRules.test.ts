import { sign } from '../../harness/signing.ts';
import { startReceiver, waitForDeliveries } from './support/receiver.ts';
import { cardId, errorAnswer, startSandbox } from './support/sandbox.ts';

// Rules of the API that have two readings: each has a row in docs/assumptions.md.

/** A card of account 1001. */
const CARD = cardId(3);
const REFUSED = errorAnswer(400, 'bad-request');

test('§6: a second rotation within 24 hours ends the oldest secret; two signatures, never three', async () => {
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

test('§6: what is pending when webhooks are disabled is still retried, and nothing new is sent', async () => {
	const sandbox = await startSandbox({ deliveries: { baseDelay: 1, maxDelay: 1 } });
	let status = 500;
	const receiver = await startReceiver((response) => {
		response.statusCode = status;
		response.end();
	});
	await sandbox.client.subscribe(1001, receiver.url);
	const { event } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await receiver.waitFor(1);
	await sandbox.client.setFeatures(1001, { webhooks: false });
	await sandbox.client.authorize({ cardId: CARD, amount: '2.00' });
	status = 200;
	await waitForDeliveries(sandbox, [{ eventId: event.id, status: 'delivered' }]);
});

test('§4.2: a transfer to an unknown account is a 400, from an unknown one a 404', async () => {
	const sandbox = await startSandbox();
	const transfer = (from: number, toAccountId: number) =>
		sandbox.send('POST', `/accounts/${from}/transfers`, { amount: '1.00', toAccountId });
	expect(await transfer(1001, 7)).toEqual(REFUSED);
	expect(await transfer(7, 1001)).toEqual(errorAnswer(404, 'not-found'));
});

test.each(['/cards', '/transactions', '/settlements'])(
	'§8: %s refuses a page size above 100, and a page after the last is empty',
	async (path) => {
		const sandbox = await startSandbox();
		expect(await sandbox.api('GET', `${path}?pageSize=101`)).toEqual(REFUSED);
		expect(await sandbox.api('GET', `${path}?page=1000`)).toMatchObject({
			status: 200,
			body: { data: [], page: 1_000 },
		});
	},
);

test('§5.3, §8: a new key replaces the one before, whatever their scopes', async () => {
	const sandbox = await startSandbox();
	const customer = await sandbox.makeKey();
	await sandbox.makeKey(1001);
	expect((await sandbox.api('GET', '/health')).status).toBe(200);
	expect(await sandbox.api('GET', '/health', `Bearer ${customer}`)).toEqual(
		errorAnswer(401, 'unauthorized'),
	);
});
