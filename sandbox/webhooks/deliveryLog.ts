import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { Attempt } from './outbox.ts';

const deliveryRow = z.object({
	id: z.string(),
	eventId: z.string(),
	endpointId: z.string(),
	url: z.string(),
	status: z.enum(['pending', 'delivered', 'failed']),
});

const attemptRow = z.object({
	deliveryId: z.string(),
	at: z.string(),
	httpStatus: z.number().nullable(),
	durationMs: z.number(),
	error: z.string().nullable(),
	requestHeaders: z
		.string()
		.transform((json): Record<string, string> => z.record(z.string()).parse(JSON.parse(json))),
	responseBody: z.string(),
});

/** A delivery with all its attempts, the first one first. */
export type LoggedDelivery = z.infer<typeof deliveryRow> & { attempts: Attempt[] };

/** Gives deliveries in the order in which they were written, of one event or endpoint if asked. */
export function listDeliveries(
	db: Database,
	filter: { eventId?: string | undefined; endpointId?: string | undefined },
): LoggedDelivery[] {
	const where = `eventId = coalesce(:eventId, eventId) and endpointId = coalesce(:endpointId, endpointId)`;
	const params = { eventId: filter.eventId ?? null, endpointId: filter.endpointId ?? null };
	const deliveries = db.all(
		deliveryRow,
		`select id, eventId, endpointId, url, status from deliveries where ${where} order by sequence`,
		params,
	);
	const logged = new Map<string, LoggedDelivery>();
	for (const delivery of deliveries) logged.set(delivery.id, { ...delivery, attempts: [] });
	const attempts = db.all(
		attemptRow,
		`select * from deliveryAttempts where deliveryId in (select id from deliveries where ${where})
			order by sequence`,
		params,
	);
	for (const { deliveryId, ...attempt } of attempts) logged.get(deliveryId)?.attempts.push(attempt);
	return [...logged.values()];
}
