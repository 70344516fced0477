import { Hono } from 'hono';
import { z } from 'zod';

import { type Caller, listAccounts } from './accounts/account.ts';
import { changeFeatures, featuresBody } from './accounts/features.ts';
import { clockRoutes } from './clock/routes.ts';
import { countRows } from './counts.ts';
import { controlSummaries, docsRoutes } from './docs/routes.ts';
import { faultRoutes } from './faults/routes.ts';
import { notFound } from './http/errors.ts';
import { type ControlEnv, localRequestsOnly } from './http/guard.ts';
import { readBody } from './http/readBody.ts';
import { apiKeySchema, createApiKey } from './keys/apiKey.ts';
import { failPayment } from './payments/payment.ts';
import { requestRoutes } from './requests/routes.ts';
import { resetBody, resetSandbox } from './seed/reset.ts';
import type { Services } from './services.ts';
import { simulateRoutes } from './simulate/routes.ts';
import type { Overview } from './types.ts';
import { webhookRoutes } from './webhooks/routes.ts';

const apiKey = apiKeySchema.optional();

/** POST /sandbox/keys. */
const keyBody = z.discriminatedUnion('scope', [
	z.object({ scope: z.literal('customer'), apiKey }).strict(),
	z.object({ scope: z.literal('account'), accountId: z.number().int(), apiKey }).strict(),
]);

/** The published API version that the sandbox implements (§9). */
const API_VERSION = '1.0';

/** The control plane: what dashboard, card network and test bench do to the service. */
export function controlRoutes(services: Services, boundHost: string): Hono<ControlEnv> {
	const { db, now, requestLog } = services;
	return new Hono<ControlEnv>()
		.use(localRequestsOnly(boundHost))

		.get('/', (c) => {
			const overview: Overview = {
				name: 'card-platform-sandbox',
				version: API_VERSION,
				now: now().toISOString(),
				accounts: listAccounts(db),
				counts: countRows(db),
				routes: controlSummaries(),
			};
			return c.json(overview);
		})

		.post('/reset', async (c) => {
			const { seed } = await readBody(c, resetBody);
			resetSandbox(services, seed);
			const name = typeof seed === 'string' ? seed : 'own data';
			return c.json({ seed: name, accounts: listAccounts(db), counts: countRows(db) });
		})

		.post('/keys', async (c) => {
			const { apiKey: own, ...caller } = await readBody(c, keyBody);
			const created = createApiKey(services, caller satisfies Caller, own);
			requestLog.hide(created);
			const accountId = caller.scope === 'account' ? caller.accountId : null;
			return c.json({ apiKey: created, scope: caller.scope, accountId }, 201);
		})

		.put('/accounts/:id/features', async (c) => {
			const changes = await readBody(c, featuresBody);
			return c.json(changeFeatures(db, Number(c.req.param('id')), changes));
		})

		.post('/payments/:id/fail', (c) => {
			const id = c.req.param('id');
			if (!db.transaction(() => failPayment(db, id, now()))) {
				throw notFound('No scheduled payment has this ID');
			}
			return c.json({ id, status: 'failed' });
		})

		.route('/clock', clockRoutes(services))
		.route('/faults', faultRoutes(services))
		.route('/requests', requestRoutes(services))
		.route('/', docsRoutes())
		.route('/', webhookRoutes(services))
		.route('/simulate', simulateRoutes(services));
}
