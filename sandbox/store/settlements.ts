import { z } from 'zod';
import type { Settlement } from '../domain/settlement.ts';
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
