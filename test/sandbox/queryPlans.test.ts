import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { creditOf } from '../../sandbox/balance/credit.ts';
import type { Database } from '../../sandbox/database/database.ts';
import { listEvents } from '../../sandbox/events/financialEvent.ts';
import { listSettlements } from '../../sandbox/settlements/settlement.ts';
import { authorize } from '../../sandbox/simulate/authorize.ts';
import { simulateStep } from '../../sandbox/simulate/steps.ts';
import { listTransactions } from '../../sandbox/transactions/transaction.ts';
import { listDeliveries } from '../../sandbox/webhooks/deliveryLog.ts';
import { insertEndpoint } from '../../sandbox/webhooks/endpoint.ts';
import {
	dueDeliveries,
	endpointsWithDue,
	nextDueAt,
	nextDueAtOf,
	recordAttempt,
} from '../../sandbox/webhooks/outbox.ts';
import { ACCOUNT_IDS, databaseWithCards } from './support/database.ts';
import { cardId } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');

/** Tables that grow while a sandbox is used; reading one of them whole takes ever longer. */
const GROWING =
	/\b(transactions|settlements|events|payments|cards|cardUsage|endpoints|deliveries|deliveryAttempts)\b/;

afterEach(() => {
	jest.restoreAllMocks();
});

/** Gives the statements that `work` runs, each once, and how many rows they gave or changed. */
function observe(db: Database, work: () => void): { statements: string[]; rows: number } {
	const statements = new Set<string>();
	let rows = 0;
	const [all, get, run] = [db.all.bind(db), db.get.bind(db), db.run.bind(db)];
	jest.spyOn(db, 'all').mockImplementation((schema, sql, params) => {
		statements.add(sql);
		const found = all(schema, sql, params);
		rows += found.length;
		return found;
	});
	jest.spyOn(db, 'get').mockImplementation((schema, sql, params) => {
		statements.add(sql);
		rows += 1;
		return get(schema, sql, params);
	});
	jest.spyOn(db, 'run').mockImplementation((sql, params) => {
		statements.add(sql);
		const changed = run(sql, params);
		rows += changed;
		return changed;
	});
	work();
	jest.restoreAllMocks();
	return { statements: [...statements], rows };
}

const statementsOf = (db: Database, work: () => void): string[] => observe(db, work).statements;

const plan = (db: Database, sql: string): string[] =>
	db.all(z.object({ detail: z.string() }), `explain query plan ${sql}`).map(({ detail }) => detail);

/** A table or an index read from end to end. */
const isScan = (step: string): boolean => step.startsWith('SCAN') && GROWING.test(step);

/** Rows that are brought into their order after all of them were read. */
const isSort = (step: string): boolean => step.includes('TEMP B-TREE');

const open = () => {
	const db = databaseWithCards(NOW, 1_000_000);
	insertEndpoint(db, { accountId: 1001, url: 'http://127.0.0.1:9/', retryTimestamp: 'new' }, NOW);
	return { db, services: { db, now: () => NOW, wakeDeliveries: () => undefined } };
};

const slowSteps = (db: Database, statements: string[], slow: (step: string) => boolean) =>
	statements.flatMap((sql) =>
		plan(db, sql)
			.filter((step) => slow(step))
			.map((step) => `${step}: ${sql}`),
	);

test('an authorization and its steps read no table from end to end', () => {
	const { db, services } = open();
	const statements = statementsOf(db, () => {
		const purchase = { cardId: cardId(0), amount: 100, currency: 'USD', merchant: {} };
		for (const step of ['release', 'reversal', 'clearing'] as const) {
			simulateStep(services, step, authorize(services, purchase).transaction.id);
		}
		const { transaction } = authorize(services, purchase);
		simulateStep(services, 'increment', transaction.id, 10);
		simulateStep(services, 'clearing', transaction.id, 50);
		simulateStep(services, 'refund', transaction.id);
	});
	expect(statements.length).toBeGreaterThan(10);
	expect(slowSteps(db, statements, (step) => isScan(step) || isSort(step))).toEqual([]);
});

test('an authorization reads and writes as many rows after 300 purchases as after one', () => {
	const { db, services } = open();
	const purchase = { cardId: cardId(0), amount: 100, currency: 'USD', merchant: {} };
	const effort = () => observe(db, () => authorize(services, purchase));
	authorize(services, purchase);
	const first = effort();
	for (let index = 0; index < 300; index++) authorize(services, purchase);
	// Endpoints of the other account are not this purchase's.
	for (let index = 0; index < 50; index++) {
		const url = `http://127.0.0.1:9/${index}`;
		insertEndpoint(db, { accountId: 1002, url, retryTimestamp: 'new' }, NOW);
	}
	expect(effort()).toEqual(first);
});

