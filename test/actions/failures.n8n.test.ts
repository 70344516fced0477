import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { z } from 'zod';

import { type HttpServer, json, startServer } from '../../harness/httpServer.ts';
import type { N8nClient, StoredCredential } from '../../harness/n8n/client.ts';
import { type Execution, outputOf } from '../../harness/n8n/executions.ts';
import { cardNode, splitOutNode, webhookNode, workflowOf } from '../../harness/n8n/workflow.ts';
import { freePort } from '../../harness/tools/ports.ts';
import { transferParameters } from '../../harness/transferApi.ts';
import { useSharedN8n } from '../support/n8n/shared.ts';
import { type FailingApi, startFailingApi, type WayName, WAYS } from './failingApi.ts';

/** Every way in which a request can fail, for a read, a repeatable write and a transfer. */

jest.setTimeout(400_000);

const API_KEY = 'key-that-no-execution-may-hold';

/** n8n's own words for ECONNRESET. For a transfer they are wrong: another execution has another key. */
const ADVICE_OF_N8N = 'You can retry the request immediately';

const cardId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };

let lastAccount = 5_000;
const newAccount = () => String(++lastAccount);

interface Operation {
	name: string;
	parameters: object;
	newId: () => string;
	request: (id: string) => string;
	/** What the node expects in the response. */
	response: string;
}

const transfer: Operation = {
	name: 'Account: Transfer',
	parameters: { ...transferParameters, accountId: '={{ $json.id }}' },
	newId: newAccount,
	request: (id) => `POST /accounts/${id}/transfers`,
	response: 'a transfer',
};

const OPERATIONS: Operation[] = [
	{
		name: 'Card: Get',
		parameters: { resource: 'card', operation: 'get', cardId },
		newId: randomUUID,
		request: (id) => `GET /cards/${id}`,
		response: 'a card',
	},
	{
		name: 'Card: Freeze',
		parameters: { resource: 'card', operation: 'freeze', cardId },
		newId: randomUUID,
		request: (id) => `POST /cards/${id}/freeze`,
		response: 'an object or an empty body',
	},
	transfer,
];

const list = {
	parameters: {
		...{ resource: 'card', operation: 'getAll', returnAll: true },
		filters: { name: '={{ $json.id }}' },
	},
	passing: randomUUID(),
	failing: randomUUID(),
};

const cleanup = new AsyncDisposableStack();
const shared = useSharedN8n();
let n8n: N8nClient;
let api: FailingApi;
/** Where nothing listens. */
let closedUrl: string;

const hostOf = (url: string) => new URL(url).host;

/** What a node makes of a request that fails every time. */
interface Outcome {
	requests: 1 | 4;
	/** Whether a write may have been carried out, as far as the node can know. */
	isUnclear: boolean;
	shows: (operation: Operation, id: string) => { error: string; hint: RegExp };
}

const interrupted = (code: string): Outcome => ({
	requests: 4,
	isUnclear: true,
	shows: () => ({
		error: `No complete response from ${hostOf(api.url)} (${code})`,
		hint: /^Try again later/,
	}),
});

const serverError = (error: string): Outcome => ({
	requests: 4,
	isUnclear: true,
	shows: () => ({ error, hint: /^The problem is on the side of the API\./ }),
});

const OUTCOMES: Record<WayName, Outcome> = {
	'a reset before it was handled': interrupted('ECONNRESET'),
	'a reset after it was handled': interrupted('ECONNRESET'),
	'a truncated response': interrupted('ERR_BAD_RESPONSE'),
	'a truncated chunked response': interrupted('ERR_BAD_RESPONSE'),
	'a truncated response, compressed if allowed': interrupted('ERR_BAD_RESPONSE'),
	'a truncated 404': interrupted('ERR_BAD_RESPONSE'),
	'a 429': {
		requests: 4,
		isUnclear: false,
		shows: () => ({ error: 'Simulated 429 (429 too-many-requests)', hint: /^Too many requests\./ }),
	},
	'a 500': serverError('Simulated 500 (500 internal-server-error)'),
	'a 503': serverError('Simulated 503 (503 service-unavailable)'),
	'a web page with 200': {
		requests: 1,
		isUnclear: true,
		shows: ({ request, response }, id) => ({
			error: `The API responded to ${request(id)} with a web page instead of ${response}`,
			hint: request(id).startsWith('GET') ? /^Check Base URL/ : /^The change was probably made/,
		}),
	},
	'a web page with 502': serverError(
		'The API returned 502 with a web page instead of its error format',
	),
};

/** One operation on one ID, whose requests fail in one way. */
interface Case {
	name: string;
	operation: Operation;
	way: WayName;
	outcome: Outcome;
	id: string;
}

