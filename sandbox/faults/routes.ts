import { Hono } from 'hono';
import { z } from 'zod';

import type { ControlEnv } from '../http/guard.ts';
import { readBody } from '../http/readBody.ts';
import type { Services } from '../services.ts';
import { faultRuleSchema } from './rules.ts';

const faultsBody = z
	.object({
		rules: z.array(faultRuleSchema).max(100),
		/** Decides what a probability below 1 comes to: the same seed, the same faults. */
		seed: z.number().int().default(1),
	})
	.strict();

/** What goes wrong on purpose: in responses of the API and in webhook deliveries. */
export function faultRoutes({ faults }: Services): Hono<ControlEnv> {
	return new Hono<ControlEnv>()
		.get('/', (c) => c.json({ rules: faults.rules() }))

		.put('/', async (c) => {
			const { rules, seed } = await readBody(c, faultsBody);
			faults.set(rules, seed);
			return c.json({ rules: faults.rules() });
		});
}
