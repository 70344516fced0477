import type { Database } from '../database/database.ts';
import { insertEvent } from '../events/financialEvent.ts';
import { insertSettlement } from '../settlements/settlement.ts';
import { writeTransaction } from '../transactions/write.ts';
import { seedId } from './ids.ts';
import { transactionWithEvents } from './small/story.ts';
import type { SeedTransaction } from './small/transactions.ts';

/**
 * Writes seeded transactions with their events and settlements. Transactions are numbered after
 * `lastTransaction`, events after `lastEvent`. The cards must exist already; `accountOf` gives the
 * account of one by its number.
 */
export function writeTransactions(
	db: Database,
	lines: Iterable<SeedTransaction>,
	accountOf: (card: number) => number,
	now: Date,
	{ lastTransaction, lastEvent }: { lastTransaction: number; lastEvent: number },
): void {
	let [transactions, events] = [lastTransaction, lastEvent];
	for (const line of lines) {
		const story = transactionWithEvents(line, ++transactions, accountOf(line[0]), now);
		writeTransaction(db, story.transaction);
		if (story.settlement) insertSettlement(db, story.settlement);
		for (const event of story.events) insertEvent(db, { ...event, id: seedId('event', ++events) });
	}
}
