import { Hono, type Context } from 'hono';
import { apiRoutes } from './api/routes.ts';
import type { ControlEnv } from './control/guard.ts';
import { controlRoutes } from './control/routes.ts';
import { ApiError, notFound } from './errors.ts';
import type { Services } from './services.ts';

/** The path prefix of the public API (§9). */
export const API_PATH = '/v1/public';

/**
 * Puts the public API and the control plane together; every error leaves as the body of §7.
 * `boundHost` is the host that the server listens on.
 */
export function createApp(services: Services, boundHost: string): Hono<ControlEnv> {
	const app = new Hono<ControlEnv>();
	app.route(API_PATH, apiRoutes(services));
	app.route('/sandbox', controlRoutes(services, boundHost));
	const answer = (c: Context, { code, message, status }: ApiError) =>
		c.json({ code, message }, status);
	app.notFound((c) => answer(c, notFound()));
	app.onError((error, c) => {
		if (error instanceof ApiError) return answer(c, error);
		const message = `The sandbox failed: ${error.message}`;
		return c.json({ code: 'internal-server-error', message }, 500);
	});
	return app;
}
