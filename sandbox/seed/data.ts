import { z } from 'zod/v4';

import { PAYMENT_STATUSES, PAYMENT_TYPES } from '../assumptions.ts';
import { cardStatusSchema, cardTypeSchema, categorySchema } from '../cards/card.ts';
import { limitSchema } from '../cards/change.ts';
import { merchantSchema } from '../events/financialEvent.ts';
import { nameSchema } from '../http/name.ts';
import { amountSchema, currencySchema, positiveAmountSchema } from '../money.ts';

const days = z.number().int().min(-3_000).max(3_000);

const cardSchema = z.strictObject({
	name: nameSchema,
	type: cardTypeSchema.default('recurring'),
	status: cardStatusSchema.default('active'),
	/** The first account, unless it says otherwise. */
	accountId: z.number().int().optional(),
	lastFour: z
		.string()
		.regex(/^\d{4}$/, 'expected 4 digits')
		.default('0000'),
	days: days.default(0),
	categories: z.array(categorySchema).default([]),
	/** Deprecated (§2). */
	category: categorySchema.optional(),
	limit: limitSchema.strict().optional(),
});

const transactionSchema = z.strictObject({
	/** The position of a card in `cards`, from 1, or its name. */
	card: z.union([z.number().int(), z.string()]),
	/** A key of `merchants`. */
	merchant: z.string(),
	amount: positiveAmountSchema,
	currency: currencySchema,
	hoursAgo: z.number().min(0).max(100_000),
	outcome: z.enum(['pending', 'settled', 'released', 'refund', 'declined']),
	reason: z.string().default('insufficient_funds'),
});

const paymentSchema = z.strictObject({
	accountId: z.number().int(),
	amount: amountSchema,
	/** The due date, counted from today. */
	days,
	status: z.enum(PAYMENT_STATUSES),
	type: z.enum(PAYMENT_TYPES),
});

const accountSchema = z.strictObject({
	id: z.number().int().positive(),
	name: nameSchema,
	creditLimit: amountSchema,
});

/** What a sandbox begins with. Times are counted back from now. */
export const seedDataSchema = z.strictObject({
	accounts: z
		.array(accountSchema)
		.min(1)
		.prefault(() => [
			{ id: 1001, name: 'Operating', creditLimit: '250000.00' },
			{ id: 1002, name: 'Marketing', creditLimit: '150000.00' },
			// A new account: nothing can be spent until a transfer funds it (§4.2).
			{ id: 1003, name: 'New projects', creditLimit: '0.00' },
		]),
	merchants: z.record(z.string(), merchantSchema.strict()).default({}),
	cards: z.array(cardSchema).default([]),
	/** The newest first. */
	transactions: z.array(transactionSchema).default([]),
	payments: z.array(paymentSchema).default([]),
});

export type SeedData = z.infer<typeof seedDataSchema>;
export type SeedTransaction = SeedData['transactions'][number];
