import type { ServerResponse } from 'node:http';

import { type HttpServer, startServer } from '../../../dev/harness/httpServer.ts';
import type { SandboxClient } from '../../../dev/harness/sandboxClient.ts';
import { eventually } from '../../../dev/harness/tools/waiting.ts';
import type { SandboxOptions } from '../../../sandbox/types.ts';
import { cardId, startSandbox } from './sandbox.ts';

export interface Receiver {
	url: string;
	received: HttpServer['requests'];
	/** Waits until so many requests have arrived; gives them all. */
	waitFor(count: number): Promise<HttpServer['requests']>;
}

/** How long a wait for a delivery may take, in ms. After a first one in vain, the others of the file need not be as long. */
let patience = 15_000;

async function delivered<T>(check: () => T | Promise<T>): Promise<T> {
	try {
		return await eventually(check, patience);
	} catch (error) {
		patience = 500;
		throw error;
	}
}

const running = new Set<HttpServer>();

afterEach(async () => {
	await Promise.all([...running].map(({ close }) => close()));
	running.clear();
});

/**
 * Starts a receiver that is closed after the test. `answer` answers the n-th request (from 0); by
 * default each with an empty 200.
 */
export async function startReceiver(
	answer: (response: ServerResponse, index: number) => void = (response) => response.end(),
): Promise<Receiver> {
	const server = await startServer((_, response, count) => answer(response, count - 1));
	running.add(server);
	const { url, requests: received } = server;
	return {
		url: `${url}/hook`,
		received,
		waitFor: (count) =>
			delivered(() => {
				expect(received.length).toBeGreaterThanOrEqual(count);
				return received;
			}),
	};
}

/** Answers the n-th request with the n-th status, and all further ones with the last. */
export const withStatuses =
	(...statuses: number[]) =>
	(response: ServerResponse, index: number): void => {
		response.statusCode = statuses[index] ?? statuses.at(-1) ?? 200;
		response.end();
	};

/** Starts a receiver that holds its first response back until `respond` is called; the others are an empty 200. */
export async function startHoldingReceiver() {
	let first: ServerResponse | undefined;
	const receiver = await startReceiver((response, index) => {
		if (index === 0) first = response;
		else response.end();
	});
	const respond = (status = 200, body = '') => first?.writeHead(status).end(body);
	return { ...receiver, respond };
}

/** Starts a sandbox with an endpoint of account 1001 for each receiver; `buy` makes one event. */
export async function startDelivering(
	receivers: Pick<Receiver, 'url'> | Pick<Receiver, 'url'>[],
	options: SandboxOptions = {},
) {
	const sandbox = await startSandbox(options);
	const endpoints = [];
	for (const { url } of [receivers].flat()) {
		endpoints.push(await sandbox.client.subscribe(1001, url));
	}
	const [endpoint] = endpoints;
	if (!endpoint) throw new Error('there is no receiver');
	const buy = () => sandbox.client.authorize({ cardId: cardId(3), amount: '1.00' });
	return { sandbox, client: sandbox.client, endpoint, endpoints, buy };
}

/** Waits until the deliveries of a sandbox match; gives them. */
export const waitForDeliveries = ({ client }: { client: SandboxClient }, expected: object[]) =>
	delivered(async () => {
		const log = await client.deliveries();
		expect(log).toMatchObject(expected);
		return log;
	});
