import { Hono } from 'hono';
import { z } from 'zod';
import { type Caller, findAccount, listAccounts, setFeatures } from './accounts/account.ts';
import { cardRoutes } from './cards/controlRoutes.ts';
import { clockRoutes } from './clock/routes.ts';
import { countRows } from './counts.ts';
import { refillDatabase } from './database/refill.ts';
import { docsRoutes } from './docs/routes.ts';
import { faultRoutes } from './faults/routes.ts';
import { notFound } from './http/errors.ts';
import { onlyFromHere, type ControlEnv } from './http/guard.ts';
import { jsonBody } from './http/input.ts';
import { replaceApiKey } from './keys/apiKey.ts';
import { seedDatabase, seedNameSchema } from './seed/seed.ts';
import type { Services } from './services.ts';
import { simulateRoutes } from './simulate/routes.ts';
import { transactionRoutes } from './transactions/controlRoutes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** POST /sandbox/reset. */
const resetBody = z.object({ seed: seedNameSchema.default('small') }).strict();

/** POST /sandbox/keys. */
const keyBody = z.discriminatedUnion('scope', [
	z.object({ scope: z.literal('customer') }).strict(),
	z.object({ scope: z.literal('account'), accountId: z.number().int() }).strict(),
]);

/** PUT /sandbox/accounts/:id/features. */
const featuresBody = z
	.object({
		cardManagement: z.boolean(),
		accountManagement: z.boolean(),
		webhooks: z.boolean(),
	})
	.partial()
	.strict();

/** The published API version that the sandbox implements (§9). */
const API_VERSION = '1.0.0';

/** The control plane: what dashboard, card network and test bench do to the service. */
export function controlRoutes(services: Services, boundHost: string) {
	const { db, now, clock, faults } = services;
	return new Hono<ControlEnv>()
		.use(onlyFromHere(boundHost))

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
			faults.set([], 0);
			clock.reset();
			refillDatabase(db, () => seedDatabase(db, seed, now()));
			return c.json({ seed, accounts: listAccounts(db), counts: countRows(db) });
		})

		.post('/keys', jsonBody(keyBody), (c) => {
			const caller: Caller = c.req.valid('json');
			const accountId = caller.scope === 'account' ? caller.accountId : null;
			if (accountId !== null && !findAccount(db, accountId)) {
				throw notFound('No account has this accountId');
			}
			const apiKey = db.transaction(() => replaceApiKey(db, caller, now()));
			return c.json({ apiKey, scope: caller.scope, accountId }, 201);
		})

		.put('/accounts/:id/features', jsonBody(featuresBody), (c) => {
			const account = findAccount(db, Number(c.req.param('id')));
			if (!account) throw notFound('No account has this id');
			const features = { ...account.features, ...c.req.valid('json') };
			setFeatures(db, account.id, features);
			return c.json({ ...account, features });
		})

		.route('/clock', clockRoutes(services))
		.route('/faults', faultRoutes(services))
		.route('/', docsRoutes())
		.route('/', webhookRoutes(services))
		.route('/simulate', simulateRoutes(services))
		.route('/cards', cardRoutes(services))
		.route('/transactions', transactionRoutes(services));
}

/** The control plane's routes, from which the client is derived. */
export type ControlApp = ReturnType<typeof controlRoutes>;
