import { z } from 'zod';
import { SMALL_AUTHORIZATION } from '../assumptions.ts';
import type { CardUsage } from '../domain/authorization.ts';
import type { Card } from '../domain/card.ts';
import { limitStart } from '../domain/limit.ts';
import {
	amountDirectionSchema,
	transactionStatusSchema,
	type Transaction,
	type TransactionStatus,
} from '../domain/transaction.ts';
import type { Database } from './database.ts';
import {
	createdBetween,
	inAccounts,
	listPage,
	type CreatedRange,
	type ListSource,
	type Page,
	type PageRequest,
} from './list.ts';

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
