import { MAX_RETRIES, MAX_RETRY_AFTER_MS } from '../api/assumptions';

/**
 * What happens if an operation's request reaches the API twice: nothing (`read`), nothing more
 * than the first time (`repeatable`, §3: repeated requests are 204; `ordered`, the same, but the
 * order among several matters: a rename, a transfer with its Idempotency-Key), or the same thing
 * again (`once`).
 */
export type Effect = 'read' | 'repeatable' | 'ordered' | 'once';

/** A request that did not succeed: there was no response, or one with an error status. */
export interface Failure {
	/** HTTP status; absent where there was no response. */
	status?: number;
	/** The response's `Retry-After` header. */
	retryAfter?: string;
}

const RETRYABLE_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;

/**
 * Reads a `Retry-After` header: seconds or an HTTP date.
 *
 * @param header the header's value
 * @param now the present, in milliseconds since 1970
 * @returns milliseconds to wait, 0 to {@link MAX_RETRY_AFTER_MS}; undefined where the header says
 * neither
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
	const value = header?.trim();
	if (value === undefined) return undefined;
	if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, MAX_RETRY_AFTER_MS);
	// A date names its month; Date.parse alone would also take "-5" or "1e3" for one.
	const wait = /[A-Za-z]{3}/.test(value) ? Date.parse(value) - now : Number.NaN;
	return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}

function mayRetry(effect: Effect, status: number | undefined, hasRetryAfter: boolean): boolean {
	if (effect !== 'once') return status === undefined || RETRYABLE_STATUSES.has(status);
	// Only where the server says that it did not take the request may it be sent again.
	return status === 429 || (status === 503 && hasRetryAfter);
}

/**
 * Decides whether a failed request is sent again, and when. A 429 uses up no retries: the limiter says
 * when to give up.
 *
 * @param effect what a second arrival of the request would do
 * @param failure how it failed
 * @param before how often the request had failed before: with 429 if this is a 429, else in another way
 * @param clock `now` in milliseconds since 1970; `random` from 0 to 1, for the jitter
 * @returns milliseconds to wait before it, or undefined: give up
 */
export function retryDelay(
	effect: Effect,
	failure: Failure,
	before: number,
	clock: { now: number; random: number },
): number | undefined {
	const requested = parseRetryAfter(failure.retryAfter, clock.now);
	const isSpent = failure.status !== 429 && before >= MAX_RETRIES;
	if (isSpent || !mayRetry(effect, failure.status, requested !== undefined)) return undefined;
	// Not at once, e.g. where a date has passed by n8n's clock: a 429 may come any number of times.
	if (requested !== undefined && requested >= FIRST_BACKOFF_MS) return requested;
	const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** before, MAX_BACKOFF_MS);
	return Math.round(backoff * (0.5 + clock.random / 2));
}
