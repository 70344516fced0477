import { z } from 'zod/v4';

import type { Database } from '../database/database.ts';
import { badRequest } from '../http/errors.ts';

export const CLOCK_TABLE = `
-- How many milliseconds the clock is ahead of the machine's, or the time at which it is stopped; no row while it is as
-- at the start.
create table clock (id integer primary key check (id = 1), ahead integer not null, stoppedAt integer) strict;
`;

/** A clock that can be set and stopped; it goes on from there at its own pace, also after a restart with the same file. */
export interface Clock {
	now: () => Date;
	start: () => Date;
	adjusted: () => boolean;
	frozen: () => boolean;
	/** Sets it to a time, from which it goes on unless it is to be stopped. */
	set: (time: Date, frozen: boolean) => void;
	reset: () => void;
}

const stateSchema = z.object({ ahead: z.number(), stoppedAt: z.number().nullable() });

/** Makes a clock that shows what `machine` shows, or is stopped at a time, until it is set. */
export function createClock(machine: () => Date, db: Database, stopAt?: Date): Clock {
	const initial = { ahead: 0, stoppedAt: stopAt?.getTime() ?? null };
	// --clock wins over the file.
	if (stopAt) db.run('delete from clock');
	let state = db.get(stateSchema, 'select ahead, stoppedAt from clock') ?? initial;
	const shown = ({ ahead, stoppedAt }: typeof state) =>
		new Date(stoppedAt ?? machine().getTime() + ahead);
	return {
		now: () => shown(state),
		start: () => shown(initial),
		adjusted: () => state.ahead !== 0 || state.stoppedAt !== initial.stoppedAt,
		frozen: () => state.stoppedAt !== null,
		set: (time, frozen) => {
			const ahead = frozen ? 0 : time.getTime() - machine().getTime();
			const next = { ahead, stoppedAt: frozen ? time.getTime() : null };
			db.run('insert or replace into clock values (1, :ahead, :stoppedAt)', next);
			state = next;
		},
		reset: () => {
			db.run('delete from clock');
			state = initial;
		},
	};
}

/** Times are kept as strings, which sort by time for four-digit years only. */
const isPossible = (time: Date): boolean =>
	time.getTime() >= Date.UTC(1970) && time.getTime() < Date.UTC(9999);

const IMPOSSIBLE = 'the clock must show a time from 1970 to 9998 (UTC)';

export const clockTimeSchema = z.iso
	.datetime({
		offset: true,
		abort: true,
		error: 'expected a time such as 2026-01-31T12:00:00Z',
	})
	.transform((time) => new Date(time))
	.refine(isPossible, IMPOSSIBLE);

/** PUT /sandbox/clock: a time or by how much the clock is to be advanced, and whether it is stopped from then on. */
export const clockBody = z
	.strictObject({
		now: clockTimeSchema.optional(),
		advanceSeconds: z.number().optional(),
		frozen: z.boolean().optional(),
	})
	.refine(
		({ now, advanceSeconds, frozen }) =>
			now === undefined ? (advanceSeconds ?? frozen) !== undefined : advanceSeconds === undefined,
		'expected {"now": "2026-01-31T12:00:00Z"}, {"advanceSeconds": 60} or {"frozen": true}',
	);

/** Sets, advances, stops or starts the clock. Throws a 400 for a time outside 1970 to 9998. */
export function changeClock(
	clock: Clock,
	{ now, advanceSeconds = 0, frozen = clock.frozen() }: z.infer<typeof clockBody>,
): void {
	const time = now ?? new Date(clock.now().getTime() + advanceSeconds * 1_000);
	if (!isPossible(time)) throw badRequest(IMPOSSIBLE);
	clock.set(time, frozen);
}
