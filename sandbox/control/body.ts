import { z } from 'zod';
import { seedNameSchema } from '../seed/seed.ts';
import { DEFAULT_RETRY_TIMESTAMP } from '../assumptions.ts';
import { retryTimestampSchema } from '../store/endpoints.ts';
import { amountSchema, positiveAmountSchema } from '../domain/money.ts';

const shortString = z.string().min(1).max(500);

/** POST /sandbox/reset. */
export const resetBody = z.object({ seed: seedNameSchema.default('small') }).strict();

/** POST /sandbox/keys. */
export const keyBody = z.discriminatedUnion('scope', [
	z.object({ scope: z.literal('customer') }).strict(),
	z.object({ scope: z.literal('account'), accountId: z.number().int() }).strict(),
]);

/** PUT /sandbox/accounts/:id/features. */
export const featuresBody = z
	.object({
		cardManagement: z.boolean(),
		accountManagement: z.boolean(),
		webhooks: z.boolean(),
	})
	.partial()
	.strict();

/** POST /sandbox/endpoints. */
export const endpointBody = z
	.object({
		accountId: z.number().int(),
		url: z
			.string()
			.url()
			.refine((url) => /^https?:/i.test(url), 'expected an http or https URL'),
		retryTimestamp: retryTimestampSchema.default(DEFAULT_RETRY_TIMESTAMP),
	})
	.strict();

/** POST /sandbox/simulate/authorization. */
export const authorizationBody = z
	.object({
		cardId: z.string().uuid().toLowerCase(),
		amount: amountSchema,
		currency: z
			.string()
			.regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code such as "USD"')
			.default('USD'),
		category: shortString.optional(),
		mcc: z
			.string()
			.regex(/^\d{4}$/, 'expected 4 digits')
			.optional(),
		merchantName: shortString.optional(),
		merchantCity: shortString.optional(),
		merchantState: shortString.optional(),
		merchantCountry: shortString.optional(),
		merchantPostalCode: shortString.optional(),
		merchantStreetAddress: shortString.optional(),
		merchantTaxId: shortString.optional(),
		decline: z
			.object({
				origin: shortString.optional(),
				reason: shortString,
				severity: shortString.optional(),
			})
			.strict()
			.optional(),
	})
	.strict();

/** POST /sandbox/simulate/clearing, release, reversal and refund; without an amount: all there is. */
export const stepBody = z
	.object({
		transactionId: z.string().uuid().toLowerCase(),
		amount: positiveAmountSchema.optional(),
	})
	.strict();
