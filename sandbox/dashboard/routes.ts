import { Hono } from 'hono';
import { notFound } from '../http/errors.ts';
import { onlyFromHere, type ControlEnv } from '../http/guard.ts';
import { readAssets } from './assets.ts';
import { layout, type Html } from './layout.ts';
import { apiPage } from './pages/api.ts';
import { cardsPage } from './pages/cards.ts';
import { simulatePage } from './pages/simulate.ts';
import { transactionsPage } from './pages/transactions.ts';
import { webhooksPage } from './pages/webhooks.ts';
import { TABS, type Tab } from './tabs.ts';

/** Scripts, styles, images and requests: from this origin only, and nothing inline. */
const HEADERS = {
	'content-security-policy': [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self'",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; '),
	'cache-control': 'no-cache',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
};

const PAGES: Record<Tab['name'], (apiUrl: string) => Html> = {
	api: apiPage,
	webhooks: webhooksPage,
	simulate: simulatePage,
	cards: cardsPage,
	transactions: transactionsPage,
};

/**
 * The dashboard: pages that hold no data, and the scripts that fill them from the control plane.
 * `apiPath` is the path prefix of the public API (§9), `boundHost` the host that the server listens on.
 */
export function dashboardRoutes(apiPath: string, boundHost: string): Hono<ControlEnv> {
	const assets = readAssets();
	const routes = new Hono<ControlEnv>();
	routes.use(onlyFromHere(boundHost));
	routes.use(async (c, next) => {
		await next();
		for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
	});

	routes.get('/', (c) => c.redirect('/dashboard/api'));

	for (const tab of TABS.flatMap(({ tabs }) => tabs)) {
		routes.get(`/${tab.name}`, (c) =>
			c.html(layout(tab, PAGES[tab.name](new URL(apiPath, c.req.url).href))),
		);
	}

	routes.get('/assets/:name', (c) => {
		const asset = assets.get(c.req.param('name'));
		if (!asset) throw notFound();
		return c.body(asset.body, 200, { 'content-type': asset.contentType });
	});

	return routes;
}
