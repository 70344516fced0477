import { kindOf, parseEvent } from './events/financialEvent.ts';
import type { LoggedRequest } from './requests/requestLog.ts';
import type { Attempt, DueDelivery } from './webhooks/outbox.ts';

/** "GET /v1/public/cards?page=2 200, 3 ms", for the terminal; `prefix` is what comes before the path of §4. */
export function formatRequest(prefix: string, request: LoggedRequest): string {
	const { method, path, query, status, durationMs, warning } = request;
	const address = `${prefix}${path}${query === '' ? '' : `?${query}`}`;
	const outcome = `${status ?? 'connection closed'}, ${durationMs} ms`;
	return `${method} ${oneLine(address)} ${outcome}${warning === null ? '' : ` (${warning})`}`;
}

/** "webhook declined 4f1c… to http://localhost:5678/webhook/…: 200, attempt 1, 12 ms", for the terminal. */
export function formatAttempt(
	{ body, eventId, url }: DueDelivery,
	{ httpStatus, error, durationMs }: Attempt,
	number: number,
): string {
	const outcome = httpStatus ?? error ?? 'no response';
	return `webhook ${kindOf(parseEvent(body))} ${eventId} to ${url}: ${outcome}, attempt ${number}, ${durationMs} ms`;
}

const oneLine = (text: string): string => text.replace(/\p{Cc}/gu, '?');
