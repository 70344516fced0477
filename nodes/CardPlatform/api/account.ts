import { z } from 'zod';

/** An account (§2 Account). */
export const accountSchema = z.object({ id: z.number().int(), name: z.string() }).passthrough();

/** What a transfer answers with (§2 Transfer). */
export const transferSchema = z
	.object({
		id: z.string(),
		fromAccountId: z.number().int(),
		toAccountId: z.number().int(),
		status: z.string(),
		createdAt: z.string(),
	})
	.passthrough();
