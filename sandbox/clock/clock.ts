import { z } from 'zod/v4';

import type { Database } from '../database/database.ts';
import { badRequest } from '../http/errors.ts';
import type { Services } from '../services.ts';

/** The table behind the queries below. */
export const CLOCK_TABLE = `
-- How many milliseconds the clock is ahead of the machine's; no row while it shows the same.
create table clock (id integer primary key check (id = 1), ahead integer not null) strict;
`;

/** A clock that can be set; it goes on from there at its own pace, also after a restart with the same file. */
export interface Clock {
	now: () => Date;
	/** The time by the clock that it is based on. */
	base: () => Date;
	/** Whether it differs from the clock that it is based on. */
	adjusted: () => boolean;
	/** Sets it to a time. Stays as it is, and throws, if that cannot be kept. */
	set: (time: Date) => void;
	/** Takes it back to the clock that it is based on. Stays as it is, and throws, if that cannot be kept. */
	reset: () => void;
}

/** Makes a clock that shows what `base` shows until it is set. */
export function createClock(base: () => Date, db: Database): Clock {
	const kept = db.get(z.object({ ahead: z.number() }), 'select ahead from clock');
	let ahead = kept?.ahead ?? 0;
	return {
		now: () => new Date(base().getTime() + ahead),
		base,
		adjusted: () => ahead !== 0,
		set: (time) => {
			const difference = time.getTime() - base().getTime();
			db.run('insert or replace into clock values (1, :difference)', { difference });
			ahead = difference;
		},
		reset: () => {
			db.run('delete from clock');
			ahead = 0;
		},
	};
}

/** PUT /sandbox/clock: a time, or by how much the clock is to be advanced. */
export const clockBody = z.union(
	[
		z.object({ now: z.string().datetime({ offset: true }) }).strict(),
		z.object({ advanceSeconds: z.number() }).strict(),
	],
	'expected {"now": "2026-01-31T12:00:00Z"} or {"advanceSeconds": 60}',
);

type ClockServices = Pick<Services, 'clock' | 'wakeDeliveries'>;

/** Times are kept as strings, which sort by time for four-digit years only. */
const [FIRST, LAST] = [Date.UTC(1970), Date.UTC(9999)];

/** Sets or advances the clock. Throws a 400 for a time outside 1970 to 9998. */
export function changeClock(
	{ clock, wakeDeliveries }: ClockServices,
	body: z.infer<typeof clockBody>,
): void {
	const time =
		'now' in body
			? new Date(body.now)
			: new Date(clock.now().getTime() + body.advanceSeconds * 1_000);
	if (!(time.getTime() >= FIRST && time.getTime() < LAST)) {
		throw badRequest('The clock must show a time from 1970 to 9998 (UTC)');
	}
	clock.set(time);
	wakeDeliveries();
}

/** Sets the clock to the machine's. */
export function resetClock({ clock, wakeDeliveries }: ClockServices): void {
	clock.reset();
	wakeDeliveries();
}
