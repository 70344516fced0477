import { z } from 'zod';
import type { Category } from './category.ts';

/** Card status (§2, §3). */
export const cardStatusSchema = z.enum(['active', 'frozen', 'archived']);
/** Card status (§2, §3). */
export type CardStatus = z.infer<typeof cardStatusSchema>;

/** Card type (§2). */
export const cardTypeSchema = z.enum(['single-use', 'recurring']);
/** Card type (§2). */
export type CardType = z.infer<typeof cardTypeSchema>;

/** What a card may spend: `amount` in minor units, `type` one of LIMIT_TYPES (§2). */
export interface CardLimit {
	amount: number;
	type: string;
}

/** A card (§2) without its balance, which follows from limit and transactions. */
export interface Card {
	id: string;
	accountId: number;
	name: string;
	lastFour: string;
	status: CardStatus;
	type: CardType;
	/** RFC 3339 in UTC with milliseconds, so that text order is time order. */
	createdAt: string;
	categories: Category[];
	/** Deprecated single category (§2). */
	category?: Category | undefined;
	limit?: CardLimit | undefined;
}

/** The operations that change a card's status (§3). */
export type CardAction = 'freeze' | 'unfreeze' | 'archive';

/** §3 "Card status", row by row: the status after an action, or that the action is refused with 400. */
export const CARD_TRANSITIONS: Record<CardAction, Record<CardStatus, CardStatus | 'refused'>> = {
	freeze: { active: 'frozen', frozen: 'frozen', archived: 'refused' },
	unfreeze: { active: 'active', frozen: 'active', archived: 'refused' },
	archive: { active: 'archived', frozen: 'archived', archived: 'archived' },
};
