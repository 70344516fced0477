import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { findEventBody } from '../../events/financialEvent.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { findDelivery } from '../../webhooks/deliveryLog.ts';
import { listSecrets } from '../../webhooks/endpoint.ts';
import {
	checkSignature,
	type SignatureInput,
	type SignatureVerdict,
} from '../../webhooks/signatureCheck.ts';
import { readForm } from '../form.ts';
import { fragment, type Html, page } from '../layout.ts';
import { badge, empty, formError, panel, post } from '../parts.ts';

const HEADING = {
	title: 'Check a signature',
	lede: 'Paste a delivery as the receiver got it, to see why its signature is rejected. Nothing is stored.',
};

const PATH = '/dashboard/signature';

const checkForm = z.object({
	// A browser sends each line break of a text area as two characters.
	body: z
		.string()
		.default('')
		.transform((body) => body.replaceAll('\r\n', '\n')),
	header: z.string().default(''),
	secret: z.string({ required_error: 'paste the signing secret' }),
	timestamp: z.string().optional(),
});

/** The signature checker: body, header and secret of a delivery, and what is wrong with them. */
export function signaturePage(services: Services): Hono<ControlEnv> {
	const { db, now } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const delivery = findDelivery(db, c.req.query('delivery') ?? '');
		const headers = delivery?.attempts.at(-1)?.requestHeaders;
		const pasted = {
			body: (delivery && findEventBody(db, delivery.eventId)) ?? '',
			header: headers?.['x-webhook-signature'] ?? '',
			timestamp: headers?.['x-webhook-timestamp'] ?? '',
			secret: '',
		};
		return page(c, HEADING, content(pasted));
	});

	routes.post('/', async (c) => {
		const input = await readForm(c, checkForm);
		const sentBody = findEventBody(db, eventIdIn(input.body));
		const verdict = checkSignature(input, { now: now(), endpoints: listSecrets(db), sentBody });
		return fragment(c, HEADING, result(verdict));
	});

	return routes;
}

/** The `id` in a body, or '' where there is none. */
function eventIdIn(body: string): string {
	const [, id = ''] = /"id"\s*:\s*"([^"]*)"/.exec(body) ?? [];
	return id;
}

const content = ({ body, header, secret, timestamp }: SignatureInput): Html =>
	html`<div class="grid">
		${panel(
			'paste',
			'Delivery',
			html`<form ${post(PATH)} hx-target="#verdict" hx-swap="innerHTML">
				<label>
					Body
					<textarea name="body" rows="9" spellcheck="false">${body}</textarea>
				</label>
				<label>
					X-Webhook-Signature
					<input name="header" autocomplete="off" spellcheck="false" value="${header}" />
				</label>
				<label>
					X-Webhook-Timestamp (optional)
					<input name="timestamp" autocomplete="off" value="${timestamp ?? ''}" />
				</label>
				<label>
					Signing secret
					<input name="secret" autocomplete="off" spellcheck="false" value="${secret}" />
				</label>
				${formError()}
				<button>Check</button>
			</form>`,
		)}
		${panel('verdict', 'Result', html`<div id="verdict" aria-live="polite">${empty('Not checked yet.')}</div>`)}
	</div>`;

const result = ({ valid, findings }: SignatureVerdict): Html =>
	html`<div data-reveal>
		<p>${badge(valid ? 'valid' : 'invalid')}</p>
		<ul>
			${findings.map((finding) => html`<li>${finding}</li>`)}
		</ul>
	</div>`;
