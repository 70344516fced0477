import { randomInt, randomUUID } from 'node:crypto';

import { z } from 'zod/v4';

import { CARD_WEB_UI_MESSAGE, INITIAL_CARD_STATUS, LIMIT_TYPES } from '../assumptions.ts';
import type { Database } from '../database/database.ts';
import { badRequest, notFound } from '../http/errors.ts';
import { nameSchema } from '../http/name.ts';
import { amountSchema } from '../money.ts';
import type { Services } from '../services.ts';
import {
	type Card,
	CARD_TRANSITIONS,
	type CardAction,
	cardTypeSchema,
	categorySchema,
	findCard,
	insertCard,
	isNameTaken,
	updateCard,
} from './card.ts';

export const limitSchema = z.object({ amount: amountSchema, type: z.enum(LIMIT_TYPES) });

/** §2: deprecated. Ignored like an unknown field, it would leave a card without its restriction. */
const category = z.undefined('deprecated, use categories').optional();

/** POST /cards (assumption: the fields that the card itself carries, §2). */
export const createBody = z.object({
	name: nameSchema,
	type: cardTypeSchema,
	categories: z.array(categorySchema).default([]),
	category,
	limit: limitSchema.optional(),
	accountId: z.number().int().optional(),
});

/** PATCH /cards/{card-id} (assumption): an absent field stays, `limit: null` removes the limit. */
export const updateBody = z.object({
	name: nameSchema.optional(),
	categories: z.array(categorySchema).optional(),
	category,
	limit: limitSchema.nullable().optional(),
});

/** Issues a card of an account (§4, POST /cards) and gives it. Throws a 400 when its name is taken. */
export function createCard(
	{ db, now }: Services,
	fields: z.infer<typeof createBody>,
	accountId: number,
): Card {
	const { name, type, categories, limit } = fields;
	const card: Card = {
		id: randomUUID(),
		accountId,
		name,
		lastFour: String(randomInt(10_000)).padStart(4, '0'),
		status: INITIAL_CARD_STATUS,
		type,
		createdAt: now().toISOString(),
		categories,
		limit,
	};
	db.transaction(() => {
		refuseTakenName(db, name);
		insertCard(db, card);
	});
	return card;
}

/**
 * Changes a card (§4, PATCH /cards/{card-id}) and gives it as it is then. Throws a 400 for an
 * archived card (§3: terminal), a taken name, and new categories for a card that has the
 * deprecated `category` (§2). Call it inside a transaction.
 */
export function changeCard(db: Database, card: Card, fields: z.infer<typeof updateBody>): Card {
	const { name = card.name, categories = card.categories, limit = card.limit } = fields;
	if (card.status === 'archived') throw badRequest('Cannot update an archived card');
	if (fields.categories && card.category !== undefined) throw badRequest(CARD_WEB_UI_MESSAGE);
	refuseTakenName(db, name, card.id);
	const changed: Card = { ...card, name, categories, limit: limit ?? undefined };
	updateCard(db, changed);
	return changed;
}

/**
 * Freezes, unfreezes or archives a card of any account (§3), and gives it as it is then. Throws a
 * 404 for an unknown card, a 400 where §3 refuses the action.
 */
export function takeCardAction(db: Database, cardId: string, action: CardAction): Card {
	return db.transaction(() => {
		const card = findCard(db, cardId);
		if (!card) throw notFound('The card was not found');
		const status = CARD_TRANSITIONS[action][card.status];
		if (status === 'refused') throw badRequest(`Cannot ${action} an archived card`);
		const changed: Card = { ...card, status };
		updateCard(db, changed);
		return changed;
	});
}

function refuseTakenName(db: Database, name: string, except?: string): void {
	if (isNameTaken(db, name, except)) throw badRequest('name: already used by another card');
}
