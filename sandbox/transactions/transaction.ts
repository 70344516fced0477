import { z } from 'zod';
import { SMALL_AUTHORIZATION } from '../assumptions.ts';
import type { Card } from '../cards/card.ts';
import type { Database } from '../database/database.ts';
import {
	createdBetween,
	inAccounts,
	listPage,
	type CreatedRange,
	type ListSource,
	type Page,
	type PageRequest,
} from '../database/list.ts';
import { formatAmount } from '../money.ts';
import { type CardUsage, limitStart } from '../simulate/authorize.ts';

/** The table behind the queries below. */
export const TRANSACTIONS_TABLE = `
create table transactions (
	id text primary key,
	cardId text not null references cards,
	amount integer not null check (amount >= 0),
	amountDirection text not null,
	currency text not null,
	status text not null,
	createdAt text not null,
	merchantName text,
	authorizedAmount integer not null,
	clearedAmount integer not null,
	refundedAmount integer not null,
	check (clearedAmount between 0 and amount),
	check (refundedAmount between 0 and clearedAmount)
) strict;
create index transactionsByAge on transactions (createdAt, id);
create index transactionsByCard on transactions (cardId, createdAt, id);
create index pendingTransactions on transactions (cardId) where status = 'pending';
`;

/** `debit` reduces the card's balance, `credit` is a refund (§2). */
export const amountDirectionSchema = z.enum(['debit', 'credit']);
/** `debit` or `credit` (§2). */
export type AmountDirection = z.infer<typeof amountDirectionSchema>;

/** Transaction status (§2, §3). */
export const transactionStatusSchema = z.enum(['pending', 'declined', 'settled', 'released']);
/** Transaction status (§2, §3). */
export type TransactionStatus = z.infer<typeof transactionStatusSchema>;

/** A card transaction (§2); `amount` in minor units, `createdAt` RFC 3339 in UTC. */
export interface Transaction {
	id: string;
	cardId: string;
	amount: number;
	amountDirection: AmountDirection;
	currency: string;
	status: TransactionStatus;
	createdAt: string;
	merchantName?: string | undefined;
	/** What the network asked for at first; `amount` shrinks when some of it is reversed. */
	authorizedAmount: number;
	/** How much of `amount` has been cleared. */
	clearedAmount: number;
	/** How much of what was cleared has been refunded, each time by a separate transaction. */
	refundedAmount: number;
}

const transactionRow = z.object({
	id: z.string(),
	cardId: z.string(),
	amount: z.number(),
	amountDirection: amountDirectionSchema,
	currency: z.string(),
	status: transactionStatusSchema,
	createdAt: z.string(),
	merchantName: z
		.string()
		.nullable()
		.transform((name) => name ?? undefined),
	authorizedAmount: z.number(),
	clearedAmount: z.number(),
	refundedAmount: z.number(),
});

const FROM = 'transactions join cards on cards.id = transactions.cardId';

/** Filters of GET /transactions (§4.8). */
export interface TransactionFilter extends CreatedRange {
	cardId?: string | undefined;
	status?: TransactionStatus | undefined;
}

/** Gives a transaction of one of the accounts, or undefined when they have none with this id. */
export function findTransaction(
	db: Database,
	id: string,
	accountIds: number[],
): Transaction | undefined {
	const { condition, value = '' } = inAccounts('cards.accountId', accountIds);
	return db.get(
		transactionRow,
		`select transactions.* from ${FROM} where transactions.id = :id and ${condition}`,
		{ id, accountIds: value },
	);
}

/** Gives one page of the transactions of some accounts (§4.8). */
export function listTransactions(
	db: Database,
	accountIds: number[],
	filter: TransactionFilter,
	request: PageRequest,
	countBudget: number,
): Page<Transaction> {
	const source: ListSource<Transaction> = {
		schema: transactionRow,
		columns: 'transactions.*',
		from: FROM,
		filters: [
			inAccounts('cards.accountId', accountIds),
			{
				condition: 'transactions.cardId = :cardId',
				parameter: 'cardId',
				value: filter.cardId,
			},
			{
				condition: 'transactions.status = :status',
				parameter: 'status',
				value: filter.status,
			},
			...createdBetween('transactions.createdAt', filter),
		],
		orderBy: ['transactions.createdAt', 'transactions.id'],
	};
	return listPage(db, source, request, countBudget);
}

/** Adds a transaction. Throws when its id is taken or its card is unknown. */
export function insertTransaction(db: Database, transaction: Transaction): void {
	const { merchantName = null, ...columns } = transaction;
	db.run(
		`insert into transactions values (:id, :cardId, :amount, :amountDirection, :currency,
			:status, :createdAt, :merchantName, :authorizedAmount, :clearedAmount, :refundedAmount)`,
		{ ...columns, merchantName },
	);
}

/** Writes what a step after the authorization changed: status and amounts. */
export function updateTransaction(db: Database, transaction: Transaction): void {
	const { id, amount, status, clearedAmount, refundedAmount } = transaction;
	db.run(
		`update transactions set amount = :amount, status = :status,
			clearedAmount = :clearedAmount, refundedAmount = :refundedAmount where id = :id`,
		{ id, amount, status, clearedAmount, refundedAmount },
	);
}

/**
 * Gives what a card has spent in the current period of its limit, refunds taken off, and whether
 * a single-use card is used. Declined transactions never count; released ones amount to zero (§2).
 */
export function cardUsage(db: Database, card: Card, now: Date): CardUsage {
	const usageRow = z.object({ spent: z.number(), used: z.number().transform(Boolean) });
	const usage = db.get(
		usageRow,
		`select
			coalesce(sum(case when createdAt < :start then 0
				when amountDirection = 'debit' then amount else -amount end), 0) as spent,
			coalesce(max(amountDirection = 'debit'
				and not (currency = :smallCurrency and authorizedAmount <= :smallAmount)), 0) as used
		from transactions where cardId = :cardId and status in ('pending', 'settled')`,
		{
			cardId: card.id,
			start: card.limit ? limitStart(card.limit, now) : '',
			smallCurrency: SMALL_AUTHORIZATION.currency,
			smallAmount: SMALL_AUTHORIZATION.amount,
		},
	);
	return usage ?? { spent: 0, used: false };
}

/** A transaction (§2 Card transaction). */
export const transactionDetails = (transaction: Transaction) => ({
	id: transaction.id,
	cardId: transaction.cardId,
	amount: formatAmount(transaction.amount),
	amountDirection: transaction.amountDirection,
	currency: transaction.currency,
	status: transaction.status,
	createdAt: transaction.createdAt,
	merchantName: transaction.merchantName,
});
