import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { type Account, listAccounts } from '../../accounts/account.ts';
import { eventKindSchema } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf, readQuery } from '../../http/query.ts';
import type { Services } from '../../services.ts';
import { deliveryStatusSchema, listDeliveries } from '../../webhooks/deliveryLog.ts';
import { type Endpoint, findEndpoint, listEndpoints } from '../../webhooks/endpoint.ts';
import {
	addEndpoint,
	endpointBody,
	removeEndpoint,
	rotateEndpoint,
} from '../../webhooks/routes.ts';
import { sendTestEvent } from '../../webhooks/testEvent.ts';
import { blank, sameLabels, selectFilter, statusFilter } from '../filters.ts';
import { readForm } from '../form.ts';
import { dateTime } from '../format.ts';
import { changed, fragment, type Html, isPartial, page } from '../layout.ts';
import {
	accountOptions,
	actionButton,
	badge,
	confirmDialog,
	dialogButton,
	done,
	empty,
	filterForm,
	formError,
	live,
	openDialog,
	pager,
	post,
	secretDialog,
	urlWith,
} from '../parts.ts';
import { deliveryRow } from './delivery.ts';

const HEADING = {
	title: 'Webhooks',
	lede: 'URLs that receive card financial events as signed POST requests.',
};

const PATH = '/dashboard/webhooks';

const endpointForm = endpointBody.extend({ accountId: z.coerce.number().int() });

const listParameters = pageParametersOf(25).extend({
	endpointId: blank(z.string()),
	status: blank(deliveryStatusSchema),
	kind: blank(eventKindSchema),
});

/** The Webhooks page (§6): endpoints with their secrets, and the log of deliveries. */
export function webhooksPage(services: Services): Hono<ControlEnv> {
	const { db, countBudget } = services;
	const routes = new Hono<ControlEnv>();

	const requestedEndpoint = (id: string): Endpoint => {
		const endpoint = findEndpoint(db, id);
		if (!endpoint) throw notFound('The endpoint was not found');
		return endpoint;
	};

	routes.get('/', (c) => {
		const query = readQuery(c, listParameters);
		const { endpointId, status, kind } = query;
		const deliveries = listDeliveries(db, query, query, countBudget);
		const url = (number: number) => urlWith(PATH, { endpointId, status, kind, page: number });
		const list = live(
			'deliveries',
			url(query.page),
			html`${
				deliveries.data.length === 0
					? noDeliveries(endpointId ?? status ?? kind)
					: html`<ul class="rows">
							${deliveries.data.map((delivery) => deliveryRow(services, delivery))}
						</ul>`
			}
			${pager(deliveries, 'delivery', url)}`,
		);
		if (isPartial(c)) return c.html(list);
		return page(
			c,
			HEADING,
			html`<section class="panel" aria-labelledby="endpoints-heading">
					<div class="panel-head">
						<h2 id="endpoints-heading">Endpoints</h2>
						<p class="muted">Topic <code>card.financial_event.v1</code></p>
					</div>
					${endpointList(services)} ${addEndpointForm(listAccounts(db))}
				</section>
				<section class="panel" aria-labelledby="deliveries-heading">
					<div class="panel-head">
						<h2 id="deliveries-heading">Deliveries</h2>
						${filterForm(PATH, 'deliveries', filters(listEndpoints(db), query))}
					</div>
					${list}
				</section>`,
		);
	});

	routes.get('/endpoints', (c) => fragment(c, HEADING, endpointList(services)));

	routes.post('/endpoints', async (c) => {
		const { signingSecret } = addEndpoint(services, await readForm(c, endpointForm));
		const dialog = secretDialog(
			'Signing secret',
			'Signing secret',
			signingSecret,
			'Copy it now: it is shown only once. The receiver uses it to verify signatures.',
		);
		return changed(c, HEADING, html`${addEndpointForm(listAccounts(db))}${openDialog(dialog)}`);
	});

	routes.post('/endpoints/:id/test', (c) => {
		const { event } = sendTestEvent(services, c.req.param('id'));
		return changed(c, HEADING, done(`A test event is being delivered: ${event.id}`));
	});

	routes.get('/endpoints/:id/rotate', (c) => {
		const { id, url, previousSecretUntil } = requestedEndpoint(c.req.param('id'));
		const isRunning = isLater(services, previousSecretUntil);
		return fragment(
			c,
			HEADING,
			confirmDialog({
				title: 'Rotate the signing secret?',
				consequence: html`Deliveries to ${url} are signed with the new and the current secret for 24
				hours. After that, a receiver without the new secret refuses every delivery.
				${isRunning ? 'A rotation is already in progress: the oldest secret stops working immediately.' : ''}`,
				action: 'Rotate secret',
				path: `${PATH}/endpoints/${id}/rotate`,
			}),
		);
	});

	routes.post('/endpoints/:id/rotate', (c) => {
		const signingSecret = rotateEndpoint(services, c.req.param('id'));
		const dialog = secretDialog(
			'New signing secret',
			'Signing secret',
			signingSecret,
			'Copy it now: it is shown only once. The previous one stays valid for 24 hours.',
		);
		return changed(c, HEADING, openDialog(dialog));
	});

	routes.get('/endpoints/:id/remove', (c) => {
		const { id, url } = requestedEndpoint(c.req.param('id'));
		return fragment(
			c,
			HEADING,
			confirmDialog({
				title: 'Remove this endpoint?',
				consequence: `${url} will receive no more events, and its pending deliveries will fail.`,
				action: 'Remove endpoint',
				path: `${PATH}/endpoints/${id}/remove`,
				dangerous: true,
			}),
		);
	});

	routes.post('/endpoints/:id/remove', (c) => {
		removeEndpoint(services, c.req.param('id'));
		return changed(c, HEADING, done('Endpoint removed.'));
	});

	return routes;
}

