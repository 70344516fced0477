import { z } from 'zod';

import { startReceiver, waitForDeliveries, withStatuses } from './support/receiver.ts';
import { cardId, errorAnswer, startSandbox, type TestSandbox } from './support/sandbox.ts';

/** A card of account 1001. */
const CARD = cardId(3);
/** Nobody listens there, and nothing is sent a second time during a test. */
const NOWHERE = 'http://127.0.0.1:9/';
const PATIENT = { deliveries: { baseDelay: 3_600_000, maxDelay: 3_600_000 } };

async function withDeliveries(count: number) {
	const sandbox = await startSandbox(PATIENT);
	const { client } = sandbox;
	const { id: endpointId } = await client.subscribe(1001, NOWHERE);
	const ids: string[] = [];
	for (let index = 0; index < count; index++) {
		const { deliveries } = await client.authorize({ cardId: CARD, amount: '0.01' });
		ids.push(...deliveries.map(({ id }) => id));
	}
	return { sandbox, client, endpointId, ids };
}

const pageSchema = z.object({ data: z.array(z.object({ id: z.string() })) }).passthrough();

const pageOf = async (sandbox: TestSandbox, query = '') =>
	pageSchema.parse((await sandbox.control('GET', `/deliveries${query}`)).body);

const idsOf = (deliveries: { id: string }[]) => deliveries.map(({ id }) => id);

test('the log comes in pages of at most 100, the newest delivery first', async () => {
	const { sandbox, ids } = await withDeliveries(103);
	const newestFirst = [...ids].reverse();
	const { data, ...first } = await pageOf(sandbox);
	expect(idsOf(data)).toEqual(newestFirst.slice(0, 100));
	expect(first).toEqual({
		page: 1,
		pageSize: 100,
		totalItemCount: 103,
		totalPages: 2,
		totalItemCountCapped: false,
	});
	const second = await pageOf(sandbox, '?page=3&pageSize=50');
	expect(idsOf(second.data)).toEqual(newestFirst.slice(100));
	expect(await sandbox.control('GET', '/deliveries?pageSize=101')).toEqual(
		errorAnswer(400, 'bad-request'),
	);
});

test('the client follows the pages and gives every delivery once, the oldest first', async () => {
	const { client, ids } = await withDeliveries(203);
	expect(idsOf(await client.deliveries())).toEqual(ids);
});

test('deliveries are filtered by event, status and endpoint', async () => {
	const { client, endpointId, ids } = await withDeliveries(2);
	await client.unsubscribe({ id: endpointId });
	await client.subscribe(1001, NOWHERE);
	const { event, deliveries } = await client.authorize({ cardId: CARD, amount: '0.01' });
	expect(idsOf(await client.deliveries({ endpointId }))).toEqual(ids);
	expect(idsOf(await client.deliveries({ status: 'failed' }))).toEqual(ids);
	expect(idsOf(await client.deliveries({ status: 'pending' }))).toEqual(idsOf(deliveries));
	expect(idsOf(await client.deliveries({ eventId: event.id }))).toEqual(idsOf(deliveries));
	expect(await client.deliveries({ endpointId, status: 'pending' })).toEqual([]);
});

test('the log keeps the four headers of each attempt, as they were sent', async () => {
	const sandbox = await startSandbox({ deliveries: { baseDelay: 1, maxDelay: 5 } });
	const receiver = await startReceiver(withStatuses(500, 200));
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	const [delivery] = await waitForDeliveries(sandbox, [{ status: 'delivered' }]);
	const sent = receiver.received.map(({ headers }) =>
		Object.entries(headers).filter(([name]) => name.startsWith('x-webhook-')),
	);
	expect(sent.map((headers) => headers.length)).toEqual([4, 4]);
	const logged = delivery?.attempts.map(({ requestHeaders }) => Object.entries(requestHeaders));
	expect(logged).toEqual(sent);
});
