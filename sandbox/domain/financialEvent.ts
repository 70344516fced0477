import { z } from 'zod';
import { amountDirectionSchema } from './transaction.ts';

/** Why an authorization was declined (§2 CardFinancialEvent `issues`). */
export const issueSchema = z.object({
	origin: z.string(),
	reason: z.string(),
	severity: z.string(),
});
/** Why an authorization was declined (§2). */
export type Issue = z.infer<typeof issueSchema>;

/** What the network tells about a merchant (§2 CardFinancialEvent); every part may be missing. */
export const merchantSchema = z.object({
	category: z.string().optional(),
	mcc: z.string().optional(),
	merchantName: z.string().optional(),
	merchantCity: z.string().optional(),
	merchantState: z.string().optional(),
	merchantCountry: z.string().optional(),
	merchantPostalCode: z.string().optional(),
	merchantStreetAddress: z.string().optional(),
	merchantTaxId: z.string().optional(),
});
/** What the network tells about a merchant (§2). */
export type Merchant = z.infer<typeof merchantSchema>;

/** CardFinancialEvent exactly as it is served and delivered (§2, §6); `amount` is a decimal string. */
export const financialEventSchema = z
	.object({
		id: z.string(),
		transactionId: z.string(),
		cardId: z.string(),
		amount: z.string(),
		amountDirection: amountDirectionSchema,
		currency: z.string(),
		isReversal: z.boolean(),
		isSuccess: z.boolean(),
		createdAt: z.string(),
		issues: z.array(issueSchema),
	})
	.merge(merchantSchema);
/** CardFinancialEvent as it is served and delivered (§2, §6). */
export type FinancialEvent = z.infer<typeof financialEventSchema>;
