import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { z } from 'zod';

/** What stands in front of one or several n8n, as a proxy does in production. */
export interface Balancer {
	/** Where senders deliver to, without a trailing slash. */
	url: string;
	stop(): Promise<void>;
}

/** An n8n behind the balancer. */
interface Upstream {
	url: string;
	isUp: boolean;
	/** How often it has failed: a health check that began before a failure says nothing. */
	failures: number;
}

const checkEveryMs = 500;

/**
 * Starts a proxy that passes requests on in turn, to every n8n whose readiness check says that it is
 * ready, and to none that has failed until it says so again. Responds with 503 if none is ready, and with
 * 502 if the one that has the request is gone. n8n must not be reached before it is ready: while it starts
 * it responds to a webhook with 200, and does nothing.
 */
export async function startBalancer(upstreamUrls: readonly string[]): Promise<Balancer> {
	const upstreams = upstreamUrls.map((url): Upstream => ({ url, isUp: false, failures: 0 }));
	let turn = 0;
	const app = new Hono().all('*', async (c) => {
		const ready = upstreams.filter(({ isUp }) => isUp);
		const upstream = ready[turn++ % ready.length];
		if (upstream === undefined) return c.body(null, 503);
		const { pathname, search } = new URL(c.req.url);
		return proxy(upstream.url + pathname + search, { raw: c.req.raw }).catch(() => {
			upstream.isUp = false;
			upstream.failures++;
			return c.body(null, 502);
		});
	});
	const check = () => Promise.all(upstreams.map(checkReadiness));
	await check();
	const timer = setInterval(() => void check(), checkEveryMs);
	const server = createAdaptorServer({ fetch: app.fetch });
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = z.object({ port: z.number() }).parse(server.address());
	return {
		url: `http://127.0.0.1:${port}`,
		stop: async () => {
			clearInterval(timer);
			if ('closeAllConnections' in server) server.closeAllConnections();
			await new Promise<void>((closed) => server.close(() => closed()));
		},
	};
}

async function checkReadiness(upstream: Upstream): Promise<void> {
	const { url, failures } = upstream;
	const isReady = await fetch(`${url}/healthz/readiness`).then(
		({ ok }) => ok,
		() => false,
	);
	upstream.isUp = isReady && failures === upstream.failures;
}
