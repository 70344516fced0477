import { Hono } from 'hono';

import { accountRoutes } from './accounts/routes.ts';
import { HEALTH_RESPONSE } from './assumptions.ts';
import { balanceRoutes } from './balance/routes.ts';
import { cardRoutes } from './cards/routes.ts';
import { warnOfUnknown } from './http/unknown.ts';
import { type ApiEnv, authenticate } from './keys/caller.ts';
import { paymentRoutes } from './payments/routes.ts';
import type { Services } from './services.ts';
import { settlementRoutes } from './settlements/routes.ts';
import { transactionRoutes } from './transactions/routes.ts';

/** The public API (§4): everything below the path prefix of §9. */
export function apiRoutes(services: Services): Hono<ApiEnv> {
	const routes = new Hono<ApiEnv>();
	routes.use(warnOfUnknown);
	routes.use(authenticate(services));
	routes.get('/health', (c) => c.json(HEALTH_RESPONSE));
	routes.route('/balance', balanceRoutes(services));
	routes.route('/accounts', accountRoutes(services));
	routes.route('/cards', cardRoutes(services));
	routes.route('/transactions', transactionRoutes(services));
	routes.route('/payments', paymentRoutes(services));
	routes.route('/settlements', settlementRoutes(services));
	return routes;
}
