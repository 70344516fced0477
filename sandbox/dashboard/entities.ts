import type { Context } from 'hono';
import { html } from 'hono/html';

import { type FinancialEvent, kindOf } from '../events/financialEvent.ts';
import type { Services } from '../services.ts';
import { type Settlement } from '../settlements/settlement.ts';
import { listDeliveries } from '../webhooks/deliveryLog.ts';
import { curl } from './curl.ts';
import { cardName, money, utc } from './format.ts';
import type { Html } from './layout.ts';
import { badge, copyField, time } from './parts.ts';

// Parts of the pages of single entities: links between them, and the matching request.

/** A link to the page of a card. */
export const cardLink = (card: { id: string; name: string; lastFour: string }): Html =>
	html`<a href="/dashboard/cards/${card.id}">${cardName(card)}</a>`;

/** A link to the page of an account. */
export const accountLink = ({ id, name }: { id: number; name: string }): Html =>
	html`<a href="/dashboard/accounts/${id}">${name} (${id})</a>`;

/** The request to the public API that shows an entity; `path` is below `apiPath`, the prefix of §9. */
export const matchingCurl = (c: Context, apiPath: string, path: string): Html =>
	copyField('curl', 'Matching curl', curl({ url: new URL(apiPath + path, c.req.url).href }));

/** "Declined $980.00 ELEKTRONIK OUTLET". */
export function summary(event: FinancialEvent): string {
	const kind = kindOf(event);
	const name = event.merchantName ?? 'Unnamed merchant';
	return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${money(event.amount, event.currency)} ${name}`;
}

/** Deliveries of one event that are shown. */
const MOST_DELIVERIES = 10;

/** An event in a list, with its deliveries. `title` is by default what the event reports. */
export function eventRow({ db }: Services, event: FinancialEvent, title = summary(event)): Html {
	const request = { sort: 'asc', page: 1, pageSize: MOST_DELIVERIES } as const;
	const deliveries = listDeliveries(db, { eventId: event.id }, request, MOST_DELIVERIES).data;
	return html`<li class="row" id="event-${event.id}">
		<a class="main" href="/dashboard/events/${event.id}">
			<span class="row-title">${title}</span>
			<small><code>${event.id}</code></small>
		</a>
		${
			deliveries.length === 0
				? html`<small>no delivery</small>`
				: deliveries.map(
						({ id, url, status }) =>
							html`<a
								href="/dashboard/webhooks/deliveries/${id}"
								aria-label="Delivery to ${url}: ${status}"
								>${badge(status)}</a
							>`,
					)
		}
	</li>`;
}

/** A settlement in a list. */
export const settlementRow = ({
	id,
	amount,
	currency,
	createdAt,
	transactionId,
}: Settlement): Html =>
	html`<li class="row" id="settlement-${id}">
		<span class="main">
			<a href="/dashboard/transactions/${transactionId}">${time(createdAt, utc)}</a>
			<small><code>${id}</code></small>
		</span>
		<span class="number">${money(amount, currency)}</span>
	</li>`;

/** A list in a panel with a heading; `none` says that there is nothing to show. */
export const listPanel = (
	id: string,
	title: string,
	rows: Html[],
	none: string,
	aside: Html | string = '',
): Html =>
	html`<section class="panel" aria-labelledby="${id}">
		<div class="panel-head">
			<h2 id="${id}">${title}</h2>
			${aside}
		</div>
		${
			rows.length === 0
				? html`<p class="muted">${none}</p>`
				: html`<ul class="rows">
						${rows}
					</ul>`
		}
	</section>`;
