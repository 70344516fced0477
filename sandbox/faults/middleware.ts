import { STATUS_CODES } from 'node:http';
import { setTimeout } from 'node:timers/promises';

import type { Context, MiddlewareHandler } from 'hono';

import type { ControlEnv } from '../http/guard.ts';
import type { Faults } from './faults.ts';
import { concerns, type RuleOf } from './rules.ts';

type StatusRule = RuleOf<'status'>;

/** Where faults are put in, from the outside to the inside. */
interface FaultMiddleware {
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
			// A simulated status leaves it to the next request.
			const dropAfter =
				!fault && faults.apply('drop-after', (rule) => concerns(rule, method, path));
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
	// §7 shows the codes of the service itself: such as not-found, the name of the status. Others follow their example.
	const code = (STATUS_CODES[status] ?? 'fault').toLowerCase().replaceAll(' ', '-');
	const body = { code, message: `Simulated fault: ${status}` };
	return new Response(JSON.stringify(body), { status, headers });
}
