import { z } from 'zod';

/** How to look up a card's numbers; it does not carry them (§2 Sensitive card details). */
export const sensitiveDetailsSchema = z
	.object({
		method: z.string(),
		details: z
			.object({ method: z.string(), url: z.string(), bodyJson: z.record(z.string(), z.unknown()) })
			.passthrough(),
	})
	.passthrough();
