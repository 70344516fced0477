import { z } from 'zod';

import { SMALL_AUTHORIZATION } from '../assumptions.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from './transaction.ts';

/** The table behind the queries below. */
export const CARD_USAGE_TABLE = `
-- Sums over the transactions of a card, by month of creation (UTC), so that no decision has to add
-- up a card's history.
create table cardUsage (
	cardId text not null references cards,
	month text not null,
	spent integer not null check (spent >= 0),
	uses integer not null check (uses >= 0),
	primary key (cardId, month)
) strict, without rowid;
`;

/** The table behind the queries below. */
export const ACCOUNT_HOLDS_TABLE = `
-- What is authorized and not cleared of an account: the sum over its pending transactions.
create table accountHolds (
	accountId integer primary key references accounts,
	held integer not null check (held >= 0)
) strict;
`;

const usageRow = z.object({
	/** Minor units spent in the current period of the card's limit, refunds of them taken off. */
	spent: z.number(),
	/** Whether a transaction has used up a single-use card. */
	used: z.number().transform(Boolean),
});

/** What a card's earlier transactions amount to, for the decision about the next one. */
export type CardUsage = z.infer<typeof usageRow>;

/** Tells whether a charge is one of the small ones that a single-use card does not count (§2 Card). */
export const isSmall = ({ amount, currency }: { amount: number; currency: string }): boolean =>
	currency === SMALL_AUTHORIZATION.currency && amount <= SMALL_AUTHORIZATION.amount;

/**
 * Brings the sums up to date with a transaction that was just written; `before` is what it was, if
 * it is not new. Call it in the same SQLite transaction.
 */
export function recordUsage(
	db: Database,
	before: Transaction | undefined,
	{ cardId, accountId, createdAt, ...after }: Transaction,
): void {
	const [was, is] = [usageOf(before), usageOf(after)];
	const [spent, uses] = [is.spent - was.spent, is.uses - was.uses];
	if (spent !== 0 || uses !== 0) {
		// Not an upsert: its insert would have to pass the table's checks with the difference alone.
		db.run(`insert or ignore into cardUsage values (:cardId, :month, 0, 0)`, {
			cardId,
			month: createdAt.slice(0, MONTH_LENGTH),
		});
		db.run(
			`update cardUsage set spent = spent + :spent, uses = uses + :uses
				where cardId = :cardId and month = :month`,
			{ cardId, month: createdAt.slice(0, MONTH_LENGTH), spent, uses },
		);
	}
	const held = is.held - was.held;
	if (held !== 0) {
		db.run('insert or ignore into accountHolds values (:accountId, 0)', { accountId });
		db.run('update accountHolds set held = held + :held where accountId = :accountId', {
			accountId,
			held,
		});
	}
}

const MONTH_LENGTH = 'YYYY-MM'.length;

type Counted = Omit<Transaction, 'id' | 'cardId' | 'accountId' | 'createdAt'>;

/**
 * What a transaction adds to each sum. Declined ones never count, released ones amount to zero
 * (§2). A refund is taken off its purchase, in the purchase's month (assumption, §2 Card `balance`).
 */
function usageOf(transaction: Counted | undefined): { spent: number; uses: number; held: number } {
	const nothing = { spent: 0, uses: 0, held: 0 };
	if (transaction?.amountDirection !== 'debit') return nothing;
	const { status, amount, currency, authorizedAmount, clearedAmount, refundedAmount } = transaction;
	if (status !== 'pending' && status !== 'settled') return nothing;
	return {
		spent: amount - refundedAmount,
		uses: isSmall({ amount: authorizedAmount, currency }) ? 0 : 1,
		held: status === 'pending' ? amount - clearedAmount : 0,
	};
}

/** Computes all sums anew, after transactions were written in bulk: the rules of `usageOf`, in SQL. */
export function recomputeUsage(db: Database): void {
	db.execute('delete from cardUsage; delete from accountHolds;');
	db.run(
		`insert into cardUsage
			select cardId, substr(createdAt, 1, ${MONTH_LENGTH}), sum(amount - refundedAmount),
				sum(not (currency = :smallCurrency and authorizedAmount <= :smallAmount))
			from transactions where amountDirection = 'debit' and status in ('pending', 'settled')
			group by 1, 2`,
		{ smallCurrency: SMALL_AUTHORIZATION.currency, smallAmount: SMALL_AUTHORIZATION.amount },
	);
	db.execute(
		`insert into accountHolds select accountId, sum(amount - clearedAmount) from transactions
			where status = 'pending' and amountDirection = 'debit' group by accountId`,
	);
}

/** Gives what counts towards a card's limit now (assumption LIMIT_TYPES), and whether it is used. */
export function cardUsage(
	db: Database,
	{ id: cardId, limit }: { id: string; limit?: { type: string } | undefined },
	now: Date,
): CardUsage {
	const usage = db.get(
		usageRow,
		`select coalesce(sum(case when :month in ('', month) then spent end), 0) as spent,
				coalesce(sum(uses), 0) > 0 as used
			from cardUsage where cardId = :cardId`,
		{ cardId, month: limit?.type === 'monthly' ? now.toISOString().slice(0, MONTH_LENGTH) : '' },
	);
	return usage ?? { spent: 0, used: false };
}
