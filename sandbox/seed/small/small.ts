import { insertCard } from '../../cards/card.ts';
import type { Database } from '../../database/database.ts';
import { insertPayment } from '../../payments/payment.ts';
import { seedId } from '../ids.ts';
import { daysAfter, hoursBefore } from '../time.ts';
import { writeTransactions } from '../writeTransactions.ts';
import { CARDS } from './cards.ts';
import { PAYMENTS } from './payments.ts';
import { TRANSACTIONS } from './transactions.ts';

/**
 * Writes a small believable company: the same ids in every sandbox, dates counted back from
 * `now`. The accounts must exist already.
 */
export function seedSmall(db: Database, now: Date): void {
	for (const { number, days, ...card } of CARDS) {
		const createdAt = hoursBefore(now, 24 * days);
		insertCard(db, { ...card, id: seedId('card', number), createdAt });
	}
	const accountOf = (card: number) => CARDS.find(({ number }) => number === card)?.accountId ?? 0;
	writeTransactions(db, TRANSACTIONS, accountOf, now, { lastTransaction: 0, lastEvent: 0 });
	for (const { number, days, ...payment } of PAYMENTS) {
		insertPayment(db, { ...payment, id: seedId('payment', number), dueDate: daysAfter(now, days) });
	}
}
