import fc from 'fast-check';

import { sign } from '../../harness/signing.ts';
import { eventually } from '../../harness/tools/waiting.ts';
import { retryDelay } from '../../sandbox/webhooks/worker.ts';
import {
	startHoldingReceiver,
	startReceiver,
	waitForDeliveries,
	withStatuses,
} from './support/receiver.ts';
import { cardId, startSandbox } from './support/sandbox.ts';

/** A card of account 1001. */
const CARD = cardId(3);
const QUICK = { baseDelay: 1, maxDelay: 5 };

test('a delivery carries the event itself, signed over its exact bytes', async () => {
	const now = new Date('2026-03-15T12:00:00Z');
	const sandbox = await startSandbox({ now: () => now });
	const receiver = await startReceiver();
	const { signingSecret } = await sandbox.client.subscribe(1001, receiver.url);
	const { event } = await sandbox.client.authorize({
		cardId: CARD,
		amount: '12.50',
		merchantName: 'Café Zoë ☕',
	});
	const [delivery] = await receiver.waitFor(1);
	expect(JSON.parse(String(delivery?.body))).toEqual(event);
	expect(delivery?.headers).toMatchObject({
		'content-type': 'application/json',
		'x-webhook-event-id': event.id,
		'x-webhook-topic': 'card.financial_event.v1',
		'x-webhook-timestamp': '2026-03-15T12:00:00.000Z',
		'x-webhook-signature': sign(delivery?.body ?? Buffer.alloc(0), signingSecret),
	});
});

test('every endpoint of the account gets the event, and no other', async () => {
	const sandbox = await startSandbox();
	const [one, two, foreign] = await Promise.all([
		startReceiver(),
		startReceiver(),
		startReceiver(),
	]);
	const first = await sandbox.client.subscribe(1001, one.url);
	const second = await sandbox.client.subscribe(1001, two.url);
	await sandbox.client.subscribe(1002, foreign.url);
	const { event, deliveries } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	expect(deliveries.map(({ endpointId }) => endpointId)).toEqual([first.id, second.id]);
	await one.waitFor(1);
	await two.waitFor(1);
	const other = await sandbox.client.authorize({ cardId: cardId(8), amount: '1.00' });
	await foreign.waitFor(1);
	expect(foreign.received[0]?.headers['x-webhook-event-id']).toBe(other.event.id);
	expect(one.received.map(({ headers }) => headers['x-webhook-event-id'])).toEqual([event.id]);
	const [signedWithFirst] = one.received;
	expect(signedWithFirst?.headers['x-webhook-signature']).toBe(
		sign(signedWithFirst?.body ?? Buffer.alloc(0), first.signingSecret),
	);
});

test('a retry has the same id and bytes and a new timestamp', async () => {
	let hours = 0;
	const sandbox = await startSandbox({
		deliveries: QUICK,
		now: () => new Date(Date.UTC(2026, 2, 15) + hours++ * 60 * 60 * 1000),
	});
	const receiver = await startReceiver((response, index) => {
		response.statusCode = [500, 302, 204][index] ?? 204;
		response.end(index < 2 ? `try ${index + 1}` : undefined);
	});
	await sandbox.client.subscribe(1001, receiver.url);
	const { event } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	const [delivery] = await eventually(async () => {
		const log = await sandbox.client.deliveries({ eventId: event.id });
		expect(log).toMatchObject([{ status: 'delivered' }]);
		return log;
	});
	expect(delivery?.attempts).toMatchObject([
		{ httpStatus: 500, error: null, responseBody: 'try 1' },
		{ httpStatus: 302, error: null, responseBody: 'try 2' },
		{ httpStatus: 204, error: null, responseBody: '' },
	]);
	expect(receiver.received).toHaveLength(3);
	expect(new Set(receiver.received.map(({ body }) => body.toString('hex'))).size).toBe(1);
	expect(new Set(receiver.received.map(({ headers }) => headers['x-webhook-event-id']))).toEqual(
		new Set([event.id]),
	);
	const timestamps = receiver.received.map(({ headers }) => headers['x-webhook-timestamp']);
	expect(timestamps).toEqual(delivery?.attempts.map(({ at }) => at));
	expect(new Set(timestamps).size).toBe(3);
});

test('an endpoint with original timestamps gets each retry with the time of the first attempt', async () => {
	let now = new Date('2026-03-15T12:00:00Z');
	const sandbox = await startSandbox({
		now: () => now,
		deliveries: { baseDelay: 60_000, maxDelay: 60_000 },
	});
	const receiver = await startReceiver(withStatuses(503, 503, 204));
	await sandbox.client.subscribe(1001, receiver.url, { retryTimestamp: 'original' });
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	for (let attempts = 1; attempts <= 2; attempts++) {
		await eventually(async () => {
			const [delivery] = await sandbox.client.deliveries();
			expect(delivery?.attempts).toHaveLength(attempts);
		});
		now = new Date(now.getTime() + 3_600_000);
	}
	await receiver.waitFor(3);
	const timestamps = receiver.received.map(({ headers }) => headers['x-webhook-timestamp']);
	expect(timestamps).toEqual(Array(3).fill('2026-03-15T12:00:00.000Z'));
	await eventually(async () => {
		const [delivery] = await sandbox.client.deliveries();
		expect(delivery?.attempts.map(({ at }) => at)).toEqual([
			'2026-03-15T12:00:00.000Z',
			'2026-03-15T13:00:00.000Z',
			'2026-03-15T14:00:00.000Z',
		]);
	});
});

