import { PLATFORM_ISSUES, SIMULATED_ISSUE_DEFAULTS } from '../../assumptions.ts';
import type { FinancialEvent, Issue, Merchant } from '../../events/financialEvent.ts';
import { formatAmount } from '../../money.ts';
import type { Settlement } from '../../settlements/settlement.ts';
import type { Transaction } from '../../transactions/transaction.ts';
import { seedId } from '../ids.ts';
import { hoursBefore } from '../time.ts';
import { MERCHANTS } from './merchants.ts';
import type { SeedTransaction } from './transactions.ts';

/** An event that has not got its id yet. */
export type EventWithoutId = Omit<FinancialEvent, 'id'>;

/** A seeded transaction with all that belongs to it. */
export interface Story {
	transaction: Transaction;
	/** The first one first. */
	events: EventWithoutId[];
	settlement: Settlement | undefined;
}

/** Hours after which a seeded transaction was cleared. */
const CLEARING_HOURS = 24;

/**
 * Tells a seeded line in full: the transaction (§2: a released one amounts to zero), its events and,
 * if it was cleared, its settlement. `number` makes the ids of transaction and settlement.
 */
export function transactionWithEvents(
	[card, hoursAgo, amount, merchantKey, outcome]: SeedTransaction,
	number: number,
	accountId: number,
	now: Date,
): Story {
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
	const first: EventWithoutId = {
		...shared,
		transactionId: transaction.id,
		amount: formatAmount(amount),
		amountDirection: transaction.amountDirection,
		isReversal: false,
		isSuccess: issues.length === 0,
		issues,
		...merchant,
	};
	const reversal: EventWithoutId = { ...first, amountDirection: 'credit', isReversal: true };
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
		events: outcome === 'released' ? [first, reversal] : [first],
		settlement,
	};
}

function statusOf(outcome: SeedTransaction[4]): Transaction['status'] {
	if (typeof outcome === 'object') return 'declined';
	return outcome === 'refund' ? 'settled' : outcome;
}

function issue(reason: string): Issue {
	const known = Object.values(PLATFORM_ISSUES).find((platform) => platform.reason === reason);
	return known ?? { ...SIMULATED_ISSUE_DEFAULTS, reason };
}
