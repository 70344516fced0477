import { z } from 'zod';
import { cardStatusSchema, cardTypeSchema, type Card, type CardStatus } from '../domain/card.ts';
import { categorySchema } from '../domain/category.ts';
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

const cardRow = z
	.object({
		id: z.string(),
		accountId: z.number(),
		name: z.string(),
		lastFour: z.string(),
		status: cardStatusSchema,
		type: cardTypeSchema,
		createdAt: z.string(),
		categories: z.string().transform((json) => z.array(categorySchema).parse(JSON.parse(json))),
		category: categorySchema.nullable().transform((category) => category ?? undefined),
		limitAmount: z.number().nullable(),
		limitType: z.string().nullable(),
	})
	.transform(({ limitAmount, limitType, ...card }): Card => {
		if (limitAmount === null || limitType === null) return card;
		return { ...card, limit: { amount: limitAmount, type: limitType } };
	});

/** Filters of GET /cards (§4.3). */
export interface CardFilter extends CreatedRange {
	name?: string | undefined;
	status?: CardStatus | undefined;
}

/** Gives a card, or undefined when there is none with this id. */
export function findCard(db: Database, id: string): Card | undefined {
	return db.get(cardRow, 'select * from cards where id = :id', { id });
}

/** Gives one page of the cards of some accounts (§4.3). `filter.name` matches a part, in any case. */
export function listCards(
	db: Database,
	accountIds: number[],
	filter: CardFilter,
	request: PageRequest,
	countBudget: number,
): Page<Card> {
	const source: ListSource<Card> = {
		schema: cardRow,
		columns: '*',
		from: 'cards',
		filters: [
			inAccounts('accountId', accountIds),
			{
				condition: 'instr(casefold(name), casefold(:name)) > 0',
				parameter: 'name',
				value: filter.name,
			},
			{ condition: 'status = :status', parameter: 'status', value: filter.status },
			...createdBetween('createdAt', filter),
		],
		orderBy: ['createdAt', 'id'],
	};
	return listPage(db, source, request, countBudget);
}

/** Adds a card. Throws when its id, or its name among cards that are not archived (§2), is taken. */
export function insertCard(db: Database, card: Card): void {
	const { limit, category = null, categories, ...columns } = card;
	db.run(
		`insert into cards values (:id, :accountId, :name, :lastFour, :status, :type, :createdAt,
			:categories, :category, :limitAmount, :limitType)`,
		{
			...columns,
			category,
			categories: JSON.stringify(categories),
			limitAmount: limit?.amount ?? null,
			limitType: limit?.type ?? null,
		},
	);
}

/** Writes name, categories and limit of a card. Throws when the name is taken (§2). */
export function updateCard(db: Database, { id, name, categories, limit }: Card): void {
	db.run(
		`update cards set name = :name, categories = :categories, limitAmount = :limitAmount,
			limitType = :limitType where id = :id`,
		{
			id,
			name,
			categories: JSON.stringify(categories),
			limitAmount: limit?.amount ?? null,
			limitType: limit?.type ?? null,
		},
	);
}

/** Tells whether a card that is not archived has this name (§2), apart from the card `except`. */
export function isNameTaken(db: Database, name: string, except = ''): boolean {
	const taken = db.get(
		z.object({ id: z.string() }),
		`select id from cards where name = :name and status <> 'archived' and id <> :except`,
		{ name, except },
	);
	return taken !== undefined;
}

/** Sets a card's status (§3 decides which). */
export function setCardStatus(db: Database, id: string, status: CardStatus): void {
	db.run('update cards set status = :status where id = :id', { id, status });
}
