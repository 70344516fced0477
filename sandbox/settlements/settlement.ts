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
import { amountDirectionSchema, type Transaction } from '../transactions/transaction.ts';

export const SETTLEMENTS_TABLE = `
-- accountId is the card's, as in transactions.
create table settlements (
	id text primary key,
	transactionId text not null references transactions,
	cardId text not null references cards,
	accountId integer not null references accounts,
	amount integer not null,
	amountDirection text not null,
	currency text not null,
	createdAt text not null
) strict;
create index settlementsByAge on settlements (createdAt, id, accountId);
create index settlementsByCard on settlements (cardId, createdAt, id, accountId);
`;

const settlementRow = z.object({
	id: z.string(),
	transactionId: z.string(),
	cardId: z.string(),
	accountId: z.number(),
	amount: z.number(),
	/** `debit` for what was cleared of a purchase, `credit` for a refund. */
	amountDirection: amountDirectionSchema,
	currency: z.string(),
	/** When it was cleared: RFC 3339 in UTC. */
	createdAt: z.string(),
});

/** A part of a transaction that was cleared, or a refund (§2 Settlement); `amount` in minor units. */
type Settlement = z.infer<typeof settlementRow>;

export function listSettlements(
	db: Database,
	accountIds: number[],
	query: PageRequest & CreatedRange & { cardId?: string | undefined },
): Page<Settlement> {
	const filters: ListFilter[] = [
		...ofAccounts(accountIds, query),
		['cardId = :cardId', query.cardId],
	];
	return listPage(db, { schema: settlementRow, from: 'settlements', filters }, query);
}

/** Adds a settlement of a transaction. Throws when its id is taken or the transaction is unknown. */
export function insertSettlement(
	db: Database,
	{ id: transactionId, cardId, accountId, amountDirection, currency }: Transaction,
	own: Pick<Settlement, 'id' | 'amount' | 'createdAt'>,
): void {
	const parent = { transactionId, cardId, accountId, amountDirection, currency };
	db.insert('settlements', { ...parent, ...own });
}

const detailsSchema = settlementRow.omit({ accountId: true }).extend({ amount: z.string() });

/** As it is shown (assumption, §2 Settlement). */
export const settlementDetails = (settlement: Settlement) =>
	detailsSchema.parse({ ...settlement, amount: formatAmount(settlement.amount) });
