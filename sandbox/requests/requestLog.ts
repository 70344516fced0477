import { z } from 'zod/v4';

import type { Database } from '../database/database.ts';
import { API_PATH } from '../docs/api.ts';
import type { TimedExchange } from '../http/exchange.ts';
import { WARNING_HEADER } from '../http/unknown.ts';
import { allApiKeys, type KeyLookup, lookUpApiKey } from '../keys/apiKey.ts';

const MOST_REQUESTS = 200;

const LOGGED_BODY_LENGTH = 10_000;

/** Headers and parameters whose values the log does not keep. */
const SECRET_NAME = /authorization|cookie|api[-_]?key|access[-_]?key|secret|token|password/i;

const REDACTED = '***';

/** A request to the API with its response. Without keys, wherever they are sent, and without the body of sensitive details. */
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
	clear: () => void;
}

/** Starts an empty log; `onRequest` receives each request that is recorded. */
export function createRequestLog(
	db: Database,
	now: () => Date,
	onRequest?: (request: LoggedRequest) => void,
): RequestLog {
	let requests: LoggedRequest[] = [];
	let last = 0;
	const cut = (body: string): string => {
		// Copied: a part of a string would keep the whole of it in memory.
		const copy = Buffer.from(body.slice(0, LOGGED_BODY_LENGTH)).toString();
		return body.length > LOGGED_BODY_LENGTH ? `${copy} [cut off]` : copy;
	};
	return {
		record: (exchange) => {
			const { method, path, query, requestHeaders: headers, durationMs, status } = exchange;
			const { redact, redactEach } = redaction(allApiKeys(db));
			const warning = exchange.responseHeaders.get(WARNING_HEADER);
			const isSensitive = path.endsWith('/sensitive-details') && status === 200;
			const request: LoggedRequest = {
				number: ++last,
				at: now().toISOString(),
				method,
				path: redact(path),
				query: new URLSearchParams(redactEach(query)).toString(),
				apiKey: lookUpApiKey(db, headers.get('authorization') ?? undefined).state,
				requestHeaders: Object.fromEntries(redactEach(headers)),
				requestBody: cut(redact(exchange.requestBody)),
				status: exchange.closed ? null : status,
				durationMs,
				responseBody: isSensitive ? REDACTED : cut(redact(exchange.responseBody)),
				warning: warning && redact(warning),
			};
			requests = [request, ...requests.slice(0, MOST_REQUESTS - 1)];
			onRequest?.(request);
		},
		list: () => requests,
		clear: () => {
			requests = [];
		},
	};
}

/** Takes keys out of a text, also as a URL has them, and all of the values whose names say that they are secret. */
function redaction(keys: string[]) {
	const written = keys.flatMap((key) => [key, encodeURIComponent(key)]);
	const redact = (text: string) =>
		written.reduce((rest, key) => rest.replaceAll(key, REDACTED), text);
	const redactEach = (entries: Iterable<[name: string, value: string]>) =>
		[...entries].map(([name, value]): [string, string] => [
			redact(name),
			SECRET_NAME.test(name) ? REDACTED : redact(value),
		]);
	return { redact, redactEach };
}

/** Which requests are listed: all of them where nothing is set. */
export const requestParameters = z.object({
	method: z.string().toUpperCase().optional(),
	/** Below the path prefix (§9): this path and all below it. */
	path: z.string().regex(/^\//, 'expected a path such as "/cards"').optional(),
	/** Such as 404 or 4xx; "none" where the connection was closed before the response. */
	status: z
		.string()
		.regex(/^([1-5](\d\d|xx)|none)$/, 'expected a status such as 404, 4xx or none')
		.optional(),
});

export const filterRequests = (
	requests: LoggedRequest[],
	{ method, path, status }: z.infer<typeof requestParameters>,
): LoggedRequest[] =>
	requests
		.filter((request) => status === undefined || isOf(status, request.status))
		.filter((request) => method === undefined || request.method === method)
		.filter(
			(request) => path === undefined || `${request.path}/`.startsWith(`${withoutPrefix(path)}/`),
		);

const isOf = (wanted: string, status: number | null): boolean =>
	String(status ?? 'none').startsWith(wanted.replace('xx', ''));

/** A path is often copied with the prefix. */
const withoutPrefix = (path: string): string =>
	path.startsWith(`${API_PATH}/`) ? path.slice(API_PATH.length) : path;
