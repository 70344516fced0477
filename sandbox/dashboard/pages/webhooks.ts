import { html } from 'hono/html';
import { z } from 'zod/v4';

import { type Account, listAccounts } from '../../accounts/account.ts';
import { latestEvents } from '../../events/financialEvent.ts';
import { pageParametersOf } from '../../http/query.ts';
import type { Services } from '../../services.ts';
import { deliveryStatusSchema, listDeliveries } from '../../webhooks/deliveryLog.ts';
import * as endpoints from '../../webhooks/endpoint.ts';
import { addEndpoint, endpointBody } from '../../webhooks/routes.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/webhooks';

const endpointForm = endpointBody.extend({ accountId: z.coerce.number().int() });

const listParameters = pageParametersOf(25).extend({ status: deliveryStatusSchema.optional() });

/** The Webhooks page (§6): endpoints with their secrets, and the log of deliveries. */
export function addWebhooks(pages: ui.Pages, services: Services): void {
	const { db } = services;

	pages.get('/webhooks', (c) => {
		const query = ui.readFilters(c, listParameters);
		const table = ui.table(endpointTable(services), endpoints.listEndpoints(db));
		const list = ui.deliveryTable(services, latestEvents(db, 1)[0]);
		const filters = [ui.anyFilter('Status', 'status', deliveryStatusSchema.options, query.status)];
		return c.render(
			html`${ui.panel(
				'endpoints',
				'Endpoints',
				html`${table} ${addEndpointForm(listAccounts(db))}`,
				html`<span>Topic <code>card.financial_event.v1</code></span>`,
			)}
			${ui.listPanel(c, list, filters, listDeliveries(db, query, query))}`,
			'Webhooks',
		);
	});

	pages.post('/webhooks/endpoints', async (c) => {
		const endpoint = addEndpoint(services, await ui.readForm(c, endpointForm));
		const advice = 'Copy it now: it is shown only once. The receiver uses it to verify signatures.';
		return ui.changed(c, ui.secretDialog('Signing secret', endpoint.signingSecret, advice));
	});

	pages.post('/webhooks/endpoints/:id/rotate', (c) => {
		const signingSecret = endpoints.rotateSecret(services, c.req.param('id'));
		const advice = 'Copy it now: it is shown only once. The previous one stays valid for 24 hours.';
		return ui.changed(c, ui.secretDialog('New signing secret', signingSecret, advice));
	});

	pages.post('/webhooks/endpoints/:id/remove', (c) => {
		endpoints.removeEndpoint(services, c.req.param('id'));
		return ui.done(c, 'Endpoint removed.');
	});
}

const ROTATE =
	'Deliveries are signed with the new and the current secret for 24 hours. After that, a receiver without the new secret refuses every delivery. An older secret stops working immediately.';
const REMOVE = 'The URL will receive no more events, and its pending deliveries will fail.';

const endpointTable = (services: Services): ui.Table<endpoints.Endpoint> => ({
	noun: 'endpoint',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Endpoint',
			cell: (endpoint) => {
				const until = endpoint.previousSecretUntil ?? '';
				const isRotating = services.now().toISOString() < until;
				return html`${ui.endpointLabel(endpoint)}
				${isRotating && html`<small>Its previous secret is valid until ${ui.dateTime(until)}.</small>`}`;
			},
		},
		{ title: 'Account', cell: ({ accountId }) => ui.accountLink(services, accountId) },
		{
			cell: ({ id, url }) =>
				ui.actions(
					ui.actionButton(`${PATH}/endpoints/${id}/rotate`, 'Rotate secret', `of ${url}`, {
						question: ROTATE,
					}),
					ui.actionButton(`${PATH}/endpoints/${id}/remove`, 'Remove', url, { question: REMOVE }),
				),
		},
	],
	empty: 'No endpoints yet. Add the URL that will receive the events of an account.',
});

const addEndpointForm = (accounts: Account[]): ui.Html =>
	html`<form class="mt-3" ${ui.post(`${PATH}/endpoints`)}>
		<div class="fields">
			${ui.field(
				'Endpoint URL',
				html`name="url" type="url" required maxlength="2000"
				placeholder="https://example.com/webhook"`,
			)}
			${ui.choice('Account', html`name="accountId"`, ui.accountOptions(accounts))}
		</div>
		${ui.submit('Add endpoint')}
	</form>`;
