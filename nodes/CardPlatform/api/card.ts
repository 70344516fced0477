import { z } from 'zod';

/** What a card can be in (§3). Archived is final. */
export const CARD_STATUSES = ['active', 'frozen', 'archived'] as const;

/** A status of §3. */
export type CardStatus = (typeof CARD_STATUSES)[number];

/** How often a card can be used (§2 Card). */
export const CARD_TYPES = ['recurring', 'single-use'] as const;

const spendLimit = z.object({ amount: z.string(), type: z.string() }).partial().passthrough();

/**
 * A card as GET /cards lists it (the first six fields) and GET /cards/{card-id} details it (§2
 * Card). Only the id is needed to work with one; every other field may be absent, unknown ones
 * pass through. Amounts are decimal strings.
 */
export const cardSchema = z
	.object({
		id: z.string(),
		name: z.string().nullish(),
		lastFour: z.string().nullish(),
		status: z.string().nullish(),
		type: z.string().nullish(),
		createdAt: z.string().nullish(),
		categories: z.array(z.string()).nullish(),
		category: z.string().nullish(),
		balance: z.string().nullish(),
		limit: spendLimit.nullish(),
	})
	.passthrough();

/** A card (§2 Card). */
export type Card = z.infer<typeof cardSchema>;
