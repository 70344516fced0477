import { Hono } from 'hono';
import type { z } from 'zod/v4';

import { type Caller, changeFeatures, featuresBody, listAccounts } from './accounts/account.ts';
import { changeClock, clockBody, resetClock } from './clock/clock.ts';
import { countRows } from './database/schema.ts';
import { dialectBody } from './dialects/dialect.ts';
import { readApi } from './docs/api.ts';
import { controlApi, controlSummaries } from './docs/control.ts';
import { faultsBody } from './faults/rules.ts';
import { type ControlEnv, localRequestsOnly } from './http/guard.ts';
import { readBody } from './http/readBody.ts';
import { createApiKey, keyBody, type keySchema } from './keys/apiKey.ts';
import { dueBody, failPayment, movePayment, paymentDetails } from './payments/payment.ts';
import { requestRoutes } from './requests/routes.ts';
import { resetBody, resetSandbox } from './seed/seed.ts';
import type { Services } from './services.ts';
import { simulateRoutes } from './simulate/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** The published API version that the sandbox implements (§9). */
const API_VERSION = '1.0';

/** What a sandbox holds and offers. */
export const overviewOf = ({ db, now }: Services) => ({
	name: 'card-platform-sandbox',
	version: API_VERSION,
	now: now().toISOString(),
	accounts: listAccounts(db),
	counts: countRows(db),
	routes: controlSummaries(),
});

/** The control plane: what dashboard, card network and test bench do to the service. */
export function controlRoutes(services: Services, boundHost: string) {
	const { db, now, clock, dialects, faults, requestLog } = services;
	const time = () => ({
		now: now().toISOString(),
		adjusted: clock.adjusted(),
		frozen: clock.frozen(),
	});
	return new Hono<ControlEnv>()
		.use(localRequestsOnly(boundHost))

		.get('/', (c) => c.json(overviewOf(services)))

		.get('/openapi.json', (c) => c.json(readApi()))

		.get('/control.json', (c) => c.json(controlApi()))

		.post('/reset', async (c) => {
			const { seed } = await readBody(c, resetBody);
			resetSandbox(services, seed);
			const used = seed ?? services.start.seed;
			const name = typeof used === 'string' ? used : 'own data';
			return c.json({ seed: name, accounts: listAccounts(db), counts: countRows(db) });
		})

		.post('/keys', async (c) => {
			const { apiKey: own, ...caller } = await readBody(c, keyBody);
			const created = createApiKey(services, caller satisfies Caller, own);
			requestLog.hide(created);
			const accountId = caller.scope === 'account' ? caller.accountId : null;
			const shown = { apiKey: created, scope: caller.scope, accountId };
			return c.json(shown satisfies z.infer<typeof keySchema>, 201);
		})

		.put('/accounts/:id/features', async (c) => {
			const changes = await readBody(c, featuresBody);
			return c.json(changeFeatures(db, Number(c.req.param('id')), changes));
		})

		.post('/payments/:id/fail', (c) => {
			const id = c.req.param('id');
			failPayment(services, id);
			return c.json({ id, status: 'failed' });
		})

		.post('/payments/:id/due', async (c) => {
			const moved = movePayment(services, c.req.param('id'), await readBody(c, dueBody));
			return c.json(paymentDetails(moved));
		})

		.get('/clock', (c) => c.json(time()))

		.put('/clock', async (c) => {
			changeClock(services, await readBody(c, clockBody));
			return c.json(time());
		})

		.delete('/clock', (c) => {
			resetClock(services);
			return c.json(time());
		})

		.get('/faults', (c) => c.json({ rules: faults.rules() }))

		.put('/faults', async (c) => {
			const { rules, seed } = await readBody(c, faultsBody);
			faults.set(rules, seed);
			return c.json({ rules: faults.rules() });
		})

		.get('/dialect', (c) => c.json({ dialect: dialects.chosen() }))

		.put('/dialect', async (c) => {
			dialects.choose((await readBody(c, dialectBody)).dialect);
			return c.json({ dialect: dialects.chosen() });
		})

		.route('/requests', requestRoutes(services))
		.route('/', webhookRoutes(services))
		.route('/simulate', simulateRoutes(services));
}
