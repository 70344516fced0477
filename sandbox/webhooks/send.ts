import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

import { LOGGED_RESPONSE_LENGTH } from '../assumptions.ts';
import type { OutgoingDelivery } from '../types.ts';
import type { Attempt, DueDelivery } from './outbox.ts';
import { signatureHeader } from './signature.ts';

/** The one topic (§6 Topics). */
const TOPIC = 'card.financial_event.v1';

/** How an attempt is made: its time, the secrets to sign with, the most it may take (ms), and when to drop it. */
interface SendOptions {
	at: Date;
	secrets: string[];
	timeout: number;
	/** Aborted when the sandbox closes. */
	closing: AbortSignal;
	onDelivery?: ((delivery: OutgoingDelivery) => void) | undefined;
}

/**
 * Sends a delivery once (§6 Delivery headers) and gives the result. Never throws: a failure is in
 * `error`.
 */
export async function send(
	{ eventId, url, body }: Pick<DueDelivery, 'eventId' | 'url' | 'body'>,
	{ at, secrets, timeout, closing, onDelivery }: SendOptions,
): Promise<Attempt> {
	const started = performance.now();
	const requestHeaders = {
		'x-webhook-event-id': eventId,
		'x-webhook-topic': TOPIC,
		'x-webhook-timestamp': at.toISOString(),
		'x-webhook-signature': signatureHeader(body, secrets),
	};
	const attempt: Attempt = {
		at: at.toISOString(),
		httpStatus: null,
		durationMs: 0,
		error: null,
		requestHeaders,
		responseBody: '',
	};
	const headers = { 'content-type': 'application/json', ...requestHeaders };
	const timedOut = AbortSignal.timeout(timeout);
	try {
		onDelivery?.({ headers, body });
		const response = await post(url, headers, body, AbortSignal.any([closing, timedOut]));
		attempt.httpStatus = response.statusCode ?? null;
		for await (const characters of response.setEncoding('utf8')) {
			attempt.responseBody = (attempt.responseBody + String(characters)).slice(
				0,
				LOGGED_RESPONSE_LENGTH,
			);
			// The rest may be endless.
			if (attempt.responseBody.length === LOGGED_RESPONSE_LENGTH) break;
		}
	} catch (error) {
		const status = attempt.httpStatus;
		const cause = timedOut.aborted ? `no response within ${duration(timeout)}` : describe(error);
		// The status counts, even if the body does not end.
		attempt.error = status === null ? cause : `HTTP ${status}, but the body did not end`;
	}
	attempt.durationMs = Math.round(performance.now() - started);
	return attempt;
}

/** Follows no redirect. Each request has its own connection: a kept one may have been closed by the receiver. */
async function post(
	url: string,
	headers: Record<string, string>,
	body: Uint8Array,
	signal: AbortSignal,
): Promise<IncomingMessage> {
	const request = url.toLowerCase().startsWith('https:') ? requestHttps : requestHttp;
	const sent = request(url, { method: 'POST', agent: false, headers, signal }).end(body);
	// What breaks after the response has begun ends its reading.
	sent.on('error', () => undefined);
	const response = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
	await once(sent, 'response');
	return response;
}

const duration = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

function describe(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	// A connection to a name with several addresses fails with an empty message and a code.
	if (error.message === '' && 'code' in error) return String(error.code);
	return error.message;
}
