import type { ServerResponse } from 'node:http';

import { sign } from '../../dev/harness/signing.ts';
import { retryDelay } from '../../sandbox/webhooks/worker.ts';
import {
	type Receiver,
	startDelivering,
	startHoldingReceiver,
	startReceiver,
	waitForDeliveries,
	withStatuses,
} from './support/receiver.ts';
import { cardId } from './support/sandbox.ts';

/** A card of account 1001. */
const CARD = cardId(3);
const QUICK = { baseDelay: 1, maxDelay: 5 };

const eventIds = (receiver: Receiver) =>
	receiver.received.map(({ headers }) => headers['x-webhook-event-id']);

test('a delivery carries the event itself, signed over its exact bytes', async () => {
	const now = new Date('2026-03-15T12:00:00Z');
	const receiver = await startReceiver();
	const { client, endpoint } = await startDelivering(receiver, { now: () => now });
	const { event } = await client.authorize({
		cardId: CARD,
		amount: '12.50',
		merchantName: 'Café Zoë ☕',
	});
	const [delivery] = await receiver.waitFor(1);
	expect(JSON.parse(delivery?.body ?? '')).toEqual(event);
	expect(delivery?.headers).toMatchObject({
		'content-type': 'application/json',
		'x-webhook-event-id': event.id,
		'x-webhook-topic': 'card.financial_event.v1',
		'x-webhook-timestamp': '2026-03-15T12:00:00.000Z',
		'x-webhook-signature': sign(delivery?.body ?? '', endpoint.signingSecret),
	});
});

test('every endpoint of the account gets the event, and no other', async () => {
	const one = await startReceiver();
	const two = await startReceiver();
	const foreign = await startReceiver();
	const { client, endpoints, buy } = await startDelivering([one, two]);
	await client.subscribe(1002, foreign.url);
	const { event, deliveries } = await buy();
	expect(deliveries.map(({ endpointId }) => endpointId)).toEqual(endpoints.map(({ id }) => id));
	await two.waitFor(1);
	const [first] = await one.waitFor(1);
	const other = await client.authorize({ cardId: cardId(8), amount: '1.00' });
	await foreign.waitFor(1);
	expect([eventIds(one), eventIds(foreign)]).toEqual([[event.id], [other.event.id]]);
	expect(first?.headers['x-webhook-signature']).toBe(
		sign(first?.body ?? '', endpoints[0]?.signingSecret ?? ''),
	);
});

test('a retry has the same id and bytes and a new timestamp', async () => {
	let hours = 0;
	const receiver = await startReceiver((response, index) => {
		response.statusCode = [500, 302, 204][index] ?? 204;
		response.end(index < 2 ? `try ${index + 1}` : undefined);
	});
	const { sandbox, buy } = await startDelivering(receiver, {
		deliveries: QUICK,
		now: () => new Date(Date.UTC(2026, 2, 15) + hours++ * 60 * 60 * 1000),
	});
	const { event } = await buy();
	const [delivery] = await waitForDeliveries(sandbox, [{ status: 'delivered' }]);
	expect(delivery?.attempts).toMatchObject([
		{ httpStatus: 500, error: null, responseBody: 'try 1' },
		{ httpStatus: 302, error: null, responseBody: 'try 2' },
		{ httpStatus: 204, error: null, responseBody: '' },
	]);
	expect(receiver.received).toHaveLength(3);
	expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
	expect(eventIds(receiver)).toEqual(Array(3).fill(event.id));
	const timestamps = receiver.received.map(({ headers }) => headers['x-webhook-timestamp']);
	expect(timestamps).toEqual(delivery?.attempts.map(({ at }) => at));
	expect(new Set(timestamps).size).toBe(3);
	// The log has the four headers of each attempt, in the order in which they were sent.
	const sent = receiver.received.map(({ headers }) =>
		Object.entries(headers).filter(([name]) => name.startsWith('x-webhook-')),
	);
	const logged = delivery?.attempts.map(({ requestHeaders }) => Object.entries(requestHeaders));
	expect(logged).toEqual(sent);
});

test('a delivery due between two clock reads is sent', async () => {
	let now = Date.UTC(2026, 2, 15);
	const receiver = await startReceiver(withStatuses(500));
	const { buy } = await startDelivering(receiver, {
		now: () => new Date(now++),
		deliveries: { baseDelay: 2, maxDelay: 2, maxAttempts: 10 },
	});
	await buy();
	await receiver.waitFor(10);
});

function respondEndlessly(response: ServerResponse): void {
	const sendMore = (): void => {
		while (!response.destroyed && response.write('x'.repeat(65_536)));
	};
	response.writeHead(503).on('drain', sendMore);
	sendMore();
}

type Answer = [what: string, respond: (response: ServerResponse) => unknown, attempt: object];

