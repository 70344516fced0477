import { z } from 'zod';

import { badRequest } from '../http/errors.ts';
import type { Services } from '../services.ts';

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
