import { request, type Dispatcher } from 'undici';
import { LOGGED_RESPONSE_LENGTH } from '../assumptions.ts';
import type { Attempt, DueDelivery } from './outbox.ts';
import { signatureHeader } from './signature.ts';

/** The one topic (§6 Topics). */
const TOPIC = 'card.financial_event.v1';

/** A webhook request as it leaves (§6). */
export interface OutgoingDelivery {
	/** Header names in lower case. */
	headers: Record<string, string>;
	body: Uint8Array;
}

/** How an attempt is made: its time, the secrets to sign with, the most it may take (ms), and when to drop it. */
export interface SendOptions {
	at: Date;
	secrets: string[];
	timeout: number;
	dispatcher: Dispatcher;
	/** Aborted when the sandbox closes. */
	closing: AbortSignal;
	/** Receives the request before it is sent. */
	onDelivery?: ((delivery: OutgoingDelivery) => void) | undefined;
}

/**
 * Sends a delivery once (§6 Delivery headers) and gives what came of it. Never throws: whatever
 * goes wrong on the way is in `error`.
 */
export async function send(delivery: DueDelivery, options: SendOptions): Promise<Attempt> {
	const { at, secrets, timeout, dispatcher, closing, onDelivery } = options;
	const started = performance.now();
	const requestHeaders = {
		'x-webhook-event-id': delivery.eventId,
		'x-webhook-topic': TOPIC,
		'x-webhook-timestamp': delivery.timestamp ?? at.toISOString(),
		'x-webhook-signature': signatureHeader(delivery.body, secrets),
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
	onDelivery?.({ headers, body: delivery.body });
	const timedOut = AbortSignal.timeout(timeout);
	try {
		const response = await request(delivery.url, {
			method: 'POST',
			dispatcher,
			signal: AbortSignal.any([closing, timedOut]),
			headers,
			body: delivery.body,
		});
		attempt.httpStatus = response.statusCode;
		attempt.responseBody = await firstCharacters(response.body, LOGGED_RESPONSE_LENGTH);
	} catch (error) {
		attempt.error = timedOut.aborted ? `no response within ${timeout} ms` : describe(error);
	}
	attempt.durationMs = Math.round(performance.now() - started);
	return attempt;
}

async function firstCharacters(body: AsyncIterable<Uint8Array>, count: number): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	for await (const chunk of body) {
		text += decoder.decode(chunk, { stream: true });
		if (text.length >= count) break;
	}
	return text.slice(0, count);
}

function describe(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	// A connection to a name with several addresses fails with an empty message and a code.
	if (error.message === '' && 'code' in error) return String(error.code);
	return error.message;
}