function endpointList(services: Services): Html {
	const endpoints = listEndpoints(services.db);
	const rows =
		endpoints.length === 0
			? empty('No endpoints yet. Add the URL that will receive the events of an account.')
			: html`<ul class="rows">
					${endpoints.map((endpoint) => endpointRow(services, endpoint))}
				</ul>`;
	return live('endpoints', `${PATH}/endpoints`, rows);
}

const isLater = ({ now }: Services, time: string | null): boolean =>
	time !== null && now().toISOString() < time;

function endpointRow(services: Services, endpoint: Endpoint): Html {
	const { id, url, accountId, createdAt, failingSince, previousSecretUntil } = endpoint;
	const account = listAccounts(services.db).find((each) => each.id === accountId);
	const details = [account?.name ?? String(accountId), `since ${dateTime(createdAt)}`];
	if (failingSince !== null) details.push(`failing since ${dateTime(failingSince)}`);
	const path = `${PATH}/endpoints/${id}`;
	return html`<li class="row" id="endpoint-${id}">
		<span class="main">
			${url}
			<small>${details.join(' · ')}</small>
			${
				isLater(services, previousSecretUntil)
					? html`<small
							>Secret rotated: the previous one is valid until
							${dateTime(previousSecretUntil ?? '')}.</small
						>`
					: ''
			}
		</span>
		${failingSince === null ? '' : badge('failing')}
		<span class="actions">
			${actionButton(`${path}/test`, 'Send test event', `to ${url}`)}
			${dialogButton(`${path}/rotate`, 'Rotate secret', `of ${url}`)}
			${dialogButton(`${path}/remove`, 'Remove', url, 'quiet')}
		</span>
	</li>`;
}

/** The form that adds an endpoint, of one of the accounts. */
export const addEndpointForm = (accounts: Account[]): Html =>
	html`<form id="endpoint-form" class="inline" ${post(`${PATH}/endpoints`)}>
		<label class="grow">
			Endpoint URL
			<input
				id="endpoint-url"
				name="url"
				type="url"
				required
				maxlength="2000"
				autocomplete="off"
				placeholder="https://example.com/webhook"
			/>
		</label>
		<label ${hiddenIf(accounts.length === 1)}>
			Account
			<select name="accountId">
				${accountOptions(accounts)}
			</select>
		</label>
		<button>Add endpoint</button>
		${formError()}
	</form>`;

const hiddenIf = (hidden: boolean): Html => (hidden ? html`hidden` : html``);

const noDeliveries = (filter: string | undefined): Html =>
	empty(
		filter === undefined
			? html`No deliveries yet. <a href="/dashboard/simulate">Simulate a purchase</a> to trigger an
					event.`
			: 'No matching deliveries.',
	);

function filters(
	endpoints: Endpoint[],
	query: { endpointId?: string; status?: string; kind?: string },
): Html {
	return html`${selectFilter(
		'endpointId',
		'Endpoint',
		query.endpointId,
		endpoints.map(({ id, url }) => [id, url]),
	)}
	${statusFilter(deliveryStatusSchema.options, query.status)}
	${selectFilter('kind', 'Event', query.kind, sameLabels(eventKindSchema.options))}`;
}
