import { z } from 'zod/v4';

import type { Database } from '../database/database.ts';
import { type ListFilter, listPage, type Page, type PageRequest } from '../database/paging.ts';
import { attemptSchema } from './outbox.ts';

export const deliveryStatusSchema = z.enum(['pending', 'delivered', 'failed']);

export const deliverySchema = z.object({
	id: z.string(),
	eventId: z.string(),
	endpointId: z.string(),
	url: z.string(),
	status: deliveryStatusSchema,
	/** When the next attempt is due, of a pending delivery. */
	nextAttemptAt: z.string().nullable(),
	/** The first one first. */
	attempts: z
		.string()
		.transform((json): unknown => JSON.parse(json))
		.pipe(z.array(attemptSchema)),
});

export type LoggedDelivery = z.infer<typeof deliverySchema>;

/** The deliveries, each with its attempts as JSON. */
const LOGGED = `(select *, case when status = 'pending' then dueAt end as nextAttemptAt, (
	select json_group_array(json_object('at', at, 'httpStatus', httpStatus, 'durationMs', durationMs,
			'error', error, 'requestHeaders', json(requestHeaders), 'responseBody', responseBody)
		order by sequence)
	from deliveryAttempts where deliveryId = deliveries.id
) as attempts from deliveries)`;

/** Which deliveries are listed: all of them where nothing is set. */
export const deliveryFilters = z.object({
	eventId: z.string().optional(),
	endpointId: z.string().optional(),
	status: deliveryStatusSchema.optional(),
});

/** Gives one page of the deliveries, in the order in which they were written or the other way round. */
export function listDeliveries(
	db: Database,
	filter: z.infer<typeof deliveryFilters>,
	request: PageRequest,
): Page<LoggedDelivery> {
	const filters: ListFilter[] = [
		['eventId = :eventId', filter.eventId],
		['endpointId = :endpointId', filter.endpointId],
		['status = :status', filter.status],
	];
	const source = { schema: deliverySchema, from: LOGGED, filters, orderBy: ['sequence'] };
	return listPage(db, source, request);
}

export const findDelivery = (db: Database, id: string): LoggedDelivery | undefined =>
	db.get(deliverySchema, `select * from ${LOGGED} where id = :id`, { id });
