import { Hono } from 'hono';
import { z } from 'zod';

import { type Caller, listAccounts } from './accounts/account.ts';
import { changeFeatures, featuresBody } from './accounts/features.ts';
import { clockRoutes } from './clock/routes.ts';
import { countRows } from './counts.ts';
import { docsRoutes } from './docs/routes.ts';
import { faultRoutes } from './faults/routes.ts';
import { type ControlEnv, localRequestsOnly } from './http/guard.ts';
import { jsonBody } from './http/input.ts';
import { createApiKey } from './keys/apiKey.ts';
import { resetBody, resetSandbox } from './seed/reset.ts';
import type { Services } from './services.ts';
import { simulateRoutes } from './simulate/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** POST /sandbox/keys. */
const keyBody = z.discriminatedUnion('scope', [
	z.object({ scope: z.literal('customer') }).strict(),
	z.object({ scope: z.literal('account'), accountId: z.number().int() }).strict(),
]);

/** The published API version that the sandbox implements (§9). */
const API_VERSION = '1.0.0';

/** The control plane: what dashboard, card network and test bench do to the service. */
export function controlRoutes(services: Services, boundHost: string) {
	const { db, now } = services;
	return new Hono<ControlEnv>()
		.use(localRequestsOnly(boundHost))

		.get('/', (c) =>
			c.json({
				name: 'card-platform-sandbox',
				version: API_VERSION,
				now: now().toISOString(),
				accounts: listAccounts(db),
				counts: countRows(db),
			}),
		)

		.post('/reset', jsonBody(resetBody), (c) => {
			const { seed } = c.req.valid('json');
			resetSandbox(services, seed);
			return c.json({ seed, accounts: listAccounts(db), counts: countRows(db) });
		})

		.post('/keys', jsonBody(keyBody), (c) => {
			const caller: Caller = c.req.valid('json');
			const accountId = caller.scope === 'account' ? caller.accountId : null;
			const apiKey = createApiKey(services, caller);
			return c.json({ apiKey, scope: caller.scope, accountId }, 201);
		})

		.put('/accounts/:id/features', jsonBody(featuresBody), (c) =>
			c.json(changeFeatures(db, Number(c.req.param('id')), c.req.valid('json'))),
		)

		.route('/clock', clockRoutes(services))
		.route('/faults', faultRoutes(services))
		.route('/', docsRoutes())
		.route('/', webhookRoutes(services))
		.route('/simulate', simulateRoutes(services));
}

/** The control plane's routes, from which the client is derived. */
export type ControlApp = ReturnType<typeof controlRoutes>;
