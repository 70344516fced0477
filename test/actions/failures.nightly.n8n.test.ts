import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import { afterTurns, json, type SeenRequest, startServer } from '../../harness/httpServer.ts';
import { outputOf } from '../../harness/n8n/executions.ts';
import { cardNode, node, workflowOf } from '../../harness/n8n/workflow.ts';
import { freePort } from '../../harness/tools/ports.ts';
import { useSharedN8n } from '../support/n8n/shared.ts';

const API_KEY = 'key-that-no-execution-may-hold';

/** n8n's own words for ECONNRESET. For a write they are wrong. */
const ADVICE_OF_N8N = 'You can retry the request immediately';

interface Way {
	operation: 'get' | 'freeze';
	/** Of the API; without, nothing listens. */
	respond?: (response: ServerResponse, request: SeenRequest, attempt: number) => void;
	requests: number;
	/** What the node shows; without, it succeeds in the end. */
	error?: RegExp;
	hint?: RegExp;
}

/** Closes the connection after half of the response. */
function truncate(response: ServerResponse): void {
	const text = JSON.stringify({ filler: 'x'.repeat(1_000) });
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
	response.write(text.slice(0, 500), () => afterTurns(() => response.destroy()));
}

/** Shows the key, as a page for debugging may do. */
function sendPage(response: ServerResponse, { headers }: SeenRequest): void {
	response.writeHead(200, { 'content-type': 'text/html' });
	response.end(`<!doctype html><title>Oops</title>${headers.authorization ?? ''}`);
}

const WAYS: Record<string, Way> = {
	'a reset': {
		operation: 'freeze',
		respond: (response) => response.destroy(),
		requests: 4,
		error: /^No complete response from 127\.0\.0\.1:\d+ \(ECONNRESET\)$/,
		hint: /^Try again later/,
	},
	'a truncated response': {
		operation: 'get',
		respond: truncate,
		requests: 4,
		error: /^No complete response from .* \(ERR_BAD_RESPONSE\)$/,
		hint: /^Try again later/,
	},
	'a 429, once': {
		operation: 'freeze',
		respond: (response, _, attempt) =>
			attempt === 1
				? json(response, 429, { code: 'too-many-requests' }, { 'retry-after': '1' })
				: response.writeHead(204).end(),
		requests: 2,
	},
	'a 500': {
		operation: 'freeze',
		respond: (response) => json(response, 500, { code: 'broken', message: 'Simulated 500' }),
		requests: 4,
		error: /^Simulated 500 \(500 broken\)$/,
		hint: /^The problem is on the side of the API\./,
	},
	'a web page with 200': {
		operation: 'get',
		respond: sendPage,
		requests: 1,
		error: /^The API responded to GET .* with a web page instead of a card$/,
		hint: /^Check Base URL/,
	},
	'a port where nothing listens': {
		operation: 'freeze',
		requests: 0,
		error: /^No connection to 127\.0\.0\.1:\d+ \(ECONNREFUSED\)$/,
		hint: /check that the API is running/,
	},
};

const shared = useSharedN8n();
const ids = new Map(Object.keys(WAYS).map((way) => [way, randomUUID()]));

const nameOf = (url: string) => [...ids].find(([, id]) => url.includes(id))?.[0] ?? '';

// As n8n loses the cause of some failures, and adds advice to others: one request of each kind, in one execution.
test('a request that fails shows what happened, in every way', async () => {
	const { n8n } = shared();
	const attempts: string[] = [];
	const api = await startServer((request, response) => {
		const way = nameOf(request.url);
		attempts.push(way);
		const attempt = attempts.filter((each) => each === way).length;
		WAYS[way]?.respond?.(response, request, attempt);
	});
	const credentialFor = (url: string) =>
		n8n.addCredential('cardPlatformApi', { baseUrl: url, apiKey: API_KEY, keyScope: 'account' });
	const listening = await credentialFor(api.url);
	const closed = await credentialFor(`http://127.0.0.1:${await freePort()}`);
	const nodes = Object.entries(WAYS).map(([name, { operation, respond }]) => {
		const cardId = { __rl: true, mode: 'id', value: ids.get(name) };
		const parameters = { resource: 'card', operation, cardId };
		const credential = respond === undefined ? closed : listening;
		return cardNode(name, parameters, credential, { onError: 'continueErrorOutput' });
	});
	const connections = nodes.map(({ name }) => ['Start', name] as const);
	const start = node('Start', 'n8n-nodes-base.manualTrigger');
	const id = await n8n.addWorkflow(workflowOf('Failures', [start, ...nodes], connections));
	const execution = await n8n.run(id, 'Start');
	await api.close();

	for (const [name, { requests, error, hint }] of Object.entries(WAYS)) {
		const { outputs } = outputOf(execution, name);
		const [items, errorItems = []] = outputs;
		const failed = {
			error: expect.stringMatching(error ?? ''),
			message: expect.objectContaining({ hint: expect.stringMatching(hint ?? '') }),
		};
		expect([name, errorItems]).toEqual([name, error === undefined ? [] : [failed]]);
		expect(items).toHaveLength(error === undefined ? 1 : 0);
		expect([name, attempts.filter((each) => each === name).length]).toEqual([name, requests]);
	}
	const stored = JSON.stringify(await n8n.getJson(`/rest/executions/${execution.id}`));
	expect(stored).toContain(ids.get('a reset'));
	expect(stored).not.toContain(API_KEY);
	expect(stored).not.toContain(ADVICE_OF_N8N);
}, 300_000);
