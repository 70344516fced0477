import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';

// The objects of the API (§2). Amounts are decimal strings.

/** Any JSON, in n8n's type for items. */
export const anyJson = z.custom<GenericValue>();

/** Not a record: zod 4 refuses one with a field `constructor`. */
export const objectSchema: z.ZodType<IDataObject> = z.object({}).catchall(anyJson);

/** A schema requires only what the nodes rely on; unknown fields pass through. Its description names it in an error. */
export const record = <T extends z.ZodRawShape>(description: string, fields: T) =>
	z.object(fields).catchall(anyJson).describe(description);

/** What comes first in a record: when, who, how much, status. */
const READ_FIRST = [
	'createdAt',
	'dueDate',
	'merchantName',
	'descriptor',
	'amount',
	'status',
	'currency',
	'cardName',
	'cardLastFour',
	'amountDirection',
];

/** Puts the fields of a record in the order in which people read it: {@link READ_FIRST}, the others, IDs last. */
export function inReadingOrder(record: IDataObject): IDataObject {
	const rankOf = (name: string) => {
		if (/^id$|Id$|_id$/.test(name)) return READ_FIRST.length + (name === 'id' ? 2 : 1);
		return READ_FIRST.includes(name) ? READ_FIRST.indexOf(name) : READ_FIRST.length;
	};
	// Once per field, not per comparison: a list has thousands of records.
	const fields = Object.entries(record).map((field) => ({ field, rank: rankOf(field[0]) }));
	return Object.fromEntries(fields.sort((a, b) => a.rank - b.rank).map(({ field }) => field));
}

/** An account (§2 Account). */
export const accountSchema = record('an account', { id: z.number().int(), name: z.string() });

/** The response to a transfer (§2 Transfer). */
export const transferSchema = record('a transfer', {
	id: z.string(),
	fromAccountId: z.number().int(),
	toAccountId: z.number().int(),
	status: z.string(),
	createdAt: z.string(),
});

/** What the API says of a transfer that was made. */
export type Transfer = z.infer<typeof transferSchema>;

/** Credit limit and spend of an account, as decimal strings (§2 Balance). */
export const balanceSchema = record('a balance', {
	availableCreditLimit: z.string(),
	overallCreditLimit: z.string(),
	last24HoursSpend: z.string(),
	last30DaysSpend: z.string(),
});

/** The statuses of a card (§3). Archived is final. */
export const CARD_STATUSES = ['active', 'frozen', 'archived'] as const;

export type CardStatus = (typeof CARD_STATUSES)[number];

const spendLimitSchema = record('a limit', { amount: z.string(), type: z.string() }).partial();

/**
 * A card as GET /cards lists it (without limit, balance and categories) and GET /cards/{card-id} details it (§2
 * Card), in the order of a table. Every field but the id may be absent.
 */
export const cardSchema = record('a card', {
	name: z.string().nullish(),
	lastFour: z.string().nullish(),
	status: z.string().nullish(),
	type: z.string().nullish(),
	limit: spendLimitSchema.nullish(),
	balance: z.string().nullish(),
	categories: z.array(z.string()).nullish(),
	createdAt: z.string().nullish(),
	id: z.string(),
});

export type Card = z.infer<typeof cardSchema>;

/** The path of a card below the Base URL (§4). Half of a pair of UTF-16, which JSON may have, cannot be encoded. */
export const cardPath = (id: string): string =>
	`/cards/${encodeURIComponent(id.replace(/\p{Cs}/gu, '\ufffd'))}`;

/** How to look up a card's numbers; it does not carry them (§2 Sensitive card details). */
export const sensitiveDetailsSchema = record('retrieval instructions', {
	method: z.string(),
	details: z
		.object({ method: z.string(), url: z.string(), bodyJson: objectSchema })
		.catchall(anyJson),
});

/** A payment; its amount is a decimal string, its due date YYYY-MM-DD (§2 Payment). */
export const paymentSchema = record('a payment', {
	dueDate: z.string().nullish(),
	descriptor: z.string().nullish(),
	amount: z.string().nullish(),
	status: z.string().nullish(),
	type: z.string().nullish(),
	id: z.string(),
});

/** A settlement: its fields are undocumented (§2 Settlement), so it passes through as it is. */
export const settlementSchema = objectSchema.describe('a settlement');

/** The statuses of a transaction (§3). */
export const TRANSACTION_STATUSES = ['declined', 'pending', 'released', 'settled'] as const;

/** A card transaction; its amount is a decimal string (§2 Card transaction). */
export const transactionSchema = record('a transaction', {
	createdAt: z.string().nullish(),
	merchantName: z.string().nullish(),
	amount: z.string().nullish(),
	amountDirection: z.string().nullish(),
	currency: z.string().nullish(),
	status: z.string().nullish(),
	cardId: z.string().nullish(),
	id: z.string(),
});

/** The body of an error response (§2 Error body, §7). */
export const errorBodySchema = z.object({
	code: z.string(),
	message: z.string().optional().catch(undefined),
});

/** The category values of a card (§2 Card). */
export const CATEGORIES = [
	'advertising',
	'airlines',
	'books_and_newspapers',
	'car_rental',
	'car_services',
	'charitable_donations',
	'cloud_computing',
	'clothing',
	'clubs_and_memberships',
	'education',
	'electronics',
	'entertainment',
	'fees_and_financial_institutions',
	'freight_moving_and_delivery_services',
	'fuel_and_gas',
	'general_expenses',
	'general_merchandise',
	'government_services',
	'insurance',
	'internet_and_phone',
	'legal',
	'lodging',
	'medical',
	'office_supplies_and_cleaning',
	'other',
	'parking',
	'pet',
	'professional_services',
	'restaurants',
	'saas_software',
	'shipping',
	'supermarkets_and_grocery_stores',
	'taxes_and_tax_preparation',
	'taxi_and_rideshare',
	'travel_misc',
	'utilities',
] as const;
