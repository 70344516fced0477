import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { listPage, type Page, type PageRequest } from '../database/list.ts';
import type { Attempt } from './outbox.ts';

/** What became of a delivery so far. */
export const deliveryStatusSchema = z.enum(['pending', 'delivered', 'failed']);

const deliveryRow = z.object({
	id: z.string(),
	eventId: z.string(),
	endpointId: z.string(),
	url: z.string(),
	status: deliveryStatusSchema,
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
	const columns = ['eventId', 'endpointId', 'status'] as const;
	const source = {
		schema: deliveryRow,
		columns: 'id, eventId, endpointId, url, status',
		from: 'deliveries',
		filters: columns.map((column) => ({
			condition: `${column} = :${column}`,
			parameter: column,
			value: filter[column],
		})),
		orderBy: ['sequence'],
	};
	const page = listPage(db, source, request, countBudget);
	const logged = new Map<string, LoggedDelivery>();
	for (const delivery of page.data) logged.set(delivery.id, { ...delivery, attempts: [] });
	const attempts = db.all(
		attemptRow,
		`select * from deliveryAttempts where deliveryId in (select value from json_each(:ids)) order by sequence`,
		{ ids: JSON.stringify([...logged.keys()]) },
	);
	for (const { deliveryId, ...attempt } of attempts) logged.get(deliveryId)?.attempts.push(attempt);
	return { ...page, data: [...logged.values()] };
}
