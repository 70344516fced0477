import { z } from 'zod';
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

/** The table behind the queries below. */
export const SETTLEMENTS_TABLE = `
create table settlements (
	id text primary key,
	transactionId text not null references transactions,
	cardId text not null references cards,
	amount integer not null,
	currency text not null,
	createdAt text not null
) strict;
create index settlementsByAge on settlements (createdAt, id);
create index settlementsByCard on settlements (cardId, createdAt, id);
`;

/** A part of a transaction that was cleared, or a refund (§2 Settlement); `amount` in minor units. */
export interface Settlement {
	id: string;
	transactionId: string;
	cardId: string;
	amount: number;
	currency: string;
	/** When it was cleared: RFC 3339 in UTC. */
	createdAt: string;
}

const settlementRow = z.object({
	id: z.string(),
	transactionId: z.string(),
	cardId: z.string(),
	amount: z.number(),
	currency: z.string(),
	createdAt: z.string(),
});

/** Filters of GET /settlements (§4.11). */
export interface SettlementFilter extends CreatedRange {
	cardId?: string | undefined;
}

/** Gives one page of the settlements of some accounts (§4.11). */
export function listSettlements(
	db: Database,
	accountIds: number[],
	filter: SettlementFilter,
	request: PageRequest,
	countBudget: number,
): Page<Settlement> {
	const source: ListSource<Settlement> = {
		schema: settlementRow,
		columns: 'settlements.*',
		from: 'settlements join cards on cards.id = settlements.cardId',
		filters: [
			inAccounts('cards.accountId', accountIds),
			{ condition: 'settlements.cardId = :cardId', parameter: 'cardId', value: filter.cardId },
			...createdBetween('settlements.createdAt', filter),
		],
		orderBy: ['settlements.createdAt', 'settlements.id'],
	};
	return listPage(db, source, request, countBudget);
}

/** Adds a settlement. Throws when its id is taken or its transaction is unknown. */
export function insertSettlement(db: Database, settlement: Settlement): void {
	db.run(
		`insert into settlements values (:id, :transactionId, :cardId, :amount, :currency, :createdAt)`,
		{ ...settlement },
	);
}

/** A settlement (§2 Settlement, assumption SETTLEMENT in assumptions.ts). */
export const settlementDetails = (settlement: Settlement) => ({
	...settlement,
	amount: formatAmount(settlement.amount),
});
