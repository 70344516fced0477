import { Hono } from 'hono';
import { z } from 'zod/v4';

import type { ControlEnv } from '../http/guard.ts';
import { readQuery } from '../http/query.ts';
import type { Services } from '../services.ts';
import type { LoggedRequest } from './requestLog.ts';

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

/** A request as `GET /sandbox/requests` shows it. */
export const requestDetails = ({ key, requestBody, responseBody, ...request }: LoggedRequest) => ({
	...request,
	apiKey: key.state,
	requestHeaders: Object.fromEntries(request.requestHeaders),
	requestBody: requestBody.content,
	responseBody: responseBody.content,
});

/** The last requests to the API, the newest first, for tests that assert what their client has sent. */
export function requestRoutes({ requestLog }: Services) {
	return new Hono<ControlEnv>()
		.get('/', (c) => {
			const found = filterRequests(requestLog.list(), readQuery(c, requestParameters));
			return c.json({ data: found.map(requestDetails) });
		})

		.delete('/', (c) => {
			requestLog.clear();
			return c.body(null, 204);
		});
}
