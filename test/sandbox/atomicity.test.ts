import { z } from 'zod';

import { countRows } from '../../sandbox/counts.ts';
import { openDatabase } from '../../sandbox/database/open.ts';
import { seedDatabase } from '../../sandbox/seed/seed.ts';
import { authorize } from '../../sandbox/simulate/authorize.ts';
import { simulateStep } from '../../sandbox/simulate/steps.ts';
import { insertEndpoint } from '../../sandbox/webhooks/endpoint.ts';
import { cardId } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');

const stateSchema = z.object({
	status: z.string(),
	clearedAmount: z.number(),
	settlements: z.number(),
	payments: z.number(),
	events: z.number(),
	deliveries: z.number(),
});

function openSeeded() {
	const db = openDatabase(':memory:');
	seedDatabase(db, 'small', NOW);
	const endpoint = { accountId: 1001, url: 'http://127.0.0.1:9/' };
	insertEndpoint(db, { ...endpoint, retryTimestamp: 'new' }, NOW);
	return db;
}

test('transaction, event and deliveries are written together or not at all', () => {
	const db = openSeeded();
	const before = countRows(db);
	db.execute(
		`create trigger refuse before insert on deliveries begin select raise(abort, 'disk full'); end`,
	);
	let woken = 0;
	const services = { db, now: () => NOW, wakeDeliveries: () => (woken += 1) };
	const purchase = { cardId: cardId(3), amount: 1_00, currency: 'USD', merchant: {} };
	expect(() => authorize(services, purchase)).toThrow('disk full');
	expect(countRows(db)).toEqual(before);
	expect(woken).toBe(0);

	db.execute('drop trigger refuse');
	authorize(services, purchase);
	expect(countRows(db)).toEqual({
		...before,
		transactions: before.transactions + 1,
		events: before.events + 1,
		deliveries: before.deliveries + 1,
	});
	expect(woken).toBe(1);
	db.close();
});

test('a step is written with its settlement, payment, event and deliveries, or not at all', () => {
	const db = openSeeded();
	let woken = 0;
	const services = { db, now: () => NOW, wakeDeliveries: () => (woken += 1) };
	const { transaction } = authorize(services, {
		cardId: cardId(3),
		amount: 1_00,
		currency: 'USD',
		merchant: {},
	});
	const state = () =>
		db.get(
			stateSchema,
			`select status, clearedAmount, (select count(*) from settlements) as settlements,
				(select sum(amount) from payments) as payments, (select count(*) from events) as events,
				(select count(*) from deliveries) as deliveries
				from transactions where id = :id`,
			{ id: transaction.id },
		);
	const before = stateSchema.parse(state());
	woken = 0;
	db.execute(
		`create trigger refuse before insert on deliveries begin select raise(abort, 'disk full'); end`,
	);
	expect(() => simulateStep(services, 'clearing', transaction.id)).toThrow('disk full');
	expect(state()).toEqual(before);
	expect(woken).toBe(0);

	db.execute('drop trigger refuse');
	simulateStep(services, 'clearing', transaction.id);
	expect(state()).toEqual({
		status: 'settled',
		clearedAmount: 1_00,
		settlements: before.settlements + 1,
		payments: before.payments + 1_00,
		events: before.events + 1,
		deliveries: before.deliveries + 1,
	});
	expect(before).toMatchObject({ status: 'pending', clearedAmount: 0 });
	expect(woken).toBe(1);
	db.close();
});

test('§2: the database keeps names unique among cards that are not archived', () => {
	const db = openSeeded();
	const rename = (number: number) =>
		db.run('update cards set name = (select name from cards where id = :id) where id = :other', {
			id: cardId(1),
			other: cardId(number),
		});
	expect(() => rename(2)).toThrow(/UNIQUE/);
	expect(rename(7)).toBe(1);
	db.close();
});
