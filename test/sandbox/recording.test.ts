import { eventually } from '../../dev/harness/tools/waiting.ts';
import { DELIVERY_SETTINGS } from '../../sandbox/assumptions.ts';
import { openDatabase } from '../../sandbox/database/open.ts';
import { seedDatabase } from '../../sandbox/seed/seed.ts';
import { authorize } from '../../sandbox/simulate/authorize.ts';
import { listDeliveries } from '../../sandbox/webhooks/deliveryLog.ts';
import { insertEndpoint } from '../../sandbox/webhooks/endpoint.ts';
import { DeliveryWorker } from '../../sandbox/webhooks/worker.ts';
import { servicesOf } from './support/database.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId } from './support/sandbox.ts';

test('an attempt that cannot be recorded is said, and not repeated until the next start', async () => {
	const receiver = await startReceiver();
	const db = openDatabase(':memory:');
	const services = servicesOf(db, () => new Date());
	const { faults, now } = services;
	seedDatabase(db, 'small', now());
	insertEndpoint(db, { accountId: 1001, url: receiver.url }, now());
	authorize(services, { cardId: cardId(3), amount: 1_00, currency: 'USD', merchant: {} });
	const lines: string[] = [];
	const log = (line: string) => lines.push(line);
	let attempts = 0;
	const onDelivery = () => (attempts += 1);
	const options = { db, now, settings: DELIVERY_SETTINGS, faults, log, onDelivery };
	const worker = new DeliveryWorker(options);
	db.execute('pragma query_only = on');
	try {
		worker.wake();
		await eventually(() => expect(lines).not.toEqual([]), 10_000);
		for (let again = 0; again < 100; again++) worker.wake();
	} finally {
		await worker.stop();
	}
	const said: unknown = expect.stringMatching(/^a webhook delivery cannot be recorded: .*readonly/);
	expect(lines).toEqual([said]);
	expect(attempts).toBe(1);
	const { data } = listDeliveries(db, {}, { sort: 'asc', page: 1, pageSize: 100 });
	expect(data).toMatchObject([{ status: 'pending' }]);
});