const casesOf = (operation: Operation): Case[] =>
	WAY_NAMES.map((way) => ({
		...{ name: operation.name, operation, way, outcome: OUTCOMES[way] },
		id: operation.newId(),
	}));

const WAY_NAMES = Object.keys(WAYS).filter((name): name is WayName => name in WAYS);

/** Each fails every time, in a separate execution. A 429 would do so for four minutes. */
const FAILING = OPERATIONS.flatMap(casesOf).filter(({ way }) => way !== 'a 429');

/** Each fails once, together with the others of its operation; without what is not retried. */
const PASSING = OPERATIONS.map((operation) => ({
	name: operation.name,
	operation,
	cases: casesOf(operation).filter(({ outcome }) => outcome.requests > 1),
}));

const REFUSED = OPERATIONS.map((operation) => ({
	name: operation.name,
	operation,
	id: operation.newId(),
}));

/** The operations, and the IDs of each execution. */
const RUNS: { parameters: object; batches: string[][] }[] = [
	...OPERATIONS.map((operation) => ({
		parameters: operation.parameters,
		batches: [
			...FAILING.filter((each) => each.operation === operation).map(({ id }) => [id]),
			...PASSING.filter((each) => each.operation === operation).map(({ cases }) =>
				cases.map(({ id }) => id),
			),
		],
	})),
	{ parameters: list.parameters, batches: [[list.passing], [list.failing]] },
];

/** The executions, by the ID of their first item. */
const executions = new Map<string, Execution>();

beforeAll(async () => {
	({ n8n } = shared());
	api = await startFailingApi();
	cleanup.defer(() => api.close());
	closedUrl = `http://127.0.0.1:${await freePort()}`;
	const listening = await addCredential(api.url);
	const closed = await addCredential(closedUrl);

	for (const { id, way } of FAILING) api.plan(id, way);
	for (const { id, way } of PASSING.flatMap(({ cases }) => cases)) api.plan(id, way, 1);
	api.plan(list.passing, 'a truncated chunked response', 1);
	api.plan(list.failing, 'a reset before it was handled');
	const runs = [];
	for (const { parameters, batches } of RUNS) {
		runs.push(await start(parameters, listening, batches));
	}
	for (const { operation, id } of REFUSED) {
		runs.push(await start(operation.parameters, closed, [[id]]));
	}
	// At the same time, as each waits for seconds between its attempts.
	await Promise.all(runs.map(async (run) => await finish(run)));
}, 300_000);

afterAll(() => cleanup.disposeAsync(), 180_000);

const addCredential = async (url: string): Promise<StoredCredential> => {
	const baseUrl = `${url}/v1/public`;
	const data = { baseUrl, apiKey: API_KEY, keyScope: 'customer', accountId: '1001' };
	return await n8n.addCredential('cardPlatformApi', data);
};

const itemsSchema = z.tuple([z.object({ id: z.string() })]).rest(z.unknown());

/** A workflow, and how often it was started. */
interface Run {
	workflowId: string;
	count: number;
}

/**
 * Starts the Card Platform node with each batch of IDs as its items, in one execution per batch. One
 * after the other: n8n 1 cannot store several workflows at a time.
 */
async function start(
	parameters: object,
	credential: StoredCredential,
	batches: string[][],
): Promise<Run> {
	const workflow = workflowOf('Failures', [
		webhookNode('Start'),
		splitOutNode('Items', 'body.items'),
		cardNode('Subject', parameters, credential),
	]);
	const workflowId = await n8n.addAndPublish(workflow);
	for (const batch of batches) {
		const items = batch.map((id) => ({ id, amount: '5.00' }));
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ items });
		await fetch(n8n.webhookUrl(workflow), { method: 'POST', headers, body });
	}
	return { workflowId, count: batches.length };
}

/** Waits for the executions of a run, and keeps them. */
async function finish({ workflowId, count }: Run): Promise<void> {
	for (const execution of await n8n.waitForExecutions(workflowId, count)) {
		const [first] = itemsSchema.parse(outputOf(execution, 'Items').items);
		executions.set(first.id, execution);
	}
}

/** What the node showed and put out in the execution of an ID. */
function subjectOf(id: string) {
	const execution = executions.get(id);
	if (execution === undefined) throw new Error(`no execution of ${id}`);
	const { error, hint, items } = outputOf(execution, 'Subject');
	return { status: execution.status, error, hint, items };
}

/** All that n8n has stored of the execution of an ID. */
const storedOf = async (id: string): Promise<string> => {
	const path = `/rest/executions/${executions.get(id)?.id ?? ''}`;
	return JSON.stringify(await n8n.getJson(path, z.unknown()));
};

const keysOf = (id: string) => [
	...new Set(api.requestsFor(id).map(({ headers }) => headers['idempotency-key'])),
];

