import type { MiddlewareHandler } from 'hono';

import type { Exchange } from '../types.ts';
import type { ControlEnv } from './guard.ts';

/** An exchange, how long it took, and whether the client got the response. */
export interface TimedExchange extends Exchange {
	/** Until the response was ready. */
	durationMs: number;
	/** Whether the connection was closed by then: the client gets no response. */
	closed: boolean;
}

/**
 * Passes each request and its response to `onExchange` before the response is sent. `prefix` is what comes
 * before the path of §4.
 */
export function observeExchanges(
	prefix: string,
	onExchange: (exchange: TimedExchange) => void,
): MiddlewareHandler<ControlEnv> {
	return async (c, next) => {
		const start = performance.now();
		await next();
		const durationMs = Math.round(performance.now() - start);
		const closed = c.env.incoming.socket.destroyed;
		// The connection may have been closed before anybody read the body.
		const requestBody = await c.req.text().catch(() => '');
		onExchange({
			method: c.req.method,
			// As the routes see it: an encoded letter is no other path.
			path: c.req.path.slice(prefix.length),
			query: new URL(c.req.url).searchParams,
			requestHeaders: c.req.raw.headers,
			requestBody,
			status: c.res.status,
			responseHeaders: c.res.headers,
			responseBody: await c.res.clone().text(),
			durationMs,
			closed,
		});
	};
}
