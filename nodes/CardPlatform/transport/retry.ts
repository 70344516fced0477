import { MAX_RETRIES, MAX_RETRY_AFTER_MS } from '../api/assumptions';
import type { Effect } from './types';

/** How an attempt failed: without a response, or with an error status. */
export interface Failure {
	/** HTTP status; absent if there was no response. */
	status?: number;
	/** What `Retry-After` asks for, in milliseconds; absent if it says nothing. */
	retryAfter?: number;
	/** Whether the response has the error format of the API. */
	isFromApi?: boolean;
}

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;

/** Reads a `Retry-After` header, seconds or an HTTP date, as milliseconds; undefined if it is neither. */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number(value) * 1000, MAX_RETRY_AFTER_MS);
	// A date names its month; Date.parse alone would also accept "-5" or "1e3".
	const wait = /[A-Za-z]{3}/.test(value) ? Date.parse(value) - now : Number.NaN;
	return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}

/** Decides whether a failed request is sent again; `retries` were sent already. After a 429, the limiter decides. */
export function shouldRetry(
	effect: Effect,
	{ status, retryAfter, isFromApi }: Failure,
	retries: number,
): boolean {
	if (retries >= MAX_RETRIES) return false;
	// Only if the API itself says that it did not accept the request.
	if (effect === 'unrepeatable')
		return status === 503 && retryAfter !== undefined && isFromApi === true;
	return status === undefined || [408, 500, 502, 503, 504].includes(status);
}

/** Decides how long to wait before a request is sent again, in milliseconds; `random` is for the jitter. */
export function retryDelay({ retryAfter }: Failure, retries: number, random: number): number {
	// Not at once, e.g. if a date has passed by n8n's clock: a 429 may come any number of times.
	if (retryAfter !== undefined && retryAfter >= FIRST_BACKOFF_MS) return retryAfter;
	const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** retries, MAX_BACKOFF_MS);
	return Math.round(backoff * (0.5 + random / 2));
}