test('the delivery worker finds what is due without reading every endpoint or delivery', () => {
	const { db, services } = open();
	const purchase = { cardId: cardId(0), amount: 100, currency: 'USD', merchant: {} };
	const { deliveries } = authorize(services, purchase);
	const { endpointId = '' } = deliveries[0] ?? {};
	const statements = statementsOf(db, () => {
		expect(endpointsWithDue(db, NOW)).toEqual([endpointId]);
		const [delivery] = dueDeliveries(db, endpointId, NOW, 8);
		assert.ok(delivery);
		nextDueAt(db, NOW);
		nextDueAtOf(db, endpointId, NOW);
		const attempt = { at: NOW.toISOString(), httpStatus: 200, durationMs: 1, error: null };
		recordAttempt(db, delivery, { ...attempt, requestHeaders: {}, responseBody: '' }, 'delivered');
	});
	expect(slowSteps(db, statements, (step) => isScan(step) || isSort(step))).toEqual([]);
});

const request = { sort: 'desc' as const, page: 1_000, pageSize: 100 };

test.each<[string, (db: Database) => void]>([
	['transactions', (db) => listTransactions(db, ACCOUNT_IDS, {}, request, 10)],
	['of a status', (db) => listTransactions(db, ACCOUNT_IDS, { status: 'settled' }, request, 10)],
	['of a card', (db) => listTransactions(db, ACCOUNT_IDS, { cardId: cardId(0) }, request, 10)],
	[
		'since a time',
		(db) => listTransactions(db, [1001], { createdAfter: NOW.toISOString() }, request, 10),
	],
	['settlements', (db) => listSettlements(db, ACCOUNT_IDS, {}, request, 10)],
	['settlements of a card', (db) => listSettlements(db, [1], { cardId: cardId(0) }, request, 10)],
	['events', (db) => listEvents(db, cardId(0))],
	['deliveries', (db) => listDeliveries(db, {}, request, 10)],
	['deliveries of an event', (db) => listDeliveries(db, { eventId: randomUUID() }, request, 10)],
	['to an endpoint', (db) => listDeliveries(db, { endpointId: randomUUID() }, request, 10)],
	['pending deliveries', (db) => listDeliveries(db, { status: 'pending' }, request, 10)],
	['deliveries of a kind', (db) => listDeliveries(db, { kind: 'declined' }, request, 10)],
	['credit', (db) => creditOf(db, ACCOUNT_IDS, NOW)],
])('%s are read in the order of an index, and nothing is sorted', (_, read) => {
	const { db } = open();
	const statements = statementsOf(db, () => read(db)).filter(
		// The attempts of one page of deliveries are brought into their order.
		(sql) => !sql.includes('deliveryAttempts'),
	);
	expect(statements).not.toEqual([]);
	expect(slowSteps(db, statements, isSort)).toEqual([]);
});

test('the index of a list covers its filters, so that skipping pages reads no rows', () => {
	const { db } = open();
	const lists = statementsOf(db, () => {
		listTransactions(db, ACCOUNT_IDS, { status: 'settled' }, request, 10);
		listTransactions(db, ACCOUNT_IDS, { cardId: cardId(0), status: 'settled' }, request, 10);
		listSettlements(db, ACCOUNT_IDS, {}, request, 10);
		listSettlements(db, ACCOUNT_IDS, { cardId: cardId(0) }, request, 10);
	});
	const counts = lists.filter((sql) => sql.startsWith('select count'));
	expect(counts).toHaveLength(4);
	for (const sql of counts) {
		expect(plan(db, sql).filter((step) => /transactions|settlements/.test(step))).toEqual([
			expect.stringContaining('USING COVERING INDEX'),
		]);
	}
});

test.each([
	['kind', { kind: 'declined' as const }],
	['status', { status: 'failed' as const }],
	['kind and status', { kind: 'declined' as const, status: 'failed' as const }],
])('deliveries filtered by %s are found in an index, without their events', (_, filter) => {
	const { db } = open();
	const lists = statementsOf(db, () => listDeliveries(db, filter, request, 10)).filter(
		(sql) => !sql.includes('deliveryAttempts'),
	);
	expect(lists).toHaveLength(2);
	for (const sql of lists) {
		expect(plan(db, sql).filter((step) => GROWING.test(step))).toEqual([
			expect.stringMatching(
				/^SEARCH deliveries USING (COVERING )?INDEX deliveriesBy(Kind|Status) /,
			),
		]);
	}
});
