import { z } from 'zod/v4';

import { SMALL_AUTHORIZATION } from '../assumptions.ts';
import type { Database } from '../database/database.ts';

const usageRow = z.object({
	/** Minor units spent in the current period of the card's limit, refunds of them taken off. */
	spent: z.number(),
	/** Whether a transaction has used up a single-use card. */
	used: z.number().transform(Boolean),
});

export type CardUsage = z.infer<typeof usageRow>;

/** Tells whether a charge is one of the small ones that a single-use card does not count (§2 Card). */
export const isSmall = ({ amount, currency }: { amount: number; currency: string }): boolean =>
	currency === SMALL_AUTHORIZATION.currency && amount <= SMALL_AUTHORIZATION.amount;

/**
 * Gives what counts towards a card's limit now (assumption LIMIT_TYPES), and whether it is used. Declined
 * purchases never count, released ones amount to zero (§2); a refund is taken off its purchase, in the
 * purchase's month (assumption, §2 Card `balance`).
 */
export function cardUsage(
	db: Database,
	{ id: cardId, limit }: { id: string; limit?: { type: string } | undefined },
	now: Date,
): CardUsage {
	const usage = db.get(
		usageRow,
		`select coalesce(sum(case when instr(createdAt, :month) = 1 then amount - refundedAmount end), 0) as spent,
				coalesce(max(currency <> :smallCurrency or authorizedAmount > :smallAmount), 0) as used
			from transactions
			where cardId = :cardId and amountDirection = 'debit' and status in ('pending', 'settled')`,
		{
			cardId,
			// Each time contains the empty string.
			month: limit?.type === 'monthly' ? now.toISOString().slice(0, 'YYYY-MM'.length) : '',
			smallCurrency: SMALL_AUTHORIZATION.currency,
			smallAmount: SMALL_AUTHORIZATION.amount,
		},
	);
	return usage ?? { spent: 0, used: false };
}
