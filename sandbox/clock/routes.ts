import { Hono } from 'hono';

import type { ControlEnv } from '../http/guard.ts';
import { jsonBody } from '../http/input.ts';
import type { Services } from '../services.ts';
import { changeClock, clockBody, resetClock } from './change.ts';

/** The sandbox's clock: deliveries, periods, rotations and everything else go by it. */
export function clockRoutes(services: Services) {
	const { clock } = services;
	const describe = () => ({ now: clock.now().toISOString(), adjusted: clock.adjusted() });

	return new Hono<ControlEnv>()
		.get('/', (c) => c.json(describe()))

		.put('/', jsonBody(clockBody), (c) => {
			changeClock(services, c.req.valid('json'));
			return c.json(describe());
		})

		.delete('/', (c) => {
			resetClock(services);
			return c.json(describe());
		});
}
