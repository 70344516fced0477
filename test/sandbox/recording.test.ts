import { eventually } from '../../dev/harness/tools/waiting.ts';
import { DELIVERY_SETTINGS } from '../../sandbox/assumptions.ts';
import { createClock } from '../../sandbox/clock/clock.ts';
import type { Database } from '../../sandbox/database/database.ts';
import { openDatabase } from '../../sandbox/database/open.ts';
import { createFaults } from '../../sandbox/faults/faults.ts';
import { seedDatabase } from '../../sandbox/seed/seed.ts';
import { authorize } from '../../sandbox/simulate/authorize.ts';
import { listDeliveries } from '../../sandbox/webhooks/deliveryLog.ts';
import { insertEndpoint } from '../../sandbox/webhooks/endpoint.ts';
import { DeliveryWorker } from '../../sandbox/webhooks/worker.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { cardId } from './support/sandbox.ts';

const running = new Set<DeliveryWorker>();

afterEach(async () => {
	await Promise.all([...running].map((worker) => worker.stop()));
	running.clear();
});

/** A worker on a database that a test can break, with this many deliveries for a receiver. */
function startWorker(receiver: Receiver, deliveries: number) {
	const db = openDatabase(':memory:');
	const clock = { base: () => new Date() };
	const { now } = createClock(() => clock.base(), db);
	const faults = createFaults();
	seedDatabase(db, 'small', now());
	insertEndpoint(db, { accountId: 1001, url: receiver.url, retryTimestamp: 'new' }, now());
	const services = { db, now, wakeDeliveries: () => undefined };
	for (let number = 0; number < deliveries; number++) {
		const purchase = { cardId: cardId(3), amount: 1_00, currency: 'USD', merchant: {} };
		authorize(services, { ...purchase, decline: undefined });
	}
	const lines: string[] = [];
	const log = (line: string) => lines.push(line);
	const worker = new DeliveryWorker({ db, now, settings: DELIVERY_SETTINGS, faults, log });
	running.add(worker);
	return { db, clock, worker, lines };
}

const statuses = (db: Database) =>
	listDeliveries(db, {}, { sort: 'asc', page: 1, pageSize: 100 }).data.map(({ status }) => status);

test('attempts that a full disk cannot record are recorded later, not sent twice, and few others are sent', async () => {
	const receiver = await startReceiver((response) => response.end('x'.repeat(500)));
	const { db, worker, lines } = startWorker(receiver, 40);
	// No page can be added: SQLite says SQLITE_FULL, as it does on a full disk.
	db.execute('pragma max_page_count = 1');
	worker.wake();
	await eventually(() => expect(lines).toHaveLength(8));
	const said: unknown = expect.stringMatching(
		/^a webhook delivery cannot be recorded yet: .*full$/,
	);
	expect(lines).toEqual(Array(8).fill(said));
	for (let again = 0; again < 100; again++) worker.wake();
	const pending = statuses(db).filter((status) => status === 'pending');
	expect(receiver.received.length - (40 - pending.length)).toBeLessThanOrEqual(8);

	db.execute('pragma max_page_count = 1000000');
	await eventually(() => expect(statuses(db)).toEqual(Array(40).fill('delivered')));
	expect(receiver.received).toHaveLength(40);
});

test('deliveries continue after a failure to read what is due', async () => {
	const receiver = await startReceiver();
	const { db, worker, lines } = startWorker(receiver, 1);
	db.execute('alter table endpoints rename to elsewhere');
	worker.wake();
	expect(lines).toEqual([expect.stringContaining('no such table: endpoints')]);
	db.execute('alter table elsewhere rename to endpoints');
	await eventually(() => expect(statuses(db)).toEqual(['delivered']));
});

test('the worker stops even if attempts wait to be recorded', async () => {
	const receiver = await startReceiver((response) => response.end('x'.repeat(500)));
	const { db, worker, lines } = startWorker(receiver, 16);
	db.execute('pragma max_page_count = 1');
	worker.wake();
	await eventually(() => expect(lines).not.toEqual([]));
	await worker.stop();
	expect(statuses(db)).toContain('pending');
});

test('an attempt recorded after the clock was set back is retried by the new time', async () => {
	const receiver = await startReceiver((response) => response.writeHead(500).end());
	const { db, clock, worker, lines } = startWorker(receiver, 1);
	const firstDelivery = () => listDeliveries(db, {}, { sort: 'asc', page: 1, pageSize: 1 }).data[0];
	db.execute('pragma query_only = on');
	worker.wake();
	await eventually(() => expect(lines).toHaveLength(1));
	clock.base = () => new Date('1970-01-01T00:00:00Z');
	db.execute('pragma query_only = off');
	// The worker sees the new time before the attempt is recorded: else, all that is pending becomes due afterwards.
	worker.wake();
	await eventually(() => expect(firstDelivery()?.attempts).toHaveLength(1));
	expect(firstDelivery()?.nextAttemptAt).toMatch(/^1970-01-01/);
});
