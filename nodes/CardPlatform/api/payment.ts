import { z } from 'zod';

/** A payment; its amount is a decimal string, its due date YYYY-MM-DD (§2 Payment). */
export const paymentSchema = z
	.object({
		id: z.string(),
		amount: z.string().nullish(),
		dueDate: z.string().nullish(),
		status: z.string().nullish(),
		type: z.string().nullish(),
		descriptor: z.string().nullish(),
	})
	.passthrough();
