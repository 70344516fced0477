import { z } from 'zod';

/** The key that the bench's API takes. */
export const apiKey = 'bench-key';

/** How the bench's API behaves. */
export const settingsSchema = z.object({
	/** How many transactions it has. */
	transactions: z.number().int().positive(),
	/** How long every answer takes, in milliseconds. */
	latencyMs: z.number().nonnegative(),
});

/** See {@link settingsSchema}. */
export type Settings = z.infer<typeof settingsSchema>;