const transfersOf = (id: string) => [...api.transfers.values()].filter((from) => from === id);

describe.each(FAILING)('$name, after $way each time', (each) => {
	const { operation, way, outcome, id } = each;

	test(`gives up after request ${outcome.requests}, and shows what happened`, () => {
		expect(api.requestsFor(id)).toHaveLength(outcome.requests);
		const { error, hint } = outcome.shows(operation, id);
		const shown = { status: 'error', error, hint: expect.stringMatching(hint), items: [] };
		if (operation === transfer && outcome.isUnclear) {
			shown.error = `It is not known whether the transfer with Idempotency Key ${String(keysOf(id)[0])} was made: ${error}`;
			shown.hint = expect.stringMatching(
				`^Check in the dashboard whether 5\\.00 USD moved from account ${id} to account 1002\\. To send it again safely, choose Executions → Retry`,
			);
		}
		expect(subjectOf(id)).toEqual(shown);
	});

	test("stores neither the key nor n8n's advice", async () => {
		const stored = await storedOf(id);
		expect(stored).toContain(id);
		expect(stored).not.toContain(API_KEY);
		expect(stored).not.toContain(ADVICE_OF_N8N);
	});

	if (operation === transfer) {
		test('makes one transfer at most, with one key', () => {
			expect(keysOf(id)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
			expect(transfersOf(id)).toHaveLength('after' in WAYS[way] ? 1 : 0);
		});
	}
});

describe.each(PASSING)('$name', ({ operation, cases }) => {
	test('succeeds with the second request, whatever happened to the first', () => {
		const ids = cases.map(({ id }) => id);
		const { status, items } = subjectOf(ids[0] ?? '');
		expect(status).toBe('success');
		expect(items).toHaveLength(ids.length);
		const counts = cases.map(({ way, id }) => [way, api.requestsFor(id).length]);
		expect(counts).toEqual(cases.map(({ way }) => [way, 2]));
		if (operation !== transfer) return;
		for (const id of ids) {
			expect(keysOf(id)).toHaveLength(1);
			expect(transfersOf(id)).toHaveLength(1);
		}
	});
});

describe.each(REFUSED)('$name, where nothing listens', ({ id }) => {
	test('says so, and that nothing was done', async () => {
		expect(subjectOf(id)).toEqual({
			status: 'error',
			error: `No connection to ${hostOf(closedUrl)} (ECONNREFUSED)`,
			hint: expect.stringMatching(/^Check that the API is running/),
			items: [],
		});
		expect(await storedOf(id)).not.toContain(API_KEY);
	});
});

describe('a list whose second page fails', () => {
	const pagesOf = (id: string) =>
		api.requestsFor(id).map(({ url }) => new URL(url, api.url).searchParams.get('page'));

	test('once: the page is read again, and the list is complete', () => {
		const { status, items } = subjectOf(list.passing);
		expect(status).toBe('success');
		expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(150);
		expect(items).toHaveLength(150);
		expect(pagesOf(list.passing)).toEqual(['1', '2', '2']);
	});

	test('each time: the node fails instead of returning only the first page', async () => {
		const { error, hint } = OUTCOMES['a reset before it was handled'].shows(transfer, '');
		expect(subjectOf(list.failing)).toEqual({
			...{ status: 'error', error, items: [] },
			hint: expect.stringMatching(hint),
		});
		expect(pagesOf(list.failing)).toEqual(['1', '2', '2', '2', '2']);
		expect(await storedOf(list.failing)).not.toContain(ADVICE_OF_N8N);
	});
});

/** Longer than the first wait between attempts, shorter than the first two. */
const DOWN_MS = 600;

test('a transfer that is made before the API restarts: it is sent again once the API is up', async () => {
	const port = await freePort();
	const keys: unknown[] = [];
	let restarted: Promise<HttpServer> | undefined;
	const made = { id: randomUUID(), status: 'completed', createdAt: new Date().toISOString() };
	const before = await startServer(({ headers }) => {
		keys.push(headers['idempotency-key']);
		restarted = restart();
	}, port);
	const restart = async () => {
		await before.close();
		await pause(DOWN_MS);
		return await startServer(({ headers }, response) => {
			keys.push(headers['idempotency-key']);
			json(response, 201, { ...made, fromAccountId: Number(id), toAccountId: 1002 });
		}, port);
	};
	cleanup.defer(async () => (await restarted)?.close());

	const id = newAccount();
	await finish(await start(transfer.parameters, await addCredential(before.url), [[id]]));
	expect(subjectOf(id)).toMatchObject({ status: 'success', items: [made] });
	expect(keys).toHaveLength(2);
	expect(new Set(keys).size).toBe(1);
});
