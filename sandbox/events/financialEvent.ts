import { z } from 'zod/v4';

import { MAX_NAME_LENGTH } from '../assumptions.ts';
import type { Database } from '../database/database.ts';
import { amountDirectionSchema } from '../transactions/transaction.ts';

export const EVENTS_TABLE = `
-- step and at: what caused the event, and when, which its fields do not tell. body: the exact bytes that are served,
-- signed and delivered.
create table events (
	sequence integer primary key,
	id text not null unique,
	transactionId text not null references transactions,
	cardId text not null references cards,
	createdAt text not null,
	step text not null,
	at text not null,
	body blob not null
) strict;
create index eventsByCard on events (cardId, createdAt, sequence);
create index eventsByTransaction on events (transactionId, sequence);
create index eventsByTime on events (at, sequence);
`;

/** What a person or a merchant is free to write. */
export const shortString = z.string().min(1).max(MAX_NAME_LENGTH);

/** Why an authorization was declined (§2 CardFinancialEvent `issues`). */
const issueSchema = z.object({
	origin: z.string(),
	reason: z.string(),
	severity: z.string(),
});
export type Issue = z.infer<typeof issueSchema>;

/** What the network tells about a merchant (§2 CardFinancialEvent); every part may be missing. */
export const merchantSchema = z.object({
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
});
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
	.extend(merchantSchema.shape);
export type FinancialEvent = z.infer<typeof financialEventSchema>;

/** What happened to the transaction; several steps have events with the same markers. */
export const eventStepSchema = z.enum([
	'authorization',
	'increment',
	'clearing',
	'release',
	'reversal',
	'refund',
]);
export type EventStep = z.infer<typeof eventStepSchema>;

/** Derives what an event reports from its markers (§2 CardFinancialEvent). */
export function kindOf({
	isSuccess,
	isReversal,
	amountDirection,
}: Pick<FinancialEvent, 'isSuccess' | 'isReversal' | 'amountDirection'>):
	'approved' | 'declined' | 'refunded' | 'reversed' {
	if (!isSuccess) return 'declined';
	if (isReversal) return 'reversed';
	return amountDirection === 'credit' ? 'refunded' : 'approved';
}

export const parseEvent = (body: Uint8Array): FinancialEvent =>
	financialEventSchema.parse(JSON.parse(Buffer.from(body).toString('utf8')));

const bodyRow = z.object({ body: z.instanceof(Uint8Array) });

const eventRow = bodyRow.transform(({ body }) => parseEvent(body));

const causeRow = z.object({ step: eventStepSchema, at: z.string() });

/** What caused an event, and when: the event itself has the time of its transaction (§2). */
type EventCause = z.infer<typeof causeRow>;

/** Adds an event, as the bytes that are served, signed and delivered (§6 Signature 1). */
export function insertEvent(db: Database, event: FinancialEvent, cause: EventCause): void {
	const { id, transactionId, cardId, createdAt } = event;
	const body = Buffer.from(JSON.stringify(event));
	db.insert('events', { id, transactionId, cardId, createdAt, ...cause, body });
}

export const causeOf = (db: Database, id: string): EventCause | undefined =>
	db.get(causeRow, 'select step, at from events where id = :id', { id });

export function findEventBody(db: Database, id: string): string | undefined {
	const found = db.get(bodyRow, 'select body from events where id = :id', { id });
	return found && Buffer.from(found.body).toString('utf8');
}

export const findEvent = (db: Database, id: string): FinancialEvent | undefined =>
	db.get(eventRow, 'select body from events where id = :id', { id });

/**
 * Gives a card's events in reverse chronological order (§4.6). Events of one transaction have the
 * same time; the later one comes first.
 */
export const listEvents = (db: Database, cardId: string): FinancialEvent[] =>
	db.all(
		eventRow,
		'select body from events where cardId = :cardId order by createdAt desc, sequence desc',
		{ cardId },
	);

/** Gives the events of a transaction in the order in which they happened. */
export const listTransactionEvents = (db: Database, transactionId: string): FinancialEvent[] =>
	db.all(
		eventRow,
		'select body from events where transactionId = :transactionId order by sequence',
		{ transactionId },
	);

/** Gives the last events of all cards, the newest first: a clearing counts by its own time, not by its purchase's. */
export const latestEvents = (db: Database, count: number): FinancialEvent[] =>
	db.all(eventRow, 'select body from events order by at desc, sequence desc limit :count', {
		count,
	});