test('a delivery due between two clock reads is sent', async () => {
	let now = Date.UTC(2026, 2, 15);
	const sandbox = await startSandbox({
		now: () => new Date(now++),
		deliveries: { baseDelay: 2, maxDelay: 2, maxAttempts: 10 },
	});
	const receiver = await startReceiver(withStatuses(500));
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await receiver.waitFor(10);
});

test('a delivery fails after the last attempt', async () => {
	const sandbox = await startSandbox({ deliveries: { ...QUICK, maxAttempts: 3 } });
	const receiver = await startReceiver((response) => {
		response.statusCode = 503;
		response.end('x'.repeat(2_000));
	});
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await waitForDeliveries(sandbox, [{ status: 'failed' }]);
	const [delivery] = await sandbox.client.deliveries();
	expect(delivery?.attempts.map(({ responseBody }) => responseBody)).toEqual(
		Array(3).fill('x'.repeat(500)),
	);
	expect(receiver.received).toHaveLength(3);
});

test('a timeout and a refused connection are recorded as errors', async () => {
	const sandbox = await startSandbox({ deliveries: { ...QUICK, maxAttempts: 1, timeout: 50 } });
	const silent = await startReceiver(() => undefined);
	await sandbox.client.subscribe(1001, silent.url);
	await sandbox.client.subscribe(1001, 'http://127.0.0.1:1/');
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await waitForDeliveries(sandbox, [
		{ status: 'failed', attempts: [{ httpStatus: null, error: 'no response within 50 ms' }] },
		{ status: 'failed', attempts: [{ httpStatus: null, error: expect.stringMatching(/\S/) }] },
	]);
});

test('a response whose body never ends is logged as such, and its status counts', async () => {
	const sandbox = await startSandbox({ deliveries: { ...QUICK, maxAttempts: 1, timeout: 5_000 } });
	const statusCodes = [200, 500];
	for (const statusCode of statusCodes) {
		const receiver = await startReceiver((response) => {
			response.writeHead(statusCode).write('partly');
		});
		await sandbox.client.subscribe(1001, receiver.url);
	}
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	const attempts = statusCodes.map((httpStatus) => [
		{
			httpStatus,
			error: `HTTP ${httpStatus}, but the body did not end within 5 s`,
			responseBody: 'partly',
		},
	]);
	await waitForDeliveries(sandbox, [
		{ status: 'delivered', attempts: attempts[0] },
		{ status: 'failed', attempts: attempts[1] },
	]);
});

test('a response whose body breaks off is logged as such', async () => {
	const sandbox = await startSandbox();
	const receiver = await startReceiver((response) => {
		response.writeHead(200, { 'content-length': 100 }).write('partly', () => response.destroy());
	});
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	const error: unknown = expect.stringMatching(/^HTTP 200, but the body broke off: \S/);
	await waitForDeliveries(sandbox, [
		{ status: 'delivered', attempts: [{ httpStatus: 200, error }] },
	]);
});

test('only the beginning of an endless body is read', async () => {
	const sandbox = await startSandbox();
	let sent = 0;
	const receiver = await startReceiver((response) => {
		const sendMore = (): void => {
			while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536;
		};
		response.on('drain', sendMore);
		sendMore();
	});
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await waitForDeliveries(sandbox, [
		{ status: 'delivered', attempts: [{ error: null, responseBody: 'x'.repeat(500) }] },
	]);
	// What the buffers of both sides hold, and no more.
	expect(sent).toBeLessThan(64 * 2 ** 20);
});

test('an endpoint that does not respond does not delay others', async () => {
	const sandbox = await startSandbox({ deliveries: { concurrencyPerEndpoint: 2 } });
	const silent = await startReceiver(() => undefined);
	const quick = await startReceiver();
	await sandbox.client.subscribe(1001, silent.url);
	await sandbox.client.subscribe(1001, quick.url);
	for (let i = 0; i < 5; i++) await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await quick.waitFor(5);
	await silent.waitFor(2);
	expect(silent.received).toHaveLength(2);
});

test('a reset during a delivery leaves nothing behind', async () => {
	const sandbox = await startSandbox();
	const receiver = await startHoldingReceiver();
	await sandbox.client.subscribe(1001, receiver.url);
	await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await receiver.waitFor(1);
	await sandbox.control('POST', '/reset');
	receiver.respond();
	await sandbox.client.subscribe(1001, receiver.url);
	const { event } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
	await waitForDeliveries(sandbox, [{ eventId: event.id, status: 'delivered' }]);
});

const BACKOFF = { baseDelay: 1_000, maxDelay: 300_000 };

test('without jitter the delay between attempts doubles up to the maximum', () => {
	const delays = [1, 2, 3, 4, 9, 10, 50].map((attempt) => retryDelay(attempt, BACKOFF, 0));
	expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000]);
});

test('jitter takes off at most half', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 60 }),
			fc.double({ min: 0, max: 1, noNaN: true }),
			(attempt, random) => {
				const full = retryDelay(attempt, BACKOFF, 0);
				const delay = retryDelay(attempt, BACKOFF, random);
				expect(delay).toBeGreaterThanOrEqual(full / 2);
				expect(delay).toBeLessThanOrEqual(full);
			},
		),
	);
	expect(retryDelay(1, BACKOFF, 1)).toBe(500);
});
