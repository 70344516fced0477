import { z } from 'zod';
import { financialEventSchema, type FinancialEvent } from '../domain/financialEvent.ts';
import type { Database } from './database.ts';

const eventRow = z
	.object({ body: z.instanceof(Uint8Array) })
	.transform(({ body }) =>
		financialEventSchema.parse(JSON.parse(Buffer.from(body).toString('utf8'))),
	);

/** Adds an event, as the bytes that are served, signed and delivered (§6 Signature 1). */
export function insertEvent(db: Database, event: FinancialEvent): void {
	db.run(
		`insert into events (id, transactionId, cardId, createdAt, body)
			values (:id, :transactionId, :cardId, :createdAt, :body)`,
		{
			id: event.id,
			transactionId: event.transactionId,
			cardId: event.cardId,
			createdAt: event.createdAt,
			body: Buffer.from(JSON.stringify(event)),
		},
	);
}

/** Gives the event that a transaction began with. Throws when there is none. */
export function firstEvent(db: Database, transactionId: string): FinancialEvent {
	const event = db.get(
		eventRow,
		'select body from events where transactionId = :transactionId order by sequence limit 1',
		{ transactionId },
	);
	if (!event) throw new Error(`transaction ${transactionId} has no event`);
	return event;
}

/**
 * Gives a card's events in reverse chronological order (§4.6). Events of one transaction have the
 * same time; the later one comes first.
 */
export function listEvents(db: Database, cardId: string): FinancialEvent[] {
	return db.all(
		eventRow,
		'select body from events where cardId = :cardId order by createdAt desc, sequence desc',
		{ cardId },
	);
}
