import { z } from 'zod/v4';

import type { Database } from '../database/database.ts';
import {
	type CreatedRange,
	type ListFilter,
	listPage,
	ofAccounts,
	type Page,
	type PageRequest,
} from '../database/paging.ts';
import { formatAmount } from '../money.ts';

export const TRANSACTIONS_TABLE = `
-- accountId is the card's: lists are read by account, and their indexes have all that filters ask.
create table transactions (
	id text primary key,
	cardId text not null references cards,
	accountId integer not null references accounts,
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
create index transactionsByAge on transactions (createdAt, id, accountId, status);
create index transactionsByCard on transactions (cardId, createdAt, id, accountId, status);
create index spends on transactions (createdAt, amount, accountId)
	where amountDirection = 'debit' and status in ('pending', 'settled');
create index holds on transactions (accountId, amount, clearedAmount) where status = 'pending';
`;

/** `debit` reduces the card's balance, `credit` is a refund (§2). */
export const amountDirectionSchema = z.enum(['debit', 'credit']);

export const transactionStatusSchema = z.enum(['pending', 'declined', 'settled', 'released']);

const transactionRow = z.object({
	id: z.string(),
	cardId: z.string(),
	accountId: z.number(),
	amount: z.number(),
	amountDirection: amountDirectionSchema,
	currency: z.string(),
	status: transactionStatusSchema,
	createdAt: z.string(),
	merchantName: z
		.string()
		.nullable()
		.transform((name) => name ?? undefined),
	/** What the network requested, increments included; `amount` shrinks when some of it is reversed. */
	authorizedAmount: z.number(),
	clearedAmount: z.number(),
	/** How much of what was cleared has been refunded, each time by a separate transaction. */
	refundedAmount: z.number(),
});

/** A card transaction (§2); `amount` in minor units, `createdAt` RFC 3339 in UTC. */
export type Transaction = z.infer<typeof transactionRow>;

interface TransactionFilter extends CreatedRange {
	cardId?: string | undefined;
	status?: Transaction['status'] | undefined;
	/** A part of the merchant's or the card's name, the card's last four digits, or an id; for the dashboard. */
	search?: string | undefined;
}

/** Not `casefold`, which is slow on 100 000 rows: only ASCII letters match in any case. */
const TRANSACTION_SEARCH = `(instr(lower(transactions.merchantName), lower(:search)) > 0
	or transactions.id = lower(:search)
	or transactions.cardId in (select id from cards
		where instr(lower(name), lower(:search)) > 0 or lastFour = :search or id = lower(:search)))`;

/** Gives a transaction of one of the accounts, or undefined when they have none with this id. */
export function findTransaction(
	db: Database,
	id: string,
	accountIds: number[],
): Transaction | undefined {
	const found = db.get(transactionRow, 'select * from transactions where id = :id', { id });
	return found && accountIds.includes(found.accountId) ? found : undefined;
}

/** Gives one page of the transactions of some accounts (§4.8). */
export function listTransactions(
	db: Database,
	accountIds: number[],
	filter: TransactionFilter,
	request: PageRequest,
): Page<Transaction> {
	const filters: ListFilter[] = [
		...ofAccounts(accountIds, filter),
		['cardId = :cardId', filter.cardId],
		['status = :status', filter.status],
		[TRANSACTION_SEARCH, filter.search],
	];
	return listPage(db, { schema: transactionRow, from: 'transactions', filters }, request);
}

/** Adds a transaction. Throws when its id is taken or its card is unknown. */
export function insertTransaction(db: Database, transaction: Transaction): void {
	db.insert('transactions', { ...transaction });
}

/** Writes what a step after the authorization changed: status and amounts. */
export function updateTransaction(
	db: Database,
	{ id, amount, status, authorizedAmount, clearedAmount, refundedAmount }: Transaction,
): void {
	const changed = { amount, status, authorizedAmount, clearedAmount, refundedAmount };
	db.update('transactions', id, changed);
}

/** How much of a transaction is still held, and how much can be refunded; in minor units. */
export const stepAmounts = ({
	status,
	amount,
	amountDirection,
	clearedAmount,
	refundedAmount,
}: Transaction) => ({
	held: status === 'pending' ? amount - clearedAmount : 0,
	refundable: amountDirection === 'debit' ? clearedAmount - refundedAmount : 0,
});

/** A transaction as it is shown (§2 Card transaction); `amount` is a decimal string. */
export const transactionSchema = transactionRow
	.omit({ accountId: true, authorizedAmount: true, clearedAmount: true, refundedAmount: true })
	.extend({ amount: z.string(), merchantName: z.string().optional() });

export const transactionDetails = (transaction: Transaction) =>
	transactionSchema.parse({ ...transaction, amount: formatAmount(transaction.amount) });
