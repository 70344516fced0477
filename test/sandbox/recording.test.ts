import { eventually } from '../../dev/harness/tools/waiting.ts';
import { DELIVERY_SETTINGS } from '../../sandbox/assumptions.ts';
import type { Database } from '../../sandbox/database/database.ts';
import { openDatabase } from '../../sandbox/database/open.ts';
import { seedDatabase } from '../../sandbox/seed/seed.ts';
import { authorize } from '../../sandbox/simulate/authorize.ts';
import { listDeliveries } from '../../sandbox/webhooks/deliveryLog.ts';
import { insertEndpoint } from '../../sandbox/webhooks/endpoint.ts';
import { DeliveryWorker } from '../../sandbox/webhooks/worker.ts';
import { servicesOf } from './support/database.ts';
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
	const services = servicesOf(db, () => new Date());
	const { faults, now } = services;
	seedDatabase(db, 'small', now());
	insertEndpoint(db, { accountId: 1001, url: receiver.url }, now());
	for (let number = 0; number < deliveries; number++) {
		const purchase = { cardId: cardId(3), amount: 1_00, currency: 'USD', merchant: {} };
		authorize(services, { ...purchase, decline: undefined });
	}
	const lines: string[] = [];
	const log = (line: string) => lines.push(line);
	const worker = new DeliveryWorker({ db, now, settings: DELIVERY_SETTINGS, faults, log });
	running.add(worker);
	return { db, worker, lines };
}

const statuses = (db: Database) =>
	listDeliveries(db, {}, { sort: 'asc', page: 1, pageSize: 100 }).data.map(({ status }) => status);

test('an attempt that cannot be recorded is said, and not repeated until the next start', async () => {
	const receiver = await startReceiver();
	const { db, worker, lines } = startWorker(receiver, 1);
	db.execute('pragma query_only = on');
	worker.wake();
	await eventually(() => expect(lines).not.toEqual([]), 10_000);
	const said: unknown = expect.stringMatching(/^a webhook delivery cannot be recorded: .*readonly/);
	expect(lines).toEqual([said]);
	for (let again = 0; again < 100; again++) worker.wake();
	await worker.stop();
	expect([receiver.received.length, statuses(db)]).toEqual([1, ['pending']]);
});
