import { Hono } from 'hono';
import { z } from 'zod';
import { badRequest } from '../http/errors.ts';
import type { ControlEnv } from '../http/guard.ts';
import { jsonBody } from '../http/input.ts';
import type { Services } from '../services.ts';
import { makePendingDue } from '../webhooks/outbox.ts';

const clockBody = z.union(
	[
		z.object({ now: z.string().datetime({ offset: true }) }).strict(),
		z.object({ advanceSeconds: z.number() }).strict(),
	],
	{ message: 'expected {"now": "2026-01-31T12:00:00Z"} or {"advanceSeconds": 60}' },
);

/** Times are kept as strings, which sort by time for four-digit years only. */
const [FIRST, LAST] = [Date.UTC(1970), Date.UTC(9999)];

/** The sandbox's clock: deliveries, periods, rotations and everything else go by it. */
export function clockRoutes({ db, clock, wakeDeliveries }: Services) {
	const describe = () => ({ now: clock.now().toISOString(), adjusted: clock.adjusted() });

	// What waits for a time that a clock set back has not reached would wait too long.
	const change = (work: () => void): void => {
		const before = clock.now();
		work();
		if (clock.now() < before) makePendingDue(db, clock.now());
		wakeDeliveries();
	};

	return new Hono<ControlEnv>()
		.get('/', (c) => c.json(describe()))

		.put('/', jsonBody(clockBody), (c) => {
			const body = c.req.valid('json');
			const time =
				'now' in body
					? new Date(body.now)
					: new Date(clock.now().getTime() + body.advanceSeconds * 1_000);
			if (!(time.getTime() >= FIRST && time.getTime() < LAST)) {
				throw badRequest('The clock must show a time from 1970 to 9998 (UTC)');
			}
			change(() => clock.set(time));
			return c.json(describe());
		})

		.delete('/', (c) => {
			change(() => clock.reset());
			return c.json(describe());
		});
}
