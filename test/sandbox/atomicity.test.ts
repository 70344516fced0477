import { z } from 'zod/v4';

import { openDatabase } from '../../sandbox/database/open.ts';
import { seedDatabase } from '../../sandbox/seed/seed.ts';
import { authorize, type SimulationServices } from '../../sandbox/simulate/authorize.ts';
import { simulateStep } from '../../sandbox/simulate/steps.ts';
import { insertEndpoint } from '../../sandbox/webhooks/endpoint.ts';
import { servicesOf } from './support/database.ts';
import { cardId } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');

const stateSchema = z.record(z.string(), z.number());

const STATE = `select (select count(*) from transactions) as transactions,
	(select sum(clearedAmount) from transactions) as cleared,
	(select count(*) from settlements) as settlements, (select sum(amount) from payments) as payments,
	(select count(*) from events) as events, (select count(*) from deliveries) as deliveries`;

function openSeeded() {
	const db = openDatabase(':memory:');
	seedDatabase(db, 'small', NOW);
	insertEndpoint(db, { accountId: 1001, url: 'http://127.0.0.1:9/' }, NOW);
	return db;
}

const PURCHASE = { cardId: cardId(3), amount: 1_00, currency: 'USD', merchant: {} };

/** What `act` adds to the state when deliveries can be written; before that it must fail and change nothing. */
function allOrNothing(act: (services: SimulationServices) => void, db = openSeeded()) {
	let woken = 0;
	const services = { ...servicesOf(db, () => NOW), wakeDeliveries: () => (woken += 1) };
	const state = () => stateSchema.parse(db.get(stateSchema, STATE));
	const before = state();
	db.execute(
		`create trigger refuse before insert on deliveries begin select raise(abort, 'disk full'); end`,
	);
	expect(() => act(services)).toThrow('disk full');
	expect([state(), woken]).toEqual([before, 0]);
	db.execute('drop trigger refuse');
	act(services);
	expect(woken).toBe(1);
	const after = Object.entries(state());
	db.close();
	return Object.fromEntries(after.map(([name, value]) => [name, value - (before[name] ?? 0)]));
}

test('transaction, event and deliveries are written together or not at all', () => {
	const added = allOrNothing((services) => authorize(services, PURCHASE));
	const nothing = { cleared: 0, settlements: 0, payments: 0 };
	expect(added).toEqual({ transactions: 1, events: 1, deliveries: 1, ...nothing });
});

test('a step is written with its settlement, payment, event and deliveries, or not at all', () => {
	const db = openSeeded();
	const { transaction } = authorize(
		servicesOf(db, () => NOW),
		PURCHASE,
	);
	const added = allOrNothing((each) => simulateStep(each, 'clearing', transaction.id), db);
	const money = { cleared: 1_00, payments: 1_00 };
	expect(added).toEqual({ transactions: 0, events: 1, deliveries: 1, settlements: 1, ...money });
});
