import { createClock } from '../../sandbox/clock/clock.ts';
import { countRows } from '../../sandbox/database/schema.ts';
import { createFaults } from '../../sandbox/faults/faults.ts';
import { createRequestLog } from '../../sandbox/requests/requestLog.ts';
import { resetSandbox } from '../../sandbox/seed/seed.ts';
import { databaseWithCards } from './support/database.ts';
import { cardId, errorAnswer, startSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const LATER = new Date('2027-03-15T12:00:00Z');

/** Services with a moved clock and a fault, and how often deliveries were woken and the request log cleared. */
function servicesInUse() {
	const db = databaseWithCards(NOW, 1_000_000);
	const clock = createClock(() => NOW, db);
	clock.set(LATER);
	const faults = createFaults();
	faults.set([{ kind: 'duplicate', probability: 1 }], 0);
	const requestLog = createRequestLog(db, clock.now);
	const clear = jest.spyOn(requestLog, 'clear');
	const wakeDeliveries = jest.fn();
	const services = { db, clock, faults, requestLog, wakeDeliveries, applyCredentials: jest.fn() };
	return { services, clear, wakeDeliveries };
}

test('a reset that finds the disk full changes nothing', () => {
	const { services, clear, wakeDeliveries } = servicesInUse();
	const { db, clock, faults } = services;
	const counts = countRows(db);
	const rules = faults.rules();
	// No page can be added: SQLite says SQLITE_FULL, as it does on a full disk.
	db.execute('pragma max_page_count = 1');
	expect(() => resetSandbox(services, 'small')).toThrow('full');
	expect(countRows(db)).toEqual(counts);
	expect(faults.rules()).toEqual(rules);
	expect(clock.now()).toEqual(LATER);
	expect(clear).not.toHaveBeenCalled();
	expect(wakeDeliveries).not.toHaveBeenCalled();
	db.execute('pragma max_page_count = 1000000');
	resetSandbox(services, 'small');
	expect(countRows(db).cards).toBe(13);
	expect(wakeDeliveries).toHaveBeenCalledTimes(1);
});

test('a reset deletes everything, and seeds again by the clock of the machine', async () => {
	const sandbox = await startSandbox({ now: () => NOW });
	await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/');
	await sandbox.api('POST', `/cards/${cardId(1)}/archive`);
	await sandbox.client.setClock(LATER);
	await sandbox.client.setFaults([{ kind: 'duplicate' }]);
	expect(await sandbox.control('POST', '/reset', { seed: 'small' })).toMatchObject({
		status: 200,
		body: { counts: { cards: 13, activeApiKeys: 0, endpoints: 0 } },
	});
	expect(await sandbox.client.requests()).toEqual([]);
	expect((await sandbox.control('GET', '/faults')).body).toEqual({ rules: [] });
	expect((await sandbox.control('GET', '/clock')).body).toMatchObject({ adjusted: false });
	expect(await sandbox.api('GET', '/health')).toEqual(errorAnswer(401, 'unauthorized'));
	await sandbox.makeKey();
	expect((await sandbox.api('GET', `/cards/${cardId(1)}`)).body).toMatchObject({
		status: 'active',
		createdAt: '2025-02-08T12:00:00.000Z',
	});
});
