import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import { type Account, listAccounts } from '../../accounts/account.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf } from '../../http/query.ts';
import type { Services } from '../../services.ts';
import { deliveryStatusSchema, listDeliveries } from '../../webhooks/deliveryLog.ts';
import {
	type Endpoint,
	listEndpoints,
	removeEndpoint,
	rotateSecret,
} from '../../webhooks/endpoint.ts';
import { addEndpoint, endpointBody } from '../../webhooks/routes.ts';
import { accountLink, deliveryTable, endpointLabel } from '../entities.ts';
import { readForm } from '../form.ts';
import { dateTime } from '../format.ts';
import { changed, done, type Html } from '../layout.ts';
import { listPanel, readFilters, statusFilter, type Table, table } from '../list.ts';
import {
	accountOptions,
	actionButton,
	actions,
	choice,
	field,
	panel,
	post,
	secretDialog,
	submit,
} from '../parts.ts';

const PATH = '/dashboard/webhooks';

const endpointForm = endpointBody.extend({ accountId: z.coerce.number().int() });

const listParameters = pageParametersOf(25).extend({ status: deliveryStatusSchema.optional() });

/** The Webhooks page (§6): endpoints with their secrets, and the log of deliveries. */
export function webhooksPage(services: Services): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const query = readFilters(c, listParameters);
		const deliveries = listDeliveries(db, query, query);
		const endpoints = panel(
			'endpoints',
			'Endpoints',
			html`${table(endpointTable(services), listEndpoints(db))} ${addEndpointForm(listAccounts(db))}`,
			html`<span>Topic <code>card.financial_event.v1</code></span>`,
		);
		const list = {
			title: 'Deliveries',
			...deliveryTable(services),
			filters: [statusFilter(deliveryStatusSchema.options, query.status)],
		};
		return c.render(html`${endpoints} ${listPanel(c, list, deliveries)}`, 'Webhooks');
	});

	routes.post('/endpoints', async (c) => {
		const endpoint = addEndpoint(services, await readForm(c, endpointForm));
		const advice = 'Copy it now: it is shown only once. The receiver uses it to verify signatures.';
		return changed(c, secretDialog('Signing secret', endpoint.signingSecret, advice));
	});

	routes.post('/endpoints/:id/rotate', (c) => {
		const signingSecret = rotateSecret(services, c.req.param('id'));
		const advice = 'Copy it now: it is shown only once. The previous one stays valid for 24 hours.';
		return changed(c, secretDialog('New signing secret', signingSecret, advice));
	});

	routes.post('/endpoints/:id/remove', (c) => {
		removeEndpoint(services, c.req.param('id'));
		return done(c, 'Endpoint removed.');
	});

	return routes;
}

const ROTATE =
	'Deliveries are signed with the new and the current secret for 24 hours. After that, a receiver without the new secret refuses every delivery. An older secret stops working immediately.';
const REMOVE = 'The URL will receive no more events, and its pending deliveries will fail.';

const endpointTable = (services: Services): Table<Endpoint> => ({
	noun: 'endpoint',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Endpoint',
			cell: (endpoint) => {
				const until = endpoint.previousSecretUntil;
				const isRotating = until !== null && services.now().toISOString() < until;
				return html`${endpointLabel(endpoint)}
				${
					isRotating
						? html`<small>Its previous secret is valid until ${dateTime(until)}.</small>`
						: ''
				}`;
			},
		},
		{ title: 'Account', cell: ({ accountId }) => accountLink(services, accountId) },
		{
			title: 'Actions',
			cell: ({ id, url }) =>
				actions(
					actionButton(`${PATH}/endpoints/${id}/rotate`, 'Rotate secret', `of ${url}`, {
						question: ROTATE,
					}),
					actionButton(`${PATH}/endpoints/${id}/remove`, 'Remove', url, { question: REMOVE }),
				),
		},
	],
	empty: 'No endpoints yet. Add the URL that will receive the events of an account.',
});

/** The form that adds an endpoint, of one of the accounts. */
export const addEndpointForm = (accounts: Account[]): Html =>
	html`<form id="endpoint-form" class="mt-3" ${post(`${PATH}/endpoints`)}>
		${field(
			'Endpoint URL',
			html`id="endpoint-url" name="url" type="url" required maxlength="2000"
			placeholder="https://example.com/webhook"`,
		)}
		<div class="fields">
			${field('Name (optional)', html`id="endpoint-name" name="name" maxlength="255"`)}
			<div ${accounts.length === 1 ? html`hidden` : ''}>
				${choice('Account', html`name="accountId"`, accountOptions(accounts))}
			</div>
		</div>
		${submit('Add endpoint')}
	</form>`;
