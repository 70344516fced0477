import { z } from 'zod';

import type { Database } from '../database/database.ts';
import { type ListFilter, listPage, type Page, type PageRequest } from '../database/paging.ts';
import { type Attempt, attemptRow } from './outbox.ts';

/** What became of a delivery so far. */
export const deliveryStatusSchema = z.enum(['pending', 'delivered', 'failed']);

const deliveryRow = z
	.object({
		id: z.string(),
		eventId: z.string(),
		endpointId: z.string(),
		url: z.string(),
		status: deliveryStatusSchema,
		dueAt: z.string(),
	})
	.transform(({ dueAt, ...delivery }) => ({
		...delivery,
		/** When the next attempt is due, of a pending delivery. */
		nextAttemptAt: delivery.status === 'pending' ? dueAt : null,
	}));

/** A delivery with all its attempts, the first one first. */
export type LoggedDelivery = z.infer<typeof deliveryRow> & { attempts: Attempt[] };

/** Which deliveries are listed: all of them where nothing is set. */
export interface DeliveryFilter {
	eventId?: string | undefined;
	endpointId?: string | undefined;
	status?: z.infer<typeof deliveryStatusSchema> | undefined;
}

/** Gives one page of the deliveries, in the order in which they were written or the other way round. */
export function listDeliveries(
	db: Database,
	filter: DeliveryFilter,
	request: PageRequest,
	countBudget: number,
): Page<LoggedDelivery> {
	const filters: ListFilter[] = [
		['eventId = :eventId', filter.eventId],
		['endpointId = :endpointId', filter.endpointId],
		['status = :status', filter.status],
	];
	const source = { schema: deliveryRow, from: 'deliveries', filters, orderBy: ['sequence'] };
	const page = listPage(db, source, request, countBudget);
	return { ...page, data: withAttempts(db, page.data) };
}

/** Gives a delivery, or undefined when there is none with this id. */
export function findDelivery(db: Database, id: string): LoggedDelivery | undefined {
	const found = db.all(deliveryRow, 'select * from deliveries where id = :id', { id });
	return withAttempts(db, found)[0];
}

function withAttempts(db: Database, deliveries: z.infer<typeof deliveryRow>[]): LoggedDelivery[] {
	const logged = new Map<string, LoggedDelivery>();
	for (const delivery of deliveries) logged.set(delivery.id, { ...delivery, attempts: [] });
	const attempts = db.all(
		attemptRow.extend({ deliveryId: z.string() }),
		`select deliveryId, at, httpStatus, durationMs, error, requestHeaders, responseBody from deliveryAttempts
			where deliveryId in (select value from json_each(:ids)) order by sequence`,
		{ ids: JSON.stringify([...logged.keys()]) },
	);
	for (const { deliveryId, ...attempt } of attempts) logged.get(deliveryId)?.attempts.push(attempt);
	return [...logged.values()];
}
