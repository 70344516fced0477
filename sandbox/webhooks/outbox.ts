import { randomUUID } from 'node:crypto';

import { z } from 'zod/v4';

import type { Database } from '../database/database.ts';
import { notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { endpointsOf } from './endpoint.ts';

export const DELIVERY_ATTEMPTS_TABLE = `
create table deliveryAttempts (
	sequence integer primary key,
	deliveryId text not null references deliveries (id),
	at text not null,
	httpStatus integer,
	durationMs integer not null,
	error text,
	requestHeaders text not null,
	responseBody text not null
) strict;
create index attemptsByDelivery on deliveryAttempts (deliveryId);
`;

export const DELIVERIES_TABLE = `
-- endpointId is no foreign key: the log of a removed endpoint stays.
create table deliveries (
	sequence integer primary key,
	id text not null unique,
	eventId text not null references events (id),
	endpointId text not null,
	url text not null,
	status text not null check (status in ('pending', 'delivered', 'failed')),
	dueAt text not null
) strict;
create index pendingByEndpoint on deliveries (endpointId, dueAt) where status = 'pending';
create index pendingByTime on deliveries (dueAt) where status = 'pending';
create index deliveriesByEvent on deliveries (eventId);
create index deliveriesByEndpoint on deliveries (endpointId);
create index deliveriesByStatus on deliveries (status);
`;

export const attemptSchema = z.object({
	at: z.string(),
	httpStatus: z.number().nullable(),
	durationMs: z.number(),
	error: z.string().nullable(),
	/** The four headers of §6, by lower-case name, in the order in which they were sent. */
	requestHeaders: z.record(z.string(), z.string()),
	responseBody: z.string(),
});

/** One attempt to deliver an event: what was sent when, the receiver's response or why it did not come, how long it took. */
export type Attempt = z.infer<typeof attemptSchema>;

export const isAccepted = ({ httpStatus }: Pick<Attempt, 'httpStatus'>): boolean =>
	httpStatus !== null && httpStatus >= 200 && httpStatus < 300;

const dueRow = z.object({
	id: z.string(),
	eventId: z.string(),
	endpointId: z.string(),
	url: z.string(),
	body: z.instanceof(Uint8Array),
	attempts: z.number(),
});

/** A delivery that is due: what to send where, and how many attempts came before. */
export type DueDelivery = z.infer<typeof dueRow>;

/** Writes a pending delivery of an event for each endpoint of the account. */
export const enqueue = (
	db: Database,
	eventId: string,
	accountId: number,
	now: Date,
): { id: string; endpointId: string }[] =>
	endpointsOf(db, accountId).map(({ id: endpointId, url }) => {
		const delivery = { id: randomUUID(), endpointId };
		const pending = { status: 'pending', dueAt: now.toISOString() };
		db.insert('deliveries', { ...delivery, eventId, url, ...pending });
		return delivery;
	});

/** Makes every pending delivery due now: after a restart or a change of the clock, no back-off is waited for. */
export function makePendingDue(db: Database, now: Date): void {
	db.run(`update deliveries set dueAt = :now where status = 'pending'`, { now: now.toISOString() });
}

/**
 * Makes a delivery due now, whatever its status; one that is in flight is not sent twice. Throws a 404 for an
 * unknown one, and for one without its endpoint.
 */
export function redeliver({ db, now, wakeDeliveries }: Services, deliveryId: string): void {
	const changed = db.run(
		`update deliveries set status = 'pending', dueAt = :now
			where id = :deliveryId and endpointId in (select id from endpoints)`,
		{ deliveryId, now: now().toISOString() },
	);
	if (changed === 0) throw notFound('The delivery was not found, or its endpoint was removed');
	wakeDeliveries();
}

/** Gives at most `count` deliveries of an endpoint that are due, the longest due first. */
export function dueDeliveries(
	db: Database,
	endpointId: string,
	now: Date,
	count: number,
): DueDelivery[] {
	return db.all(
		dueRow,
		`select deliveries.id, eventId, endpointId, deliveries.url, body,
				(select count(*) from deliveryAttempts where deliveryId = deliveries.id) as attempts
			from deliveries join events on events.id = eventId
				join endpoints on endpoints.id = endpointId
			where endpointId = :endpointId and status = 'pending' and dueAt <= :now
			order by dueAt, deliveries.sequence limit :count`,
		{ endpointId, now: now.toISOString(), count },
	);
}

/** Gives the time at which the next pending delivery after `now` is due, or undefined if none is. */
export function nextDueAt(db: Database, now: Date): Date | undefined {
	const next = db.get(
		z.object({ dueAt: z.string().nullable() }),
		`select min(dueAt) as dueAt from deliveries where status = 'pending' and dueAt > :now`,
		{ now: now.toISOString() },
	);
	return next?.dueAt == null ? undefined : new Date(next.dueAt);
}

/**
 * Writes an attempt, after which the delivery is delivered, due again at a time, or failed if it has no such time.
 * Ignores a delivery that a reset has removed. If the endpoint has been removed since, the status stays the same.
 */
export function recordAttempt(
	db: Database,
	deliveryId: string,
	attempt: Attempt,
	retryAt: Date | undefined,
): void {
	const unaccepted = retryAt ? 'pending' : 'failed';
	const status = isAccepted(attempt) ? 'delivered' : unaccepted;
	const dueAt = retryAt?.toISOString() ?? null;
	db.transaction(() => {
		db.run(
			`insert into deliveryAttempts
					(deliveryId, at, httpStatus, durationMs, error, requestHeaders, responseBody)
				select id, :at, :httpStatus, :durationMs, :error, :requestHeaders, :responseBody
				from deliveries where id = :deliveryId`,
			{ deliveryId, ...attempt, requestHeaders: JSON.stringify(attempt.requestHeaders) },
		);
		db.run(
			`update deliveries set status = :status, dueAt = coalesce(:dueAt, dueAt)
				where id = :deliveryId and status = 'pending'`,
			{ deliveryId, status, dueAt },
		);
	});
}
