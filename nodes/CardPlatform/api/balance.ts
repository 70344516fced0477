import { z } from 'zod';

/** Credit limit and spend of an account, as decimal strings (§2 Balance). */
export const balanceSchema = z
	.object({
		availableCreditLimit: z.string(),
		overallCreditLimit: z.string(),
		last24HoursSpend: z.string(),
		last30DaysSpend: z.string(),
	})
	.passthrough();
