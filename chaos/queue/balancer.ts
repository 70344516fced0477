import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { z } from 'zod';

/** What stands before one or several n8n, as a proxy does in production. */
export interface Balancer {
	/** Where senders deliver to, without a slash at the end. */
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

/** Headers that are about one connection and not about the request. */
const hopByHop = ['connection', 'host', 'keep-alive', 'transfer-encoding'];

/** Longer than n8n takes to notice that a worker is gone. */
const timeoutMs = 120_000;

/**
 * Starts a proxy that passes requests on in turn, to every n8n whose readiness check says that it is
 * ready, and to none that has failed until it says so again. n8n must not be reached before: while it
 * starts it answers a webhook with 200, and does nothing.
 */
export async function startBalancer(upstreamUrls: readonly string[]): Promise<Balancer> {
	const upstreams = upstreamUrls.map((url): Upstream => ({ url, isUp: false, failures: 0 }));
	const agent = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
	let turn = 0;
	const next = (): Upstream | undefined => {
		const ready = upstreams.filter(({ isUp }) => isUp);
		return ready[turn++ % Math.max(ready.length, 1)];
	};
	const server = createServer((incoming, outgoing) => {
		void passOn(incoming, outgoing, next(), agent);
	});
	const check = () => Promise.all(upstreams.map(checkReadiness));
	await check();
	const timer = setInterval(() => void check(), checkEveryMs);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = z.object({ port: z.number() }).parse(server.address());
	return {
		url: `http://127.0.0.1:${port}`,
		stop: async () => {
			clearInterval(timer);
			server.closeAllConnections();
			await new Promise<void>((closed) => server.close(() => closed()));
			await agent.destroy();
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

/** Passes a request on; answers 503 where nobody is ready, and 502 where the one who has it is gone. */
async function passOn(
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	upstream: Upstream | undefined,
	dispatcher: Agent,
): Promise<void> {
	const body = await buffer(incoming);
	if (upstream === undefined) {
		outgoing.writeHead(503).end();
		return;
	}
	const { method = 'GET', url = '', headers } = incoming;
	const endToEnd = Object.entries(headers).filter(([name]) => !hopByHop.includes(name));
	try {
		const answer = await request(upstream.url + url, {
			method,
			headers: Object.fromEntries(endToEnd),
			body,
			dispatcher,
		});
		const content = await answer.body.bytes();
		outgoing.writeHead(answer.statusCode, {
			'content-type': String(answer.headers['content-type']),
		});
		outgoing.end(content);
	} catch {
		upstream.isUp = false;
		upstream.failures++;
		outgoing.writeHead(502).end();
	}
}
