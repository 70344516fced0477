import { z } from 'zod';

/** The key that the bench's API takes. */
export const apiKey = 'bench-key';

/** How the bench's API behaves. */
export const settingsSchema = z.object({
	/** How many transactions it has. */
	transactions: z.number().int().positive(),
	/** How long every response takes, in milliseconds. */
	latencyMs: z.number().nonnegative(),
	/** Responses take up to this much longer, in turn, so that they come in another order than requests. */
	jitterMs: z.number().nonnegative().optional(),
	/** Totals are lower bounds in a longer list (§8). */
	countedUpTo: z.number().int().positive().optional(),
	/** From the first request on, a transaction is created this often, in milliseconds. */
	insertEveryMs: z.number().positive().optional(),
	/** Requests beyond it get 429, with Retry-After in whole seconds or without. */
	limit: z
		.object({ perSecond: z.number().positive(), burst: z.number(), retryAfter: z.boolean() })
		.optional(),
	/** Cards with purchases and events, in place of those transactions; and what time it is, in ms since 1970. */
	activity: z.object({ cards: z.number().int().positive(), now: z.number() }).optional(),
});

/** See {@link settingsSchema}. */
export type Settings = z.infer<typeof settingsSchema>;

/** What the bench's API was used for since its settings were last changed. */
export const usageSchema = z.object({
	/** Cards that were frozen. */
	frozen: z.number(),
	requests: z.number(),
	/** Those of them that got 429. */
	refused: z.number(),
	/** Connections that requests came through. */
	connections: z.number(),
	/** Transactions that were created from the first request to the newest. */
	inserted: z.number(),
});

/** See {@link usageSchema}. */
export type Usage = z.infer<typeof usageSchema>;
