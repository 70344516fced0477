import { PLATFORM_ISSUES, SIMULATED_ISSUE_DEFAULTS } from '../../assumptions.ts';
import type { FinancialEvent, Issue, Merchant } from '../../domain/financialEvent.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { seedId } from '../ids.ts';
import { hoursBefore } from '../time.ts';
import { MERCHANTS } from './merchants.ts';
import type { SeedTransaction } from './transactions.ts';

/** An event that has not got its id yet. */
export type EventWithoutId = Omit<FinancialEvent, 'id'>;

/**
 * Tells a seeded line in full: the transaction (§2: a released one amounts to zero) and its events,
 * the first one first. `number` makes the transaction's id.
 */
export function transactionWithEvents(
	[card, hoursAgo, amount, merchantKey, outcome]: SeedTransaction,
	number: number,
	now: Date,
): { transaction: Transaction; events: EventWithoutId[] } {
	const merchant: Merchant = MERCHANTS[merchantKey];
	const shared = {
		cardId: seedId('card', card),
		currency: 'USD',
		createdAt: hoursBefore(now, hoursAgo),
	};
	const issues = typeof outcome === 'object' ? [issue(outcome.declined)] : [];
	const transaction: Transaction = {
		...shared,
		id: seedId('transaction', number),
		amount: outcome === 'released' ? 0 : amount,
		amountDirection: outcome === 'refund' ? 'credit' : 'debit',
		status: statusOf(outcome),
		merchantName: merchant.merchantName,
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
	return { transaction, events: outcome === 'released' ? [first, reversal] : [first] };
}

function statusOf(outcome: SeedTransaction[4]): Transaction['status'] {
	if (typeof outcome === 'object') return 'declined';
	return outcome === 'refund' ? 'settled' : outcome;
}

function issue(reason: string): Issue {
	const known = Object.values(PLATFORM_ISSUES).find((platform) => platform.reason === reason);
	return known ?? { ...SIMULATED_ISSUE_DEFAULTS, reason };
}
