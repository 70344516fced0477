import { Hono } from 'hono';
import type { Caller } from '../domain/account.ts';
import { docsRoutes } from '../docs/routes.ts';
import { notFound } from '../errors.ts';
import { seedDatabase } from '../seed/seed.ts';
import type { Services } from '../services.ts';
import { findAccount, listAccounts, setFeatures } from '../store/accounts.ts';
import { replaceApiKey } from '../store/apiKeys.ts';
import { countRows } from '../store/counts.ts';
import { emptyDatabase } from '../store/open.ts';
import { featuresBody, keyBody, resetBody } from './body.ts';
import { cardRoutes } from './cards.ts';
import { clockRoutes } from './clock.ts';
import { faultRoutes } from './faults.ts';
import { onlyFromHere, type ControlEnv } from './guard.ts';
import { jsonBody } from './input.ts';
import { simulateRoutes } from './simulate.ts';
import { transactionRoutes } from './transactions.ts';
import { webhookRoutes } from './webhooks.ts';

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
			db.transaction(() => {
				emptyDatabase(db);
				seedDatabase(db, seed, now());
			});
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
