import { html } from 'hono/html';

import { type FinancialEvent, findEvent, findEventBody } from '../../events/financialEvent.ts';
import type { Services } from '../../services.ts';
import { findDelivery, type LoggedDelivery } from '../../webhooks/deliveryLog.ts';
import { adviceFor } from '../../webhooks/explain.ts';
import { type Attempt, isAccepted, redeliver } from '../../webhooks/outbox.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/webhooks/deliveries';

const BYTES = 'Exact bytes, as signed and sent';

/** One delivery: what was sent, each attempt with its response, when the next one is due. */
export function addDelivery(pages: ui.Pages, services: Services): void {
	const { db } = services;

	pages.get('/webhooks/deliveries/:id', (c) => {
		const delivery = ui.found(findDelivery(db, c.req.param('id')), 'delivery');
		const event = ui.found(findEvent(db, delivery.eventId), 'event');
		const title = ui.summary(services, event);
		const action = ui.actionButton(`${PATH}/${delivery.id}/redeliver`, 'Redeliver', title);
		const bytes = findEventBody(db, event.id) ?? '';
		const body = ui.preformatted('For reading', JSON.stringify(event, null, 2));
		const copy = html`<span>${BYTES} ${ui.copyButton(bytes, 'the exact bytes')}</span>`;
		const content = html`${details(services, delivery, event)}
		${ui.panel('body', 'Body', body, copy)}`;
		return c.render(content, title, { action });
	});

	pages.post('/webhooks/deliveries/:id/redeliver', (c) => {
		redeliver(services, c.req.param('id'));
		return ui.done(c, 'The event is being delivered again.');
	});
}

function details(services: Services, delivery: LoggedDelivery, event: FinancialEvent): ui.Html {
	const { attempts, url, nextAttemptAt } = delivery;
	const entries = ui.facts([
		['Endpoint', ui.endpointLabel(delivery)],
		['Next attempt', nextAttemptAt !== null && attempts.length > 0 && ui.time(nextAttemptAt)],
		['Card', ui.cardLink(services, event.cardId)],
		['Transaction', ui.transactionLink(event.transactionId, event.transactionId)],
		['Event ID', ui.copyable(event.id, 'event ID')],
	]);
	const tried = attempts.map((attempt, index) =>
		attemptDetails(url, attempt, index + 1, attempts.length),
	);
	return html`${ui.panel('facts', html`Delivery ${ui.deliveryBadge(delivery)}`, entries)}
	${ui.panel(
		'attempts',
		'Attempts',
		attempts.length === 0 ? ui.muted('No attempt yet.') : html`${tried.toReversed()}`,
		`${ui.counted(attempts.length, 'attempt')}, newest first`,
	)}`;
}

/** The newest attempt is open; the user's choice stays. */
function attemptDetails(url: string, attempt: Attempt, number: number, count: number): ui.Html {
	const { at, httpStatus, durationMs, error, requestHeaders, responseBody } = attempt;
	const status = httpStatus === null ? 'no response' : `HTTP ${httpStatus}`;
	const advice = adviceFor(url, attempt);
	return html`<details class="py-2" id="attempt-${number}" ${number === count ? 'open' : ''}>
		<summary class="mb-2">
			${ui.badge(status, isAccepted(attempt) ? 'success' : 'danger')} ${ui.time(at)}
			<small>${durationMs} ms · #${number}</small>
		</summary>
		${error === null ? '' : ui.alert(error, 'danger')}
		${advice === undefined ? '' : ui.alert(advice)}
		${ui.headerLines(Object.entries(requestHeaders))}
		${httpStatus === null ? '' : ui.preformatted('Response', responseBody)}
	</details>`;
}
