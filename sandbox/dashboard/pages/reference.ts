import { html } from 'hono/html';

import * as ui from '../ui.ts';

/** The references of the API and of the control plane, rendered in the browser by RapiDoc. */
export function addReference(pages: ui.Pages): void {
	pages.get('/reference', (c) => {
		// Only the API needs a key.
		const isControl = c.req.query('of') === 'control';
		const action = isControl
			? ui.link('/dashboard/reference', 'API reference')
			: ui.link('/dashboard/reference?of=control', 'Control plane');
		return c.render(
			html`<rapi-doc
					spec-url="/sandbox/${isControl ? 'control' : 'openapi'}.json"
					render-style="view"
					show-header="false"
					allow-authentication="${String(!isControl)}"
					allow-server-selection="false"
					load-fonts="false"
					regular-font="system-ui"
					mono-font="ui-monospace, monospace"
					schema-style="table"
				></rapi-doc>
				<script type="module" src="/dashboard/assets/rapidoc.js"></script>`,
			isControl ? 'Control plane' : 'API reference',
			{ action, isStatic: true },
		);
	});
}
