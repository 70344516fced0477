import { z } from 'zod/v4';

import {
	startDelivering,
	startHoldingReceiver,
	startReceiver,
	waitForDeliveries,
	withStatuses,
} from './support/receiver.ts';
import { errorAnswer, refused, type TestSandbox, UNKNOWN_ID } from './support/sandbox.ts';

/** Nobody listens there, and nothing is sent a second time during a test. */
const NOWHERE = { url: 'http://127.0.0.1:9/' };
const PATIENT = { deliveries: { baseDelay: 3_600_000, maxDelay: 3_600_000 } };
const QUICK = { baseDelay: 1, maxDelay: 1 };

async function withDeliveries(count: number) {
	const { sandbox, client, endpoint, buy } = await startDelivering(NOWHERE, PATIENT);
	const ids: string[] = [];
	for (let index = 0; index < count; index++) ids.push(...idsOf((await buy()).deliveries));
	return { sandbox, client, endpointId: endpoint.id, ids, buy };
}

const pageSchema = z.object({ data: z.array(z.object({ id: z.string() })) }).loose();

const pageOf = async (sandbox: TestSandbox, query = '') =>
	pageSchema.parse((await sandbox.control('GET', `/deliveries${query}`)).body);

const idsOf = (deliveries: { id: string }[]) => deliveries.map(({ id }) => id);

test('the log comes in pages of at most 100, the newest delivery first; the client gives all, the oldest first', async () => {
	const { sandbox, client, ids } = await withDeliveries(203);
	const newestFirst = [...ids].reverse();
	const { data, ...first } = await pageOf(sandbox);
	expect(idsOf(data)).toEqual(newestFirst.slice(0, 100));
	expect(first).toEqual({
		page: 1,
		pageSize: 100,
		totalItemCount: 203,
		totalPages: 3,
		totalItemCountCapped: false,
	});
	const last = await pageOf(sandbox, '?page=5&pageSize=50');
	expect(idsOf(last.data)).toEqual(newestFirst.slice(200));
	expect(await sandbox.control('GET', '/deliveries?pageSize=101')).toEqual(refused());
	expect(idsOf(await client.deliveries())).toEqual(ids);
});

test('deliveries are filtered by event, status and endpoint', async () => {
	const { client, endpointId, ids, buy } = await withDeliveries(2);
	await client.unsubscribe({ id: endpointId });
	await client.subscribe(1001, NOWHERE.url);
	const { event, deliveries } = await buy();
	expect(idsOf(await client.deliveries({ endpointId }))).toEqual(ids);
	expect(idsOf(await client.deliveries({ status: 'failed' }))).toEqual(ids);
	expect(idsOf(await client.deliveries({ status: 'pending' }))).toEqual(idsOf(deliveries));
	expect(idsOf(await client.deliveries({ eventId: event.id }))).toEqual(idsOf(deliveries));
	expect(await client.deliveries({ endpointId, status: 'pending' })).toEqual([]);
});

/** Waits until the only delivery is as expected; gives its id. */
async function firstDelivery(sandbox: TestSandbox, status: string, attempts: number) {
	const expected = { status, attempts: Array<object>(attempts).fill({}) };
	const [delivery] = await waitForDeliveries(sandbox, [expected]);
	return delivery?.id ?? '';
}

const redeliver = (sandbox: TestSandbox, id: string) =>
	sandbox.control('POST', `/deliveries/${id}/redeliver`);

test('a redelivery is one more attempt with the same event and bytes, after a success and a failure', async () => {
	const receiver = await startReceiver(withStatuses(200, 500, 200));
	const { sandbox, buy } = await startDelivering(receiver, {
		deliveries: { ...QUICK, maxAttempts: 1 },
	});
	await buy();
	const id = await firstDelivery(sandbox, 'delivered', 1);
	expect(await redeliver(sandbox, id)).toEqual({ status: 202, body: { id, status: 'pending' } });
	await firstDelivery(sandbox, 'failed', 2);
	await redeliver(sandbox, id);
	await firstDelivery(sandbox, 'delivered', 3);
	const [one, ...others] = receiver.received.map(({ headers, body }) => ({
		id: headers['x-webhook-event-id'],
		body,
	}));
	expect(others).toEqual([one, one]);
});

test('redelivering what is on its way does not send it twice', async () => {
	const receiver = await startHoldingReceiver();
	const { sandbox, buy } = await startDelivering(receiver);
	await buy();
	await receiver.waitFor(1);
	await redeliver(sandbox, await firstDelivery(sandbox, 'pending', 0));
	receiver.respond();
	await firstDelivery(sandbox, 'delivered', 1);
	expect(receiver.received).toHaveLength(1);
});

test('an unknown delivery and one whose endpoint was removed give 404', async () => {
	const { sandbox, client, endpoint, buy } = await startDelivering(await startReceiver());
	await buy();
	const id = await firstDelivery(sandbox, 'delivered', 1);
	await client.unsubscribe(endpoint);
	for (const unknown of [UNKNOWN_ID, id]) {
		expect(await redeliver(sandbox, unknown)).toEqual(errorAnswer(404, 'not-found'));
	}
	await firstDelivery(sandbox, 'delivered', 1);
});
