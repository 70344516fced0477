import { type Context, Hono } from 'hono';
import { html } from 'hono/html';

import { ApiError, notFound } from '../http/errors.ts';
import { type ControlEnv, localRequestsOnly } from '../http/guard.ts';
import type { Services } from '../services.ts';
import { readAsset } from './assets.ts';
import { banner } from './banner.ts';
import { forPeople } from './form.ts';
import { isByHtmx, renderer } from './layout.ts';
import { addAccounts } from './pages/accounts.ts';
import { addCards } from './pages/cards.ts';
import { addConnect } from './pages/connect.ts';
import { addControls } from './pages/controls.ts';
import { addDelivery } from './pages/delivery.ts';
import { addOverview } from './pages/overview.ts';
import { addPayments } from './pages/payments.ts';
import { addReference } from './pages/reference.ts';
import { addRequests } from './pages/requests.ts';
import { addSimulate } from './pages/simulate.ts';
import { addTransactions } from './pages/transactions.ts';
import { addWebhooks } from './pages/webhooks.ts';
import { addWorkflows } from './pages/workflows.ts';
import { link, muted } from './parts.ts';

/** Scripts, requests and forms from and to this origin only. */
const securityPolicy = (styles: string): string =>
	[
		"default-src 'none'",
		"script-src 'self'",
		`style-src ${styles}`,
		// Bootstrap's icons are data: URLs.
		"img-src 'self' data:",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	].join('; ');

const HEADERS = {
	'cache-control': 'no-cache',
	// With "no-referrer", browsers send "Origin: null" with our own forms, which the guard refuses.
	'referrer-policy': 'same-origin',
	'x-content-type-options': 'nosniff',
};

/**
 * The dashboard: pages rendered here, which htmx keeps up to date. A page is one file: its routes, templates and form
 * handlers, which call the same functions as the control plane. `apiPath` is the path prefix of the public API (§9),
 * `boundHost` the host that the server listens on.
 */
export function dashboardRoutes(
	services: Services,
	apiPath: string,
	boundHost: string,
): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();
	routes.use(localRequestsOnly(boundHost));
	routes.use(renderer(() => banner(services)));
	routes.use(async (c, next) => {
		await next();
		// RapiDoc writes its styles into its elements.
		const styles = c.req.path === '/dashboard/reference' ? "'self' 'unsafe-inline'" : "'self'";
		c.header('content-security-policy', securityPolicy(styles));
		for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
	});
	routes.onError((error, c) => respondToError(error, c));

	addOverview(routes, services);
	addConnect(routes, services, apiPath);
	addWebhooks(routes, services);
	addDelivery(routes, services);
	addSimulate(routes, services);
	addAccounts(routes, services);
	addCards(routes, services);
	addTransactions(routes, services);
	addPayments(routes, services);
	addRequests(routes, services);
	addWorkflows(routes);
	addControls(routes, services);
	addReference(routes);

	routes.get('/assets/:name', (c) => {
		const asset = readAsset(c.req.param('name'));
		if (!asset) throw notFound();
		return c.body(asset.body, 200, { 'content-type': asset.contentType });
	});

	// A route, because Hono calls `notFound` of the outermost app only.
	routes.all('*', () => {
		throw notFound('There is no such page');
	});

	return routes;
}

/** Responds to a form of htmx with the message, which the page shows where it was caused, and else with a page. */
function respondToError(error: Error, c: Context<ControlEnv>): Response | Promise<Response> {
	const [status, message] =
		error instanceof ApiError
			? ([error.status, forPeople(error)] as const)
			: ([500, `The sandbox failed: ${error.message}`] as const);
	const isForm = isByHtmx(c) && c.req.method !== 'GET';
	if (isForm) return c.text(message, status, { 'hx-reswap': 'none' });
	// Whoever may not see the dashboard sees nothing of it.
	if (status === 403) return c.text(message, status);
	c.status(status);
	const content = html`${muted(`${message}.`)} ${link('/dashboard', 'Back to the overview')}`;
	return c.render(content, status === 404 ? 'Not found' : 'The request failed', { isStatic: true });
}
