import { z } from 'zod/v4';

import { ACCOUNTS_TABLE } from '../accounts/account.ts';
import { TRANSFERS_TABLE } from '../accounts/transfer.ts';
import { CARDS_TABLE } from '../cards/card.ts';
import { CLOCK_TABLE } from '../clock/clock.ts';
import { EVENTS_TABLE } from '../events/financialEvent.ts';
import { API_KEYS_TABLE } from '../keys/apiKey.ts';
import { PAYMENTS_TABLE } from '../payments/payment.ts';
import { SETTLEMENTS_TABLE } from '../settlements/settlement.ts';
import { TRANSACTIONS_TABLE } from '../transactions/transaction.ts';
import { ENDPOINTS_TABLE } from '../webhooks/endpoint.ts';
import { DELIVERIES_TABLE, DELIVERY_ATTEMPTS_TABLE } from '../webhooks/outbox.ts';
import type { Database } from './database.ts';

/** Marks a SQLite file as a sandbox's ("CPSB"): files of other programs are never touched. */
export const APPLICATION_ID = 0x43505342;

/** Version of the tables; a file of another version is refused. */
export const SCHEMA_VERSION = 11;

/** Creates every table, parents first. Each stands beside the queries on it. */
const TABLES = {
	clock: CLOCK_TABLE,
	accounts: ACCOUNTS_TABLE,
	transfers: TRANSFERS_TABLE,
	apiKeys: API_KEYS_TABLE,
	cards: CARDS_TABLE,
	transactions: TRANSACTIONS_TABLE,
	settlements: SETTLEMENTS_TABLE,
	events: EVENTS_TABLE,
	payments: PAYMENTS_TABLE,
	endpoints: ENDPOINTS_TABLE,
	deliveries: DELIVERIES_TABLE,
	deliveryAttempts: DELIVERY_ATTEMPTS_TABLE,
};

/**
 * Creates the sandbox's tables. Columns are named like the fields of the entities. Amounts are minor
 * units; times are RFC 3339 in UTC with milliseconds, so that text order is time order.
 */
export const SCHEMA = Object.values(TABLES).join('');

const countRow = z.object({ count: z.number() });

export function countRows(db: Database) {
	const count = (of: string) => db.get(countRow, `select count(*) as count from ${of}`)?.count ?? 0;
	return {
		cards: count('cards'),
		transactions: count('transactions'),
		events: count('events'),
		payments: count('payments'),
		endpoints: count('endpoints'),
		deliveries: count('deliveries'),
	};
}

/** Deletes every row of every table, keys and endpoints included. */
export function emptyTables(db: Database): void {
	for (const table of Object.keys(TABLES).reverse()) db.execute(`delete from ${table}`);
}
