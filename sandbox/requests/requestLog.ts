import { z } from 'zod/v4';

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

/** What stands for a value that the log does not keep. */
const REDACTED = '[redacted]';

/** A request to the API with its response. Without the key. */
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
	/** Forgets all requests. */
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
			const { method, requestHeaders: headers, durationMs } = exchange;
			const warning = exchange.responseHeaders.get(WARNING_HEADER);
			const request: LoggedRequest = {
				number: ++last,
				at: now().toISOString(),
				method,
				path: exchange.path,
				query: exchange.query.toString(),
				apiKey: lookUpApiKey(db, headers.get('authorization') ?? undefined).state,
				requestHeaders: Object.fromEntries(
					[...headers].map(([name, value]) => [
						name,
						SECRET_HEADERS.includes(name) ? REDACTED : value,
					]),
				),
				requestBody: cut(exchange.requestBody),
				status: exchange.closed ? null : exchange.status,
				durationMs,
				responseBody: cut(exchange.responseBody),
				warning,
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
