import { type Context, type ErrorHandler, Hono } from 'hono';

import { accountRoutes } from './accounts/routes.ts';
import { HEALTH_RESPONSE } from './assumptions.ts';
import { readBalance } from './balance/routes.ts';
import { cardRoutes } from './cards/routes.ts';
import { controlRoutes } from './controlRoutes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { speakDialect } from './dialects/translate.ts';
import { API_PATH } from './docs/api.ts';
import { createFaultMiddleware } from './faults/middleware.ts';
import { ApiError, notFound } from './http/errors.ts';
import { observeExchanges } from './http/exchange.ts';
import type { ControlEnv } from './http/guard.ts';
import { warnOfUnknown } from './http/unknown.ts';
import { type ApiEnv, authenticate } from './keys/caller.ts';
import { readPayments } from './payments/routes.ts';
import type { Services } from './services.ts';
import { readSettlements } from './settlements/routes.ts';
import { transactionRoutes } from './transactions/routes.ts';
import type { Exchange } from './types.ts';

const ELSEWHERE = `There is nothing here: the API is at ${API_PATH}, the control plane at /sandbox, the dashboard at /dashboard`;

/**
 * Puts the public API and the control plane together; every error leaves as the body of §7.
 * `boundHost` is the host that the server listens on; `onExchange` receives every exchange of the
 * API that reaches the service.
 */
export function createApp(
	services: Services,
	boundHost: string,
	onExchange?: (exchange: Exchange) => void,
): Hono<ControlEnv> {
	const app = new Hono<ControlEnv>();
	app.use(`${API_PATH}/*`, observeExchanges(API_PATH, services.requestLog.record));
	const { beforeService, insideService } = createFaultMiddleware(services.faults, API_PATH);
	app.use(`${API_PATH}/*`, beforeService);
	if (onExchange) app.use(`${API_PATH}/*`, observeExchanges(API_PATH, onExchange));
	app.use(`${API_PATH}/*`, insideService);
	const respond = (c: Context, { code, message, status }: ApiError) =>
		c.json({ code, message }, status);
	const onError: ErrorHandler = (error, c) => {
		if (error instanceof ApiError) return respond(c, error);
		return c.json(
			{ code: 'internal-server-error', message: `The sandbox failed: ${error.message}` },
			500,
		);
	};
	const api = apiRoutes(services).onError(onError);
	app.use(`${API_PATH}/*`, speakDialect(services, API_PATH, api.fetch));
	app.route(API_PATH, api);
	app.get('/', (c) => c.redirect('/dashboard'));
	for (const path of ['/dashboard', '/sandbox']) app.get(`${path}/`, (c) => c.redirect(path));
	app.route('/sandbox', controlRoutes(services, boundHost));
	app.route('/dashboard', dashboardRoutes(services, API_PATH, boundHost));
	app.notFound((c) =>
		respond(c, notFound(c.req.path.startsWith(`${API_PATH}/`) ? undefined : ELSEWHERE)),
	);
	app.onError(onError);
	return app;
}

/** The public API (§4): everything below the path prefix of §9. */
function apiRoutes(services: Services): Hono<ApiEnv> {
	const routes = new Hono<ApiEnv>();
	routes.use(warnOfUnknown);
	routes.use(authenticate(services));
	routes.get('/health', (c) => c.json(HEALTH_RESPONSE));
	routes.get('/balance', readBalance(services));
	routes.route('/accounts', accountRoutes(services));
	routes.route('/cards', cardRoutes(services));
	routes.route('/transactions', transactionRoutes(services));
	routes.get('/payments', readPayments(services));
	routes.get('/settlements', readSettlements(services));
	return routes;
}