test.each<Answer>([
	['is endless', respondEndlessly, { httpStatus: 503, error: null, responseBody: 'x'.repeat(500) }],
	['does not come', () => undefined, { httpStatus: null, error: 'no response within 1 s' }],
	[
		'breaks off',
		(response) => response.destroy(),
		{ httpStatus: null, error: expect.stringMatching(/\S/) },
	],
	...[200, 500].map((httpStatus): Answer => [
		`is ${httpStatus} and stops in its body`,
		(response) => response.writeHead(httpStatus).write('partly'),
		{ httpStatus, error: `HTTP ${httpStatus}, but the body did not end`, responseBody: 'partly' },
	]),
])('a response that %s is logged, and its status counts', async (what, answer, attempt) => {
	const receiver = await startReceiver(answer);
	// What comes at once may take longer on a busy machine.
	const timeout = /not come|body/.test(what) ? 1_000 : 60_000;
	const deliveries = { ...QUICK, maxAttempts: 2, timeout };
	const { sandbox, buy } = await startDelivering(receiver, { deliveries });
	await buy();
	const isAccepted = 'httpStatus' in attempt && attempt.httpStatus === 200;
	const expected = isAccepted
		? { status: 'delivered', attempts: [attempt] }
		: { status: 'failed', attempts: [attempt, attempt] };
	await waitForDeliveries(sandbox, [expected]);
	expect(receiver.received).toHaveLength(expected.attempts.length);
});

test('an endpoint that does not respond gets no more at once, also by redelivery, and does not delay others', async () => {
	const silent = await startReceiver(() => undefined);
	const quick = await startReceiver();
	let sent = 0;
	const { client, endpoint, sandbox, buy } = await startDelivering([silent, quick], {
		deliveries: { concurrencyPerEndpoint: 2 },
		onDelivery: () => (sent += 1),
	});
	for (let i = 0; i < 5; i++) await buy();
	await quick.waitFor(5);
	const waiting = await client.deliveries({ endpointId: endpoint.id });
	// Due later than the other three, then.
	for (const { id } of waiting.slice(0, 2)) {
		await sandbox.control('POST', `/deliveries/${id}/redeliver`);
	}
	expect(sent).toBe(5 + 2);
});

test('what is due first is sent first, even if it was written later', async () => {
	const held: ServerResponse[] = [];
	const receiver = await startReceiver((response, index) => {
		if (index === 0) response.writeHead(500).end();
		else if (index === 1) held.push(response);
		else response.end();
	});
	const { sandbox, client, buy } = await startDelivering(receiver, {
		clock: '2026-03-15T12:00:00Z',
		deliveries: { concurrencyPerEndpoint: 1, baseDelay: 60_000, maxDelay: 60_000 },
	});
	const { event: retried } = await buy();
	await waitForDeliveries(sandbox, [{ attempts: [{ httpStatus: 500 }] }]);
	const { event: holding } = await buy();
	await receiver.waitFor(2);
	const { event: later } = await buy();
	await client.advanceClock(61);
	held[0]?.end();
	await receiver.waitFor(4);
	expect(eventIds(receiver)).toEqual([retried, holding, later, retried].map(({ id }) => id));
});

test('a reset during a delivery leaves nothing behind', async () => {
	const receiver = await startHoldingReceiver();
	const { sandbox, buy } = await startDelivering(receiver);
	await buy();
	await receiver.waitFor(1);
	await sandbox.control('POST', '/reset');
	await sandbox.client.subscribe(1001, receiver.url);
	const { event } = await buy();
	receiver.respond(500);
	await waitForDeliveries(sandbox, [
		{ eventId: event.id, status: 'delivered', attempts: [{ httpStatus: 200 }] },
	]);
});

test('a duplicated delivery arrives twice with the same body', async () => {
	const receiver = await startReceiver();
	const { sandbox, client, buy } = await startDelivering(receiver);
	await client.setFaults([{ kind: 'duplicate', times: 1 }]);
	const { event } = await buy();
	const attempts = [{ httpStatus: 200 }, { httpStatus: 200 }];
	await waitForDeliveries(sandbox, [{ status: 'delivered', attempts }]);
	const [one, other] = receiver.received;
	expect(one?.body).toEqual(other?.body);
	const { event: next } = await buy();
	await receiver.waitFor(3);
	expect(eventIds(receiver)).toEqual([event.id, event.id, next.id]);
});

test('a delivery with a wrong signature that is refused is retried with the right one', async () => {
	const receiver = await startReceiver(withStatuses(401, 200));
	const { sandbox, client, endpoint, buy } = await startDelivering(receiver, { deliveries: QUICK });
	await client.setFaults([{ kind: 'bad-signature', times: 1 }]);
	await buy();
	await waitForDeliveries(sandbox, [{ status: 'delivered' }]);
	const [wrong, right] = receiver.received.map(({ headers, body }) => ({
		sent: headers['x-webhook-signature'],
		expected: sign(body, endpoint.signingSecret),
	}));
	expect(wrong?.sent).toMatch(/^v0=[0-9a-f]{64}$/);
	expect(wrong?.sent).not.toBe(wrong?.expected);
	expect(right?.sent).toBe(right?.expected);
	expect(receiver.received).toHaveLength(2);
});

const BACKOFF = { baseDelay: 1_000, maxDelay: 300_000 };

test('the delay between attempts doubles up to the maximum', () => {
	const delays = [1, 2, 3, 4, 9, 10, 50].map((attempt) => retryDelay(attempt, BACKOFF));
	expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000]);
});
