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

export const CARDS_TABLE = `
create table cards (
	id text primary key,
	accountId integer not null references accounts,
	name text not null,
	lastFour text not null,
	status text not null,
	type text not null,
	createdAt text not null,
	categories text not null,
	category text,
	limitAmount integer,
	limitType text,
	check ((limitAmount is null) = (limitType is null))
) strict;
-- §2: a name is unique, except that the name of an archived card may be reused.
create unique index oneCardPerName on cards (name) where status <> 'archived';
create index cardsByAge on cards (createdAt, id);
`;

const CATEGORIES = `
advertising saas_software shipping cloud_computing professional_services airlines
books_and_newspapers car_rental car_services charitable_donations clothing clubs_and_memberships
education electronics fees_and_financial_institutions freight_moving_and_delivery_services
fuel_and_gas general_merchandise general_expenses government_services insurance internet_and_phone
legal lodging medical office_supplies_and_cleaning other parking pet restaurants
supermarkets_and_grocery_stores taxes_and_tax_preparation taxi_and_rideshare travel_misc utilities
entertainment`;

export const categorySchema = z.enum(CATEGORIES.trim().split(/\s/));

export const cardStatusSchema = z.enum(['active', 'frozen', 'archived']);
type CardStatus = z.infer<typeof cardStatusSchema>;

export const cardTypeSchema = z.enum(['single-use', 'recurring']);

export const CARD_ACTIONS = ['freeze', 'unfreeze', 'archive'] as const;
export type CardAction = (typeof CARD_ACTIONS)[number];

/** §3 "Card status", row by row: the status after an action, or that the action is refused with 400. */
export const CARD_TRANSITIONS: Record<CardAction, Record<CardStatus, CardStatus | 'refused'>> = {
	freeze: { active: 'frozen', frozen: 'frozen', archived: 'refused' },
	unfreeze: { active: 'active', frozen: 'active', archived: 'refused' },
	archive: { active: 'archived', frozen: 'archived', archived: 'archived' },
};

const cardRow = z
	.object({
		id: z.string(),
		accountId: z.number(),
		name: z.string(),
		lastFour: z.string(),
		status: cardStatusSchema,
		type: cardTypeSchema,
		/** RFC 3339 in UTC with milliseconds, so that text order is time order. */
		createdAt: z.string(),
		categories: z.string().transform((json) => z.array(categorySchema).parse(JSON.parse(json))),
		/** Deprecated single category (§2). */
		category: categorySchema.nullable(),
		limitAmount: z.number().nullable(),
		limitType: z.string().nullable(),
	})
	.transform(({ limitAmount, limitType, category, ...card }): typeof card & CardExtras => ({
		...card,
		category: category ?? undefined,
		limit:
			limitAmount === null || limitType === null
				? undefined
				: { amount: limitAmount, type: limitType },
	}));

/** What a card may spend: `amount` in minor units, `type` one of LIMIT_TYPES (§2). */
type Limit = { amount: number; type: string } | undefined;

interface CardExtras {
	category?: z.infer<typeof categorySchema> | undefined;
	limit?: Limit;
}

/** A card (§2) without its balance, which follows from limit and transactions. */
export type Card = z.infer<typeof cardRow>;

export interface CardFilter extends CreatedRange {
	name?: string | undefined;
	status?: CardStatus | undefined;
	/** A part of the name, the last four digits, or the id; for the dashboard. */
	search?: string | undefined;
}

export function findCard(db: Database, id: string): Card | undefined {
	return db.get(cardRow, 'select * from cards where id = :id', { id });
}

const CARD_SEARCH = `(instr(casefold(name), casefold(:search)) > 0
	or lastFour = :search or id = lower(:search))`;

/** Gives one page of the cards of some accounts (§4.3). `filter.name` matches a part, in any case. */
export function listCards(
	db: Database,
	accountIds: number[],
	filter: CardFilter,
	request: PageRequest,
): Page<Card> {
	const filters: ListFilter[] = [
		...ofAccounts(accountIds, filter),
		['instr(casefold(name), casefold(:name)) > 0', filter.name],
		['status = :status', filter.status],
		[CARD_SEARCH, filter.search],
	];
	return listPage(db, { schema: cardRow, from: 'cards', filters }, request);
}

/**
 * Gives the card of some accounts that declines the least: active, reusable and without a limit if there is one.
 * Undefined if the accounts have no cards.
 */
export function readiestCard(db: Database, accountIds: number[]): Card | undefined {
	const lessReady = ["status <> 'active'", "type = 'single-use'", 'limitAmount is not null'];
	const orderBy = [...lessReady, 'createdAt', 'id'];
	const source = { schema: cardRow, from: 'cards', filters: ofAccounts(accountIds, {}), orderBy };
	return listPage(db, source, { sort: 'asc', page: 1, pageSize: 1 }).data[0];
}

/** Adds a card. Throws when its id, or its name among cards that are not archived (§2), is taken. */
export function insertCard(db: Database, card: Card): void {
	const { id, accountId, lastFour, type, createdAt } = card;
	db.insert('cards', { id, accountId, lastFour, type, createdAt, ...changeableColumns(card) });
}

/** Writes name, status, categories and limit of a card. Throws when the name is taken (§2). */
export function updateCard(db: Database, card: Card): void {
	db.update('cards', card.id, changeableColumns(card));
}

const changeableColumns = ({ name, status, categories, category, limit }: Card) => ({
	name,
	status,
	categories: JSON.stringify(categories),
	category,
	limitAmount: limit?.amount,
	limitType: limit?.type,
});

/** Tells whether a card that is not archived has this name (§2), apart from the card `except`. */
export function isNameTaken(db: Database, name: string, except = ''): boolean {
	const taken = db.get(
		z.object({ id: z.string() }),
		`select id from cards where name = :name and status <> 'archived' and id <> :except`,
		{ name, except },
	);
	return taken !== undefined;
}

/** A card as the list shows it (§2 Card). */
export const cardListItem = ({ id, createdAt, lastFour, name, status, type }: Card) => ({
	id,
	createdAt,
	lastFour,
	name,
	status,
	type,
});

/** A card with all of its fields (§2 Card), given what counts towards its limit in minor units; balance and limit only where there is a limit. */
export const cardDetails = (card: Card, { spent }: { spent: number }) => ({
	...cardListItem(card),
	categories: card.categories,
	category: card.category,
	...(card.limit && {
		balance: formatAmount(card.limit.amount - spent),
		limit: { amount: formatAmount(card.limit.amount), type: card.limit.type },
	}),
});
