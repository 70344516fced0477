import { Hono } from 'hono';
import { html } from 'hono/html';

import { listAccounts } from '../../accounts/account.ts';
import { findCard } from '../../cards/card.ts';
import { type FinancialEvent, findEvent, findEventBody } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { findDelivery, type LoggedDelivery } from '../../webhooks/deliveryLog.ts';
import type { Attempt } from '../../webhooks/outbox.ts';
import { redeliverNow } from '../../webhooks/routes.ts';
import { accountLink, cardLink, summary } from '../entities.ts';
import { counted, timeOfDay } from '../format.ts';
import { changed, fragment, type Html, page } from '../layout.ts';
import { actionButton, badge, copyable, done, facts, live, time } from '../parts.ts';

const PATH = '/dashboard/webhooks/deliveries';

/** One delivery: what was sent, each attempt with its response, and when the next one is due. */
export function deliveryPage(services: Services): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): { delivery: LoggedDelivery; event: FinancialEvent } => {
		const delivery = findDelivery(db, id);
		const event = delivery && findEvent(db, delivery.eventId);
		if (!event) throw notFound('The delivery was not found');
		return { delivery, event };
	};

	routes.get('/:id', (c) => {
		const { delivery, event } = requested(c.req.param('id'));
		return page(
			c,
			{ title: summary(event), lede: html`Delivery to ${delivery.url}` },
			html`${state(services, delivery, event)} ${bodyPanel(findEventBody(db, event.id) ?? '')}`,
		);
	});

	routes.get('/:id/state', (c) => {
		const { delivery, event } = requested(c.req.param('id'));
		return fragment(c, { title: summary(event), lede: '' }, state(services, delivery, event));
	});

	routes.post('/:id/redeliver', (c) => {
		const { delivery, event } = requested(c.req.param('id'));
		redeliverNow(services, delivery.id);
		const heading = { title: summary(event), lede: '' };
		return changed(c, heading, done('The event is being delivered again.'));
	});

	return routes;
}

/** A delivery in a list: what its event reports, where it goes, and what became of it. */
export function deliveryRow({ db }: Services, delivery: LoggedDelivery): Html {
	const event = findEvent(db, delivery.eventId);
	const last = delivery.attempts.at(-1);
	return html`<li class="row" id="delivery-${delivery.id}">
		<a class="main" href="${PATH}/${delivery.id}">
			<span class="row-title">
				${event ? summary(event) : delivery.eventId}
				${event && html`· ${time(event.createdAt, timeOfDay)}`}
			</span>
			<small>${delivery.url} · ${last ? outcome(last) : 'no attempt yet'}</small>
		</a>
		<small>${counted(delivery.attempts.length, 'attempt')}</small>
		${badge(delivery.status)}
	</li>`;
}

/** "HTTP 503 · 12 ms". */
const outcome = ({ httpStatus, error, durationMs }: Attempt): string =>
	`${httpStatus === null ? (error ?? 'no response') : `HTTP ${httpStatus}`} · ${durationMs} ms`;

function state(services: Services, delivery: LoggedDelivery, event: FinancialEvent): Html {
	const { db } = services;
	const { id, attempts, nextAttemptAt, status } = delivery;
	const card = findCard(db, event.cardId);
	const account = listAccounts(db).find((each) => each.id === card?.accountId);
	return live(
		'delivery',
		`${PATH}/${id}/state`,
		html`<section class="panel" aria-labelledby="delivery-heading">
				<div class="panel-head">
					<h2 id="delivery-heading">Delivery ${badge(status)}</h2>
					<span class="actions">
						${actionButton(`${PATH}/${id}/redeliver`, 'Redeliver', summary(event))}
						<a role="button" class="small secondary" href="/dashboard/signature?delivery=${id}"
							>Check the signature</a
						>
					</span>
				</div>
				${facts([
					['Endpoint', delivery.url],
					['Endpoint ID', copyable(delivery.endpointId, 'endpoint ID')],
					['Account', account && accountLink(account)],
					[
						'Event ID',
						html`${copyable(event.id, 'event ID')}
							<a href="/dashboard/events/${event.id}">Event</a>`,
					],
					[
						'Transaction ID',
						html`${copyable(event.transactionId, 'transaction ID')}
							<a href="/dashboard/transactions/${event.transactionId}">Transaction</a>`,
					],
					['Card', card && html`${cardLink(card)} ${copyable(card.id, 'card ID')}`],
					['Event created', time(event.createdAt)],
					['Next attempt', nextAttempt(services, nextAttemptAt)],
				])}
			</section>
			<section class="panel" aria-labelledby="attempts-heading">
				<div class="panel-head">
					<h2 id="attempts-heading">Attempts</h2>
					<p class="muted">${counted(attempts.length, 'attempt')}, newest first</p>
				</div>
				${
					attempts.length === 0
						? html`<p class="muted">No attempt yet.</p>`
						: attempts
								.map((attempt, index) => attemptDetails(attempt, index + 1, attempts.length))
								.toReversed()
				}
			</section>`,
	);
}

function nextAttempt({ now }: Services, at: string | null): Html | undefined {
	if (at === null) return undefined;
	return at <= now().toISOString() ? html`now` : html`${time(at)}`;
}

/** The newest attempt is open; the user's choice stays. */
function attemptDetails(attempt: Attempt, number: number, count: number): Html {
	const { at, httpStatus, durationMs, error, requestHeaders, responseBody } = attempt;
	const ok = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
	const status = httpStatus === null ? 'no response' : `HTTP ${httpStatus}`;
	return html`<details class="attempt" id="attempt-${number}" ${number === count ? 'open' : ''}>
		<summary>
			<span class="badge ${ok ? 'good' : 'bad'}">${status}</span>
			<span>${time(at)}</span>
			<small>${durationMs} ms</small>
			<small>#${number}</small>
		</summary>
		${error === null ? '' : html`<p class="error">${error}</p>`}
		<h3>Request headers</h3>
		<pre aria-label="Request headers" tabindex="0">
${Object.entries(requestHeaders)
				.map(([name, value]) => `${name}: ${value}`)
				.join('\n')}</pre>
		<h3>Response</h3>
		${
			responseBody === ''
				? html`<p class="muted">${httpStatus === null ? 'None.' : 'Empty.'}</p>`
				: html`<pre aria-label="Response" tabindex="0">${responseBody}</pre>`
		}
	</details>`;
}

const bodyPanel = (body: string): Html =>
	html`<section class="panel" aria-labelledby="body-heading">
		<div class="panel-head">
			<h2 id="body-heading">Body</h2>
			<button type="button" class="small secondary" data-copy="${body}" aria-label="Copy body">
				Copy
			</button>
		</div>
		<p class="muted">The exact bytes that every attempt sends, and that the signature covers.</p>
		<pre aria-label="Body" tabindex="0">${body}</pre>
		<details>
			<summary>Formatted</summary>
			<pre aria-label="Formatted body" tabindex="0">
${JSON.stringify(JSON.parse(body), null, 2)}</pre>
		</details>
	</section>`;
