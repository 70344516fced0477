import { z } from 'zod';

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
	const services = { db, clock, faults, requestLog, wakeDeliveries };
	return { services, clear, wakeDeliveries };
}

test("a reset seeds by the machine's clock and clears faults, request log and the changed clock", () => {
	const { services, clear, wakeDeliveries } = servicesInUse();
	resetSandbox(services, 'small');
	expect(services.clock.adjusted()).toBe(false);
	expect(services.faults.rules()).toEqual([]);
	expect(clear).toHaveBeenCalledTimes(1);
	expect(wakeDeliveries).toHaveBeenCalledTimes(1);
	const newest = services.db.get(
		z.object({ at: z.string() }),
		'select max(createdAt) as at from transactions',
	);
	expect(newest?.at.localeCompare(NOW.toISOString())).toBe(-1);
});

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
});

test('a reset deletes keys, endpoints and changes, and seeds again', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/');
	await sandbox.api('POST', `/cards/${cardId(1)}/archive`);
	expect(await sandbox.control('POST', '/reset', { seed: 'small' })).toMatchObject({
		status: 200,
		body: { counts: { cards: 13, activeApiKeys: 0, endpoints: 0 } },
	});
	expect(await sandbox.api('GET', '/health')).toEqual(errorAnswer(401, 'unauthorized'));
	await sandbox.makeKey();
	expect((await sandbox.api('GET', `/cards/${cardId(1)}`)).body).toMatchObject({
		status: 'active',
	});
});
