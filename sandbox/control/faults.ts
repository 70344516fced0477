import { Hono } from 'hono';
import { z } from 'zod';
import { faultRuleSchema } from '../faults/rules.ts';
import { readBody } from '../readBody.ts';
import type { Services } from '../services.ts';
import type { ControlEnv } from './guard.ts';

const faultsBody = z
	.object({
		rules: z.array(faultRuleSchema).max(100),
		/** Decides what a probability below 1 comes to: the same seed, the same faults. */
		seed: z.number().int().default(1),
	})
	.strict();

/** What goes wrong on purpose: in answers of the API and in webhook deliveries. */
export function faultRoutes({ faults }: Services): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => c.json({ rules: faults.rules() }));

	routes.put('/', async (c) => {
		const { rules, seed } = await readBody(c, faultsBody);
		faults.set(rules, seed);
		return c.json({ rules: faults.rules() });
	});

	routes.delete('/', (c) => {
		faults.set([], 0);
		return c.body(null, 204);
	});

	return routes;
}
