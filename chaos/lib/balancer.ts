import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';

import { waitUntil } from '../../harness/tools/waiting.ts';

/** An n8n behind the balancer. */
interface Upstream {
	url: string;
	isUp: boolean;
	/** How often it has failed: a health check that began before a failure says nothing. */
	failures: number;
}

/** A proxy in front of several n8n. */
export interface Balancer {
	/** Where senders deliver to, without a trailing slash. */
	url: string;
	/** Sends no more deliveries on; resolves when the last ones have their responses. */
	drain: () => Promise<void>;
	/** Sends deliveries on again. */
	resume: () => void;
}

const checkEveryMs = 500;

/**
 * Starts a proxy that passes requests on in turn, to every n8n whose readiness check says that it is
 * ready, and to none that has failed until it says so again. Responds with 503 if none is ready, and with
 * 502 if the one that has the request is gone. n8n must not be reached before it is ready: while it starts
 * it responds to a webhook with 200, and does nothing.
 */
export async function startBalancer(
	urls: readonly string[],
	cleanup: AsyncDisposableStack,
): Promise<Balancer> {
	const upstreams = urls.map((url): Upstream => ({ url, isUp: false, failures: 0 }));
	let turn = 0;
	let busy = 0;
	let isDraining = false;
	const app = new Hono().all('*', async (c) => {
		const { pathname, search } = new URL(c.req.url);
		const ready = upstreams.filter(({ isUp }) => isUp);
		const upstream = ready[turn++ % ready.length];
		if (upstream === undefined || isDraining) return c.body(null, 503);
		const request = { raw: c.req.raw, redirect: 'manual' } as const;
		busy++;
		return proxy(upstream.url + pathname + search, request)
			.catch(() => {
				upstream.isUp = false;
				upstream.failures++;
				return c.body(null, 502);
			})
			.finally(() => busy--);
	});
	const check = () => Promise.all(upstreams.map(checkReadiness));
	await check();
	const timer = setInterval(() => void check(), checkEveryMs);
	cleanup.defer(() => clearInterval(timer));
	const server = createAdaptorServer({ fetch: app.fetch });
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	cleanup.defer(async () => {
		if ('closeAllConnections' in server) server.closeAllConnections();
		await new Promise<void>((closed) => server.close(() => closed()));
	});
	return {
		url: `http://127.0.0.1:${port}`,
		drain: async () => {
			isDraining = true;
			await waitUntil(() => busy === 0, { what: 'the last responses', withinMs: 120_000 });
		},
		resume: () => {
			isDraining = false;
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
