import { Hono } from 'hono';
import { html } from 'hono/html';

import type { ControlEnv } from '../../http/guard.ts';
import { page } from '../layout.ts';
import { securityPolicy } from '../securityPolicy.ts';

const HEADING = {
	title: 'API reference',
	lede: html`<a href="/sandbox/openapi.yaml">openapi.yaml</a>, with a form to try each request. It
		needs the API key.`,
};

/** The API reference: openapi.yaml, rendered in the browser by RapiDoc. */
export function referencePage(): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		// RapiDoc writes its styles into its elements.
		c.header('content-security-policy', securityPolicy("'self' 'unsafe-inline'"));
		return page(
			c,
			HEADING,
			html`<rapi-doc
					spec-url="/sandbox/openapi.json"
					render-style="view"
					show-header="false"
					allow-server-selection="false"
					load-fonts="false"
					regular-font="system-ui"
					schema-style="table"
				></rapi-doc>
				<script type="module" src="/dashboard/assets/rapidoc.js"></script>`,
		);
	});

	return routes;
}
