import { setTimeout } from 'node:timers/promises';

import type { Context, MiddlewareHandler } from 'hono';

import type { ControlEnv } from '../http/guard.ts';
import type { Faults } from './faults.ts';
import { concerns, type RuleOf } from './rules.ts';

type StatusRule = RuleOf<'status'>;

/** §7 shows only the codes of the service itself; others follow their example. */
const CODES: Record<number, string> = {
	400: 'bad-request',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not-found',
	408: 'request-timeout',
	429: 'too-many-requests',
	500: 'internal-server-error',
	502: 'bad-gateway',
	503: 'service-unavailable',
	504: 'gateway-timeout',
};

/** Where faults are put in, from the outside to the inside. */
export interface FaultMiddleware {
	/** The network and what stands before the service, such as a rate limit. */
	beforeService: MiddlewareHandler<ControlEnv>;
	/** The service itself, which fails with nothing but a 500 (§7). */
	insideService: MiddlewareHandler;
}

/** Puts faults into the responses of the API; `prefix` is what comes before the path of §4. */
export function createFaultMiddleware(faults: Faults, prefix: string): FaultMiddleware {
	const failing = new WeakMap<Context, StatusRule>();
	return {
		beforeService: async (c, next) => {
			const { method, raw } = c.req;
			const path = c.req.path.slice(prefix.length);
			if (faults.apply('drop-before', (rule) => concerns(rule, method, path))) {
				c.env.incoming.socket.destroy();
				return c.body(null);
			}
			const latency = faults.apply('latency', (rule) => concerns(rule, method, path));
			if (latency) await setTimeout(latency.ms, undefined, { signal: raw.signal });
			const fault = faults.apply('status', (rule) => concerns(rule, method, path));
			if (fault && fault.status !== 500) return respond(fault);
			if (fault) failing.set(c, fault);
			const dropAfter = faults.apply('drop-after', (rule) => concerns(rule, method, path));
			await next();
			if (dropAfter) c.env.incoming.socket.destroy();
			return undefined;
		},
		insideService: async (c, next) => {
			const fault = failing.get(c);
			if (fault) return respond(fault);
			await next();
			return undefined;
		},
	};
}

function respond({ status, retryAfter }: StatusRule): Response {
	const headers = new Headers({ 'content-type': 'application/json' });
	if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter));
	const body = { code: CODES[status] ?? 'fault', message: `Simulated fault: ${status}` };
	return new Response(JSON.stringify(body), { status, headers });
}
