import { z } from 'zod';
import { badRequest } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { makePendingDue } from '../webhooks/outbox.ts';

/** PUT /sandbox/clock: a time, or by how much the clock is to be advanced. */
export const clockBody = z.union(
	[
		z.object({ now: z.string().datetime({ offset: true }) }).strict(),
		z.object({ advanceSeconds: z.number() }).strict(),
	],
	{
		// A message alone is not used for a union.
		errorMap: () => ({
			message: 'expected {"now": "2026-01-31T12:00:00Z"} or {"advanceSeconds": 60}',
		}),
	},
);

/** Times are kept as strings, which sort by time for four-digit years only. */
const [FIRST, LAST] = [Date.UTC(1970), Date.UTC(9999)];

/** Sets or advances the clock. Throws a 400 for a time outside 1970 to 9998. */
export function changeClock(services: Services, body: z.infer<typeof clockBody>): void {
	const { clock } = services;
	const time =
		'now' in body
			? new Date(body.now)
			: new Date(clock.now().getTime() + body.advanceSeconds * 1_000);
	if (!(time.getTime() >= FIRST && time.getTime() < LAST)) {
		throw badRequest('The clock must show a time from 1970 to 9998 (UTC)');
	}
	change(services, () => clock.set(time));
}

/** Sets the clock to the machine's. */
export const resetClock = (services: Services): void =>
	change(services, () => services.clock.reset());

/** What waits for a time that a clock set back has not reached would wait too long. */
function change({ db, clock, wakeDeliveries }: Services, work: () => void): void {
	const before = clock.now();
	work();
	if (clock.now() < before) makePendingDue(db, clock.now());
	wakeDeliveries();
}
