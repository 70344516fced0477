import { Hono } from 'hono';
import { html } from 'hono/html';

import type { ControlEnv } from '../../http/guard.ts';
import { securityPolicy } from '../securityPolicy.ts';

const HEADING = {
	title: 'API reference',
	lede: html`With a form to try each request: <a href="/dashboard/reference">the API</a>, which
		needs the key, and <a href="/dashboard/reference?of=control">the control plane</a>.`,
};

/** The references of the API and of the control plane, rendered in the browser by RapiDoc. */
export function referencePage(): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		// RapiDoc writes its styles into its elements.
		c.header('content-security-policy', securityPolicy("'self' 'unsafe-inline'"));
		return c.render(
			html`<rapi-doc
					hx-morph-skip
					spec-url="/sandbox/${c.req.query('of') === 'control' ? 'control' : 'openapi'}.json"
					render-style="view"
					show-header="false"
					allow-server-selection="false"
					load-fonts="false"
					regular-font="system-ui"
					schema-style="table"
				></rapi-doc>
				<script type="module" src="/dashboard/assets/rapidoc.js"></script>`,
			HEADING,
		);
	});

	return routes;
}
