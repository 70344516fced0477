import { type Dispatcher, request } from 'undici';

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
export async function send(
	delivery: Pick<DueDelivery, 'eventId' | 'url' | 'timestamp'> & { body: Uint8Array },
	options: SendOptions,
): Promise<Attempt> {
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
	const timedOut = AbortSignal.timeout(timeout);
	try {
		onDelivery?.({ headers, body: delivery.body });
		const response = await request(delivery.url, {
			method: 'POST',
			dispatcher,
			signal: AbortSignal.any([closing, timedOut]),
			headers,
			body: delivery.body,
		});
		attempt.httpStatus = response.statusCode;
		for await (const characters of decode(response.body)) {
			attempt.responseBody = (attempt.responseBody + characters).slice(0, LOGGED_RESPONSE_LENGTH);
			// The rest may be endless.
			if (attempt.responseBody.length === LOGGED_RESPONSE_LENGTH) break;
		}
	} catch (error) {
		const status = attempt.httpStatus;
		const within = timedOut.aborted ? duration(timeout) : undefined;
		if (status === null) attempt.error = within ? `no response within ${within}` : describe(error);
		// The receiver has decided: the status counts, whatever became of the body.
		else if (within) attempt.error = `HTTP ${status}, but the body did not end within ${within}`;
		else attempt.error = `HTTP ${status}, but the body broke off: ${describe(error)}`;
	}
	attempt.durationMs = Math.round(performance.now() - started);
	return attempt;
}

const duration = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);

async function* decode(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
}

function describe(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	// A connection to a name with several addresses fails with an empty message and a code.
	if (error.message === '' && 'code' in error) return String(error.code);
	return error.message;
}
