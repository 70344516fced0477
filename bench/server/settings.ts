import { z } from 'zod';

/** The key that the bench's API takes. */
export const apiKey = 'bench-key';

/** How the bench's API behaves. */
export const settingsSchema = z.object({
	/** How many transactions it has. */
	transactions: z.number().int().positive(),
	/** How long every answer takes, in milliseconds. */
	latencyMs: z.number().nonnegative(),
	/** Cards with purchases and events, in place of those transactions; and what time it is, in ms since 1970. */
	activity: z.object({ cards: z.number().int().positive(), now: z.number() }).optional(),
});

/** See {@link settingsSchema}. */
export type Settings = z.infer<typeof settingsSchema>;
