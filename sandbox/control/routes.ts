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
import { readBody } from '../readBody.ts';
import { featuresBody, keyBody, resetBody } from './body.ts';
import { cardRoutes } from './cards.ts';
import { clockRoutes } from './clock.ts';
import { faultRoutes } from './faults.ts';
import { onlyFromHere, type ControlEnv } from './guard.ts';
import { simulateRoutes } from './simulate.ts';
import { transactionRoutes } from './transactions.ts';
import { webhookRoutes } from './webhooks.ts';

/** The published API version that the sandbox implements (§9). */
const API_VERSION = '1.0.0';

/** The control plane: what dashboard, card network and test bench do to the service. */
export function controlRoutes(services: Services, boundHost: string): Hono<ControlEnv> {
	const { db, now, clock, faults } = services;
	const routes = new Hono<ControlEnv>();
	routes.use(onlyFromHere(boundHost));

	routes.get('/', (c) =>
		c.json({
			name: 'card-platform-sandbox',
			version: API_VERSION,
			now: now().toISOString(),
			accounts: listAccounts(db),
			counts: countRows(db),
		}),
	);

	routes.post('/reset', async (c) => {
		const { seed } = await readBody(c, resetBody);
		faults.set([], 0);
		clock.reset();
		db.transaction(() => {
			emptyDatabase(db);
			seedDatabase(db, seed, now());
		});
		return c.json({ seed, accounts: listAccounts(db), counts: countRows(db) });
	});

	routes.post('/keys', async (c) => {
		const caller: Caller = await readBody(c, keyBody);
		const accountId = caller.scope === 'account' ? caller.accountId : null;
		if (accountId !== null && !findAccount(db, accountId)) {
			throw notFound('No account has this accountId');
		}
		const apiKey = db.transaction(() => replaceApiKey(db, caller, now()));
		return c.json({ apiKey, scope: caller.scope, accountId }, 201);
	});

	routes.put('/accounts/:id/features', async (c) => {
		const account = findAccount(db, Number(c.req.param('id')));
		if (!account) throw notFound('No account has this id');
		const features = { ...account.features, ...(await readBody(c, featuresBody)) };
		setFeatures(db, account.id, features);
		return c.json({ ...account, features });
	});

	routes.route('/clock', clockRoutes(services));
	routes.route('/faults', faultRoutes(services));
	routes.route('/', docsRoutes());
	routes.route('/', webhookRoutes(services));
	routes.route('/simulate', simulateRoutes(services));
	routes.route('/cards', cardRoutes(services));
	routes.route('/transactions', transactionRoutes(services));
	return routes;
}
