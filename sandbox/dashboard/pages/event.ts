import { Hono } from 'hono';
import { html } from 'hono/html';

import { findAccount } from '../../accounts/account.ts';
import { findCard } from '../../cards/card.ts';
import { type FinancialEvent, findEvent } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { listDeliveries } from '../../webhooks/deliveryLog.ts';
import { accountLink, cardLink, listPanel, matchingCurl, summary } from '../entities.ts';
import { utc } from '../format.ts';
import { fragment, type Html, page } from '../layout.ts';
import { copyable, facts, live, time } from '../parts.ts';
import { deliveryRow } from './delivery.ts';

const PATH = '/dashboard/events';

/** Deliveries that the page shows: an account rarely has as many endpoints. */
const MOST_DELIVERIES = 100;

/** One event (§2 CardFinancialEvent): what it belongs to, its fields, and its deliveries. */
export function eventPage(services: Services, apiPath: string): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): FinancialEvent => {
		const event = findEvent(services.db, id);
		if (!event) throw notFound('The event was not found');
		return event;
	};

	routes.get('/:id', (c) => {
		const event = requested(c.req.param('id'));
		return page(
			c,
			{ title: summary(event), lede: 'Card financial event' },
			html`${details(services, event, matchingCurl(c, apiPath, `/cards/${event.cardId}/financial-events`))}
			${deliveries(services, event)}`,
		);
	});

	routes.get('/:id/deliveries', (c) => {
		const event = requested(c.req.param('id'));
		return fragment(c, { title: summary(event), lede: '' }, deliveries(services, event));
	});

	return routes;
}

function details({ db }: Services, event: FinancialEvent, request: Html): Html {
	const card = findCard(db, event.cardId);
	const account = card && findAccount(db, card.accountId);
	const transactionUrl = `/dashboard/transactions/${event.transactionId}`;
	return html`<section class="panel" aria-labelledby="event-heading">
		<h2 id="event-heading" class="panel-title">Event</h2>
		${facts([
			['Event ID', copyable(event.id, 'event ID')],
			['Transaction', html`<a href="${transactionUrl}"><code>${event.transactionId}</code></a>`],
			['Card', card && cardLink(card)],
			['Account', account && accountLink(account)],
			['Created', time(event.createdAt, utc)],
			['Issues', event.issues.map(({ reason, origin }) => `${reason} (${origin})`).join(', ')],
		])}
		<h3>Fields</h3>
		<pre tabindex="0" aria-label="Fields">${JSON.stringify(event, null, 2)}</pre>
		${request}
	</section>`;
}

function deliveries(services: Services, { id }: FinancialEvent): Html {
	const request = { sort: 'asc', page: 1, pageSize: MOST_DELIVERIES } as const;
	const found = listDeliveries(services.db, { eventId: id }, request, MOST_DELIVERIES).data;
	return live(
		'event-deliveries',
		`${PATH}/${id}/deliveries`,
		listPanel(
			'deliveries-heading',
			'Deliveries',
			found.map((delivery) => deliveryRow(services, delivery)),
			'Nobody received this event: the account had no endpoint, or its webhooks were off.',
		),
	);
}
