import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import type { ControlEnv } from '../http/guard.ts';
import { readOpenapi, toApiDocument } from './document.ts';
import { docsPage } from './page.ts';

/** The page loads styles and the icon from this origin, and nothing else from anywhere. */
const SECURITY_POLICY =
	"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The description of the API: openapi.yaml as JSON, and as a page to read. */
export function docsRoutes(): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/openapi.json', (c) => {
		const openapi = readOpenapi();
		return c.body(JSON.stringify(openapi), 200, { 'content-type': 'application/json' });
	});

	routes.get('/docs', (c) => {
		c.header('content-security-policy', SECURITY_POLICY);
		return c.html(docsPage(toApiDocument(readOpenapi()), new URL(c.req.url).origin));
	});

	routes.get('/docs/docs.css', (c) => {
		const css = readFileSync(new URL('docs.css', import.meta.url), 'utf8');
		return c.body(css, 200, { 'content-type': 'text/css; charset=utf-8' });
	});

	return routes;
}
