import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod/v4';

import { type FinancialEvent, findEvent, findEventBody } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { findDelivery, type LoggedDelivery } from '../../webhooks/deliveryLog.ts';
import { listSecrets } from '../../webhooks/endpoint.ts';
import { adviceFor } from '../../webhooks/explain.ts';
import { type Attempt, isAccepted, redeliver } from '../../webhooks/outbox.ts';
import { checkSignature } from '../../webhooks/signatureCheck.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/webhooks/deliveries';

const checkForm = z.object({
	// A browser sends each line break of a text area as two characters.
	body: z
		.string()
		.default('')
		.transform((body) => body.replaceAll('\r\n', '\n')),
	header: z.string().default(''),
	secret: z.string('paste the signing secret'),
});

/** One delivery: what was sent, each attempt with its response, when the next one is due, and why its signature is rejected. */
export function deliveryPage(services: Services): Hono<ControlEnv> {
	const { db, now } = services;
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): { delivery: LoggedDelivery; event: FinancialEvent } => {
		const delivery = findDelivery(db, id);
		const event = delivery && findEvent(db, delivery.eventId);
		if (!event) throw notFound('The delivery was not found');
		return { delivery, event };
	};

	routes.get('/:id', (c) => {
		const { delivery, event } = requested(c.req.param('id'));
		const title = ui.summary(services, event);
		const action = ui.actionButton(`${PATH}/${delivery.id}/redeliver`, 'Redeliver', title);
		const body = findEventBody(db, event.id) ?? '';
		return c.render(
			html`${details(services, delivery, event)} ${bodyPanel(delivery, body)}`,
			title,
			{ action },
		);
	});

	routes.post('/:id/check', async (c) => {
		const { event } = requested(c.req.param('id'));
		const input = await ui.readForm(c, checkForm);
		const sentBody = findEventBody(db, event.id);
		const about = { now: now(), endpoints: listSecrets(db), sentBody };
		const { valid, findings } = checkSignature(input, about);
		return c.html(
			html`${ui.badge(valid ? 'valid' : 'invalid')}
				<ul>
					${findings.map((finding) => html`<li>${finding}</li>`)}
				</ul>`,
		);
	});

	routes.post('/:id/redeliver', (c) => {
		redeliver(services, requested(c.req.param('id')).delivery.id);
		return ui.done(c, 'The event is being delivered again.');
	});

	return routes;
}

function details(services: Services, delivery: LoggedDelivery, event: FinancialEvent): ui.Html {
	const { attempts, url } = delivery;
	const entries = ui.facts([
		['Endpoint', ui.endpointOf(services, delivery)],
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

const BYTES =
	'The exact bytes that every attempt sends, and that the signature covers. If the receiver rejects the signature: paste what it got, and its secret, to see why. Nothing is stored.';

/** What was sent. A person can paste over it what the receiver got. */
function bodyPanel({ id, attempts }: LoggedDelivery, body: string): ui.Html {
	const signature = attempts.at(-1)?.requestHeaders['x-webhook-signature'] ?? '';
	return ui.panel(
		'body',
		'Body and signature',
		html`${ui.muted(BYTES)}
			<form ${ui.post(`${PATH}/${id}/check`, html`hx-target="#verdict" hx-swap="innerHTML"`)}>
				<label class="form-label w-100">
					Body
					<textarea class="form-control font-monospace" name="body" rows="6" spellcheck="false">
${body}</textarea>
				</label>
				${ui.field('X-Webhook-Signature', html`name="header" value="${signature}"`)}
				${ui.field('Signing secret', html`name="secret"`)} ${ui.submit('Check')}
			</form>
			<div id="verdict" class="mt-3" aria-live="polite" hx-morph-skip-children></div>`,
	);
}
