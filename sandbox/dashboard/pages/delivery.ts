import { Hono } from 'hono';
import { html } from 'hono/html';

import { findAccount } from '../../accounts/account.ts';
import { findCard } from '../../cards/card.ts';
import { type FinancialEvent, findEvent, findEventBody } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { findDelivery, type LoggedDelivery } from '../../webhooks/deliveryLog.ts';
import { adviceFor } from '../../webhooks/explain.ts';
import { type Attempt, isAccepted } from '../../webhooks/outbox.ts';
import { redeliverNow } from '../../webhooks/routes.ts';
import { showDetail } from '../detail.ts';
import {
	accountLink,
	cardLink,
	deliveryBadge,
	endpointOf,
	summary,
	transactionLink,
} from '../entities.ts';
import { counted } from '../format.ts';
import { changed, type Html } from '../layout.ts';
import {
	actionButton,
	actions,
	badge,
	copyable,
	done,
	muted,
	panel,
	preformatted,
	time,
} from '../parts.ts';

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
		const { id, attempts } = delivery;
		const title = summary(services, event);
		const card = findCard(db, event.cardId);
		const account = card && findAccount(db, card.accountId);
		return showDetail(c, {
			noun: 'delivery',
			heading: { title, lede: html`Delivery to ${delivery.url}` },
			status: deliveryBadge(delivery),
			actions: actions(
				actionButton(`${PATH}/${id}/redeliver`, 'Redeliver', title),
				html`<a
					role="button"
					class="small secondary outline"
					href="/dashboard/signature?delivery=${id}"
					>Check the signature</a
				>`,
			),
			facts: [
				['Endpoint', endpointOf(services, delivery)],
				['Endpoint ID', copyable(delivery.endpointId, 'endpoint ID')],
				['Account', account && accountLink(account)],
				['Event ID', copyable(event.id, 'event ID')],
				[
					'Transaction ID',
					html`${copyable(event.transactionId, 'transaction ID')}
					${transactionLink(`${event.transactionId}#event-${event.id}`, 'Transaction')}`,
				],
				['Card', card && html`${cardLink(card)} ${copyable(card.id, 'card ID')}`],
				['Event created', time(event.createdAt)],
				['Next attempt', nextAttempt(services, delivery)],
			],
			sections: panel(
				'attempts',
				'Attempts',
				attempts.length === 0
					? muted('No attempt yet.')
					: html`${attempts
							.map((attempt, index) =>
								attemptDetails(delivery.url, attempt, index + 1, attempts.length),
							)
							.toReversed()}`,
				muted(`${counted(attempts.length, 'attempt')}, newest first`),
			),
			fixed: bodyPanel(findEventBody(db, event.id) ?? ''),
		});
	});

	routes.post('/:id/redeliver', (c) => {
		const { delivery, event } = requested(c.req.param('id'));
		redeliverNow(services, delivery.id);
		const heading = { title: summary(services, event), lede: '' };
		return changed(c, heading, done('The event is being delivered again.'));
	});

	return routes;
}

function nextAttempt({ now }: Services, { nextAttemptAt }: LoggedDelivery): Html | undefined {
	if (nextAttemptAt === null) return undefined;
	return nextAttemptAt <= now().toISOString() ? html`now` : time(nextAttemptAt);
}

/** The newest attempt is open; the user's choice stays. */
function attemptDetails(url: string, attempt: Attempt, number: number, count: number): Html {
	const { at, httpStatus, durationMs, error, requestHeaders, responseBody } = attempt;
	const status = httpStatus === null ? 'no response' : `HTTP ${httpStatus}`;
	const advice = adviceFor(url, attempt);
	const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`);
	return html`<details class="attempt" id="attempt-${number}" ${number === count ? 'open' : ''}>
		<summary>
			${badge(status, isAccepted(attempt) ? 'good' : 'bad')} ${time(at)}
			<small>${durationMs} ms · #${number}</small>
		</summary>
		${error === null ? '' : html`<p class="error">${error}</p>`}
		${advice === undefined ? '' : html`<p class="warning">${advice}</p>`}
		<h3>Request headers</h3>
		${preformatted('Request headers', headers.join('\n'))}
		<h3>Response</h3>
		${
			responseBody === ''
				? muted(httpStatus === null ? 'None.' : 'Empty.')
				: preformatted('Response', responseBody)
		}
	</details>`;
}

const bodyPanel = (body: string): Html =>
	panel(
		'body',
		'Body',
		html`${muted('The exact bytes that every attempt sends, and that the signature covers.')}
			${preformatted('Body', body)}
			<details>
				<summary>Formatted</summary>
				${preformatted('Formatted body', JSON.stringify(JSON.parse(body), null, 2))}
			</details>`,
		html`<button
			type="button"
			class="small secondary outline"
			data-copy="${body}"
			aria-label="Copy body"
		>
			Copy
		</button>`,
	);
