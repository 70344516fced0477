import { once } from 'node:events';

import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { z } from 'zod';

import { webhookPaths } from './settings.ts';

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

/** Where a balancer listens, and what is behind it besides the n8n that take deliveries. */
export interface BalancerOptions {
	/** A port of 127.0.0.1; any free one by default. */
	port?: number;
	/** The main process, which gets every path that is not one of {@link webhookPaths}. */
	mainUrl?: string;
}

/**
 * Starts a proxy that passes requests on in turn, to every n8n whose readiness check says that it is
 * ready, and to none that has failed until it says so again. Responds with 503 if none is ready, and with
 * 502 if the one that has the request is gone. n8n must not be reached before it is ready: while it starts
 * it responds to a webhook with 200, and does nothing.
 *
 * @param urls of the n8n that take deliveries; of everything, if there is no `mainUrl`
 */
export async function startBalancer(
	urls: readonly string[],
	{ port: wanted = 0, mainUrl }: BalancerOptions = {},
): Promise<Balancer> {
	const receivers = urls.map(toUpstream);
	const others = mainUrl === undefined ? receivers : [toUpstream(mainUrl)];
	let turn = 0;
	const app = new Hono().all('*', async (c) => {
		const { pathname, search } = new URL(c.req.url);
		const isWebhook = webhookPaths.some((path) => pathname.startsWith(path));
		const ready = (isWebhook ? receivers : others).filter(({ isUp }) => isUp);
		const upstream = ready[turn++ % ready.length];
		if (upstream === undefined) return c.body(null, 503);
		const request = { raw: c.req.raw, redirect: 'manual' } as const;
		return proxy(upstream.url + pathname + search, request).catch(() => {
			upstream.isUp = false;
			upstream.failures++;
			return c.body(null, 502);
		});
	});
	const check = () => Promise.all([...new Set([...receivers, ...others])].map(checkReadiness));
	await check();
	const timer = setInterval(() => void check(), checkEveryMs);
	const server = createAdaptorServer({ fetch: app.fetch });
	server.listen(wanted, '127.0.0.1');
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

const toUpstream = (url: string): Upstream => ({ url, isUp: false, failures: 0 });

async function checkReadiness(upstream: Upstream): Promise<void> {
	const { url, failures } = upstream;
	const isReady = await fetch(`${url}/healthz/readiness`).then(
		({ ok }) => ok,
		() => false,
	);
	upstream.isUp = isReady && failures === upstream.failures;
}
