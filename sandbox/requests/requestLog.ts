import { z } from 'zod/v4';

import { SENSITIVE_DETAILS } from '../assumptions.ts';
import type { Database } from '../database/database.ts';
import type { TimedExchange } from '../http/exchange.ts';
import { WARNING_HEADER } from '../http/unknown.ts';
import { type KeyLookup, lookUpApiKey } from '../keys/apiKey.ts';

/** Requests that the log keeps. */
const MOST_REQUESTS = 200;

/** Characters of a body that the log keeps. */
const LOGGED_BODY_LENGTH = 10_000;

/** Headers whose values the log does not keep. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

/** Keys and signing secrets that this sandbox has generated. */
const SECRETS = /(sandbox|whsec)_[\w-]{20,}/g;

/** What stands for a value that the log does not keep. */
export const REDACTED = '[redacted]';

/** A request to the API with its response. Neither holds a key or a card's sensitive details. */
export interface LoggedRequest {
	/** Counts the requests since the sandbox was started. */
	number: number;
	at: string;
	method: string;
	/** Below the path prefix (§9). */
	path: string;
	/** Without the question mark. */
	query: string;
	apiKey: KeyLookup['state'];
	requestHeaders: Record<string, string>;
	requestBody: string;
	/** Null when the connection was closed before the response. */
	status: number | null;
	durationMs: number;
	responseBody: string;
	/** What the request had that the API does not know. */
	warning: string | null;
}

/** The last requests to the API, kept in memory. */
export interface RequestLog {
	record: (exchange: TimedExchange) => void;
	/** The newest first. */
	list: () => LoggedRequest[];
	/** Redacts a secret in all later entries. */
	hide: (secret: string) => void;
	/** Forgets all requests. */
	clear: () => void;
}

/** Starts an empty log; `onRequest` receives each request that is recorded. */
export function createRequestLog(
	db: Database,
	now: () => Date,
	onRequest?: (request: LoggedRequest) => void,
): RequestLog {
	const secrets = new Set<string>();
	let requests: LoggedRequest[] = [];
	let last = 0;
	const withoutSecrets = (content: string): string => {
		const hidden = [...secrets].reduce((text, each) => text.replaceAll(each, REDACTED), content);
		return hidden.replaceAll(SECRETS, REDACTED);
	};
	const cut = (body: string): string => {
		// Copied: a part of a string would keep the whole of it in memory.
		const copy = Buffer.from(withoutSecrets(body).slice(0, LOGGED_BODY_LENGTH)).toString();
		return body.length > LOGGED_BODY_LENGTH ? `${copy} [cut off]` : copy;
	};
	return {
		record: (exchange) => {
			const { method, requestHeaders: headers, durationMs } = exchange;
			const warning = exchange.responseHeaders.get(WARNING_HEADER);
			const request: LoggedRequest = {
				number: ++last,
				at: now().toISOString(),
				method,
				path: withoutSecrets(exchange.path),
				query: withoutSecrets(exchange.query.toString()),
				apiKey: lookUpApiKey(db, headers.get('authorization') ?? undefined).state,
				requestHeaders: Object.fromEntries(
					[...headers].map(([name, value]) => [
						name,
						SECRET_HEADERS.includes(name) ? REDACTED : withoutSecrets(value),
					]),
				),
				requestBody: cut(exchange.requestBody),
				status: exchange.closed ? null : exchange.status,
				durationMs,
				responseBody: cut(withoutDetails(exchange.responseBody)),
				warning: warning === null ? null : withoutSecrets(warning),
			};
			requests = [request, ...requests.slice(0, MOST_REQUESTS - 1)];
			onRequest?.(request);
		},
		list: () => requests,
		hide: (secret) => {
			// As it stands, in a query, and in JSON.
			const encoded = [encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
			for (const each of [secret, ...encoded]) secrets.add(each);
		},
		clear: () => {
			requests = [];
		},
	};
}

/** Recognises sensitive details (§4.7) by their content: a path can be written in several ways. */
const withoutDetails = (body: string): string =>
	body.includes(SENSITIVE_DETAILS.url) ? REDACTED : body;

/** Which requests are listed: all of them where nothing is set. */
export const requestParameters = z.object({
	method: z.string().toUpperCase().optional(),
	/** Below the path prefix (§9): this path and all below it. */
	path: z.string().optional(),
});

/** Gives the requests that a filter lets pass. */
export const filterRequests = (
	requests: LoggedRequest[],
	{ method, path }: z.infer<typeof requestParameters>,
): LoggedRequest[] =>
	requests
		.filter((request) => method === undefined || request.method === method)
		.filter((request) => path === undefined || `${request.path}/`.startsWith(`${path}/`));
