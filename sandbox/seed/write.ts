import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/financialEvent.ts';
import { insertSettlement } from '../settlements/settlement.ts';
import { insertTransaction } from '../transactions/transaction.ts';
import { seedId } from './ids.ts';
import { transactionWithEvents } from './small/story.ts';
import type { SeedTransaction } from './small/transactions.ts';

/**
 * Writes seeded transactions with their events and settlements. Transactions are numbered after
 * `lastTransaction`, events after `lastEvent`. The cards must exist already.
 */
export function writeTransactions(
	db: Database,
	lines: Iterable<SeedTransaction>,
	now: Date,
	{ lastTransaction, lastEvent }: { lastTransaction: number; lastEvent: number },
): void {
	let [transactions, events] = [lastTransaction, lastEvent];
	for (const line of lines) {
		const story = transactionWithEvents(line, ++transactions, now);
		insertTransaction(db, story.transaction);
		if (story.settlement) insertSettlement(db, story.settlement);
		for (const event of story.events) insertEvent(db, { ...event, id: seedId('event', ++events) });
	}
}
