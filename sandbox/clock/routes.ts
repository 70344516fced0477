import { Hono } from 'hono';

import type { ControlEnv } from '../http/guard.ts';
import { readBody } from '../http/readBody.ts';
import type { Services } from '../services.ts';
import { changeClock, clockBody, resetClock } from './change.ts';

/** The sandbox's clock: deliveries, periods, rotations and everything else go by it. */
export function clockRoutes(services: Services): Hono<ControlEnv> {
	const { clock } = services;
	const describe = () => ({ now: clock.now().toISOString(), adjusted: clock.adjusted() });

	return new Hono<ControlEnv>()
		.get('/', (c) => c.json(describe()))

		.put('/', async (c) => {
			changeClock(services, await readBody(c, clockBody));
			return c.json(describe());
		})

		.delete('/', (c) => {
			resetClock(services);
			return c.json(describe());
		});
}
