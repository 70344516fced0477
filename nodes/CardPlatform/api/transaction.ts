import { z } from 'zod';

/** What a transaction can be in (§3). */
export const TRANSACTION_STATUSES = ['declined', 'pending', 'released', 'settled'] as const;

/** A card transaction; its amount is a decimal string (§2 Card transaction). */
export const transactionSchema = z
	.object({
		id: z.string(),
		cardId: z.string().nullish(),
		amount: z.string().nullish(),
		amountDirection: z.string().nullish(),
		currency: z.string().nullish(),
		status: z.string().nullish(),
		createdAt: z.string().nullish(),
		merchantName: z.string().nullish(),
	})
	.passthrough();
