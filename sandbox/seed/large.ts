import { insertCard } from '../cards/card.ts';
import type { Database } from '../database/database.ts';
import { createRandom } from '../random.ts';
import { ACCOUNTS } from './accounts.ts';
import { seedId } from './ids.ts';
import { CARDS } from './small/cards.ts';
import { type TransactionLine, TRANSACTIONS } from './small/transactions.ts';
import { hoursBefore } from './time.ts';
import { writeTransactions } from './writeTransactions.ts';

/** Transactions that a large company has together with those of the small one. */
const TRANSACTION_COUNT = 100_000;

const NEW_CARDS = 240;
const DAYS = 400;
const MERCHANT_KEYS = [...new Set(TRANSACTIONS.map(([, , , merchant]) => merchant))];

/** Makes a small company a large one: more cards and transactions, the same in every sandbox. */
export function seedLarge(db: Database, now: Date): void {
	for (let index = 0; index < NEW_CARDS; index++) {
		const number = CARDS.length + 1 + index;
		insertCard(db, {
			id: seedId('card', number),
			accountId: accountOf(number),
			name: `Employee ${index + 1}`,
			lastFour: String(1_000 + number),
			status: 'active',
			type: 'recurring',
			createdAt: hoursBefore(now, 24 * (DAYS + 1) + index),
			categories: [],
			limit: { amount: 20_000_00, type: 'monthly' },
		});
	}
	const last = { lastTransaction: TRANSACTIONS.length, lastEvent: 1_000_000 };
	writeTransactions(db, lines(), accountOf, now, last);
}

const accountOf = (card: number): number =>
	ACCOUNTS[(card - CARDS.length - 1) % ACCOUNTS.length]?.id ?? 0;

/** Transactions at even distances, the newest first; those of the last day are still pending. */
function* lines(): Generator<TransactionLine> {
	const random = createRandom(1);
	const count = TRANSACTION_COUNT - TRANSACTIONS.length;
	for (let index = 0; index < count; index++) {
		const card = CARDS.length + 1 + Math.floor(random() * NEW_CARDS);
		const merchant = MERCHANT_KEYS[Math.floor(random() * MERCHANT_KEYS.length)] ?? 'unnamed';
		const hoursAgo = ((index + 1) * DAYS * 24) / count;
		const amount = 1_00 + Math.floor(random() * 60_00);
		yield [card, hoursAgo, amount, merchant, hoursAgo < 24 ? 'pending' : outcome(random())];
	}
}

function outcome(share: number): TransactionLine[4] {
	if (share < 0.9) return 'settled';
	if (share < 0.93) return 'refund';
	if (share < 0.96) return 'released';
	return { declined: share < 0.98 ? 'suspected_fraud' : 'card_frozen' };
}
