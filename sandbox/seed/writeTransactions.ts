import { PLATFORM_ISSUES, SIMULATED_ISSUE_DEFAULTS } from '../assumptions.ts';
import type { Database } from '../database/database.ts';
import {
	type EventStep,
	type FinancialEvent,
	insertEvent,
	type Issue,
	type Merchant,
} from '../events/financialEvent.ts';
import { formatAmount } from '../money.ts';
import { insertSettlement, type Settlement } from '../settlements/settlement.ts';
import type { Transaction } from '../transactions/transaction.ts';
import { writeTransaction } from '../transactions/write.ts';
import { seedId } from './ids.ts';
import { MERCHANTS } from './small/merchants.ts';
import type { TransactionLine } from './small/transactions.ts';
import { hoursBefore } from './time.ts';

/**
 * Writes seeded transactions with their events and settlements. Transactions are numbered after
 * `lastTransaction`, events after `lastEvent`. The cards must exist already; `accountOf` gives the
 * account of one by its number.
 */
export function writeTransactions(
	db: Database,
	lines: Iterable<TransactionLine>,
	accountOf: (card: number) => number,
	now: Date,
	{ lastTransaction, lastEvent }: { lastTransaction: number; lastEvent: number },
): void {
	let [transactions, events] = [lastTransaction, lastEvent];
	for (const line of lines) {
		const seeded = seededTransaction(line, ++transactions, accountOf(line[0]), now);
		writeTransaction(db, seeded.transaction);
		if (seeded.settlement) insertSettlement(db, seeded.settlement);
		for (const { step, ...event } of seeded.events) {
			insertEvent(db, { ...event, id: seedId('event', ++events) }, step);
		}
	}
}

type SeededEvent = Omit<FinancialEvent, 'id'> & { step: EventStep };

/** A seeded transaction with all that belongs to it. */
interface SeededTransaction {
	transaction: Transaction;
	/** The first one first. */
	events: SeededEvent[];
	settlement: Settlement | undefined;
}

/** Hours after which a seeded transaction was cleared. */
const CLEARING_HOURS = 24;

/**
 * Gives what a line stands for: the transaction (§2: a released one amounts to zero), its events and,
 * if it was cleared, its settlement. `number` makes the ids of transaction and settlement.
 */
function seededTransaction(
	[card, hoursAgo, amount, merchantKey, outcome]: TransactionLine,
	number: number,
	accountId: number,
	now: Date,
): SeededTransaction {
	const merchant: Merchant = MERCHANTS[merchantKey];
	const shared = {
		cardId: seedId('card', card),
		currency: 'USD',
		createdAt: hoursBefore(now, hoursAgo),
	};
	const issues = typeof outcome === 'object' ? [issue(outcome.declined)] : [];
	const status = statusOf(outcome);
	const transaction: Transaction = {
		...shared,
		accountId,
		id: seedId('transaction', number),
		amount: status === 'released' ? 0 : amount,
		amountDirection: outcome === 'refund' ? 'credit' : 'debit',
		status,
		merchantName: merchant.merchantName,
		authorizedAmount: amount,
		clearedAmount: status === 'settled' ? amount : 0,
		refundedAmount: 0,
	};
	const first: SeededEvent = {
		...shared,
		step: outcome === 'refund' ? 'refund' : 'authorization',
		transactionId: transaction.id,
		amount: formatAmount(amount),
		amountDirection: transaction.amountDirection,
		isReversal: false,
		isSuccess: issues.length === 0,
		issues,
		...merchant,
	};
	const release: SeededEvent = {
		...first,
		step: 'release',
		amountDirection: 'credit',
		isReversal: true,
	};
	const settlement: Settlement | undefined =
		status === 'settled'
			? {
					id: seedId('settlement', number),
					transactionId: transaction.id,
					cardId: transaction.cardId,
					accountId,
					amount,
					amountDirection: transaction.amountDirection,
					currency: transaction.currency,
					createdAt: hoursBefore(now, hoursAgo - CLEARING_HOURS),
				}
			: undefined;
	return {
		transaction,
		events: outcome === 'released' ? [first, release] : [first],
		settlement,
	};
}

function statusOf(outcome: TransactionLine[4]): Transaction['status'] {
	if (typeof outcome === 'object') return 'declined';
	return outcome === 'refund' ? 'settled' : outcome;
}

function issue(reason: string): Issue {
	const known = Object.values(PLATFORM_ISSUES).find((platform) => platform.reason === reason);
	return known ?? { ...SIMULATED_ISSUE_DEFAULTS, reason };
}
