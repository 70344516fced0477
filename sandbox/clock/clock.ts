import { z } from 'zod';

import type { Database } from '../database/database.ts';

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
