import { z } from 'zod/v4';

import { startDelivering, startReceiver, waitForDeliveries } from './support/receiver.ts';
import { cardId, errorAnswer, startSandbox, type TestSandbox } from './support/sandbox.ts';

const FORBIDDEN = errorAnswer(403, 'forbidden');
/** Cards of account 1001 and 1002. */
const [OPERATING, MARKETING] = [cardId(1), cardId(8)];

const turnOff = (sandbox: TestSandbox, accountId: number, feature: string) =>
	sandbox.control('PUT', `/accounts/${accountId}/features`, { [feature]: false });

test('a customer-scoped key sees the cards of the accounts that have card management', async () => {
	const sandbox = await startSandbox();
	await turnOff(sandbox, 1001, 'cardManagement');
	expect(await sandbox.api('GET', `/cards/${OPERATING}`)).toEqual(FORBIDDEN);
	expect((await sandbox.api('GET', `/cards/${MARKETING}`)).status).toBe(200);
	const { body } = await sandbox.api('GET', '/cards');
	expect(z.object({ totalItemCount: z.number() }).parse(body).totalItemCount).toBe(6);
	const [{ warning } = {}] = await sandbox.client.requests();
	expect(warning).toBe('account 1001 has no card management: its cards are left out');
});

test('without card management of the first account, a card belongs to the next one that has it', async () => {
	const sandbox = await startSandbox();
	await turnOff(sandbox, 1001, 'cardManagement');
	const create = (more: object) =>
		sandbox.send('POST', '/cards', { name: 'Travel', type: 'recurring', ...more });
	expect(await create({ accountId: 1001 })).toEqual(FORBIDDEN);
	expect(await create({})).toMatchObject({ status: 201 });
	const [{ warning } = {}] = await sandbox.client.requests();
	expect(warning).toBe('account 1001 has no card management: the card belongs to account 1002');
	await sandbox.makeKey(1001);
	expect(await create({})).toEqual(FORBIDDEN);
	await sandbox.makeKey(1002);
	const { body } = await sandbox.api('GET', '/cards?name=Travel');
	expect(z.object({ totalItemCount: z.number() }).parse(body).totalItemCount).toBe(1);
	await create({ name: 'Named', accountId: 1002 });
	expect((await sandbox.client.requests())[0]).toMatchObject({ status: 201, warning: null });
});

test('a feature is turned off and on without changing the others', async () => {
	const sandbox = await startSandbox();
	const all = { cardManagement: true, accountManagement: true, webhooks: true };
	expect(await turnOff(sandbox, 1002, 'accountManagement')).toEqual({
		status: 200,
		body: { id: 1002, name: 'Marketing', features: { ...all, accountManagement: false } },
	});
	const on = await sandbox.client.setFeatures(1002, { accountManagement: true });
	expect(on).toEqual({ id: 1002, name: 'Marketing', features: all });
});

test('without webhooks nothing can be subscribed and no delivery is written', async () => {
	const endpoint = { accountId: 1001, url: 'http://127.0.0.1:9/' };
	const { sandbox, client, buy } = await startDelivering(endpoint);
	await turnOff(sandbox, 1001, 'webhooks');
	expect((await buy()).deliveries).toEqual([]);
	expect(await client.deliveries()).toEqual([]);
	expect(await sandbox.control('POST', '/endpoints', endpoint)).toEqual(FORBIDDEN);
});

test('after webhooks are disabled pending deliveries are retried, and nothing new is sent', async () => {
	let status = 500;
	const receiver = await startReceiver((response) => response.writeHead(status).end());
	const deliveries = { baseDelay: 20, maxDelay: 20, maxAttempts: 100_000 };
	const { sandbox, client, buy } = await startDelivering(receiver, { deliveries });
	const { event } = await buy();
	await receiver.waitFor(1);
	await client.setFeatures(1001, { webhooks: false });
	await buy();
	status = 200;
	await waitForDeliveries(sandbox, [{ eventId: event.id, status: 'delivered' }]);
});
