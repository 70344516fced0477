import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { type HttpServer, startServer } from '../../harness/httpServer.ts';
import type { StoredCredential } from '../../harness/n8n/client.ts';
import type { Execution } from '../../harness/n8n/executions.ts';
import { N8n } from '../../harness/n8n/n8n.ts';
import { packAndInstall } from '../../harness/n8n/package.ts';
import {
	cardPlatform,
	node,
	triggerNode,
	type Workflow,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { type Card, PublicApiClient } from '../../harness/publicApi.ts';
import { Cleanup } from '../../harness/tools/cleanup.ts';
import { assert } from '../../harness/tools/errors.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { type SimulationResult, SandboxClient } from '../../sandbox/client.ts';
import { createSandbox } from '../../sandbox/server.ts';
import { pollTimes } from './pollTimes.ts';
import { usePackedPackage } from './shared/shared.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

const cleanup = new Cleanup();
let n8n: N8n;
let sandbox: SandboxClient;
let apiUrl: string;
let apiKey: string;
let accountId: number;
let cards: Card[];
let credential: StoredCredential;
let webhookCredential: StoredCredential;
let network: HttpServer;

/** Where the network takes deliveries; undefined while nothing is published. */
let webhookUrl: string | undefined;
let dropsDeliveries = false;

// An n8n of its own: the tests stop and kill it.
beforeAll(async () => {
	const userFolder = await mkdtemp(join(tmpdir(), 'card-platform-polling-'));
	cleanup.defer(() => rm(userFolder, { recursive: true, force: true, maxRetries: 5 }));
	await usePackedPackage();
	await packAndInstall(userFolder);

	const deliveries = { timeout: 60_000, maxAttempts: 2, baseDelay: 100 };
	// A day behind, which passes while n8n is down.
	const now = () => new Date(Date.now() - 1_000 * DAY);
	const server = await createSandbox({ deliveries, now });
	cleanup.defer(() => server.close());
	sandbox = new SandboxClient(server.url);
	const [account] = await sandbox.accounts();
	assert(account !== undefined, 'The sandbox has no account', 'Seed it');
	accountId = account.id;
	apiUrl = server.apiUrl;
	apiKey = await sandbox.createKey(accountId);
	const api = new PublicApiClient(apiUrl, apiKey);
	cards = (await api.cards()).filter(
		({ status, type }) => status === 'active' && type === 'recurring',
	);
	network = await startNetwork();
	cleanup.defer(() => network.close());

	n8n = await N8n.prepare({ userFolder, settings: { N8N_LOG_LEVEL: 'debug' } });
	cleanup.defer(() => n8n.stop());
	await n8n.start();
	credential = await n8n.addCredential('cardPlatformApi', apiCredential(apiKey));
	const { signingSecret } = await sandbox.subscribe(accountId, `${network.url}/deliveries`);
	webhookCredential = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret });
}, 900_000);

afterAll(() => cleanup.run(), 180_000);

afterEach(async () => {
	webhookUrl = undefined;
	await sandbox.setFaults([]);
	await n8n.unpublishAll();
}, 180_000);

jest.setTimeout(900_000);

const apiCredential = (key: string) => ({
	baseUrl: apiUrl,
	apiKey: key,
	keyScope: 'account',
	readOnly: true,
});

/** Takes deliveries to n8n; drops each fifth one, if it is told to, as if it had arrived. */
async function startNetwork(): Promise<HttpServer> {
	return await startServer(({ headers, body }, response, count) => {
		const end = (status: number) => response.writeHead(status).end();
		if (webhookUrl === undefined) return end(503);
		if (dropsDeliveries && count % 5 === 0) return end(200);
		const passed = Object.entries(headers).filter(([name]) =>
			/^(x-webhook|content-type)/.test(name),
		);
		const sent = fetch(webhookUrl, {
			method: 'POST',
			headers: passed.map(([name, value]): [string, string] => [name, String(value)]),
			body,
		});
		sent.then(
			({ status }) => end(status),
			() => end(502),
		);
	});
}

const pollingNode = (parameters: object = {}) =>
	node('Polling', cardPlatform.pollingTrigger, {
		credential,
		parameters: { pollTimes, options: { sweepInterval: 1 }, ...parameters },
	});

/** A workflow that polls, and also takes deliveries if it is to have both triggers. */
function newWorkflow(triggers: 'polling' | 'both', between: object[] = []): Workflow {
	const downstream = node('Downstream', 'n8n-nodes-base.noOp');
	const webhook = triggers === 'both' ? [triggerNode('Webhook', webhookCredential)] : [];
	const steps = [...between.map((parameters) => removeDuplicates(parameters)), downstream];
	const [first] = steps.map(({ name }) => name);
	const starts = [pollingNode(), ...webhook].map(({ name }) => [name, first ?? ''] as const);
	const rest = steps.slice(1).map(({ name }, index) => [steps[index]?.name ?? '', name] as const);
	return workflowOf('Events', [pollingNode(), ...webhook, ...steps], [...starts, ...rest]);
}

const removeDuplicates = (parameters: object) =>
	node('Remove Duplicates', 'n8n-nodes-base.removeDuplicates', { typeVersion: 2, parameters });

async function publish(workflow: Workflow): Promise<string> {
	const id = await n8n.addAndPublish(workflow);
	if (workflow.nodes.some(({ name }) => name === 'Webhook')) webhookUrl = n8n.webhookUrl(workflow);
	return id;
}

async function purchase(place = 0, more: object = {}): Promise<SimulationResult> {
	const cardId = cards[place % cards.length]?.id ?? '';
	return await sandbox.authorize({ cardId, amount: '1.00', merchantName: 'Bakery', ...more });
}

const decline = { decline: { reason: 'suspected_fraud' } };

const idsOf = (items: unknown[]) =>
	z
		.array(z.object({ id: z.string() }))
		.parse(items)
		.map(({ id }) => id);

/** What reached the node `Downstream`, execution by execution, in the order in which they started. */
const runsOf = (executions: Execution[]): unknown[][] =>
	[...executions]
		.sort((a, b) => Number(a.id) - Number(b.id))
		.flatMap(({ nodes }) => nodes.filter(({ name }) => name === 'Downstream'))
		.map(({ items }) => items)
		.filter((items) => items.length > 0);

/** Waits until events have reached `Downstream`, or until polls after the last one bring nothing more. */
async function arrived(workflowId: string, expected: readonly string[]): Promise<Execution[]> {
	return await waitUntil(
		async () => {
			const executions = await n8n.executions(workflowId);
			const ran = new Set(idsOf(runsOf(executions).flat()));
			return expected.every((id) => ran.has(id)) ? executions : undefined;
		},
		{ what: `${expected.length} events`, withinMs: 300_000, everyMs: 2_000 },
	);
}

/** Waits for polls that have started after this moment: what is to come twice has come by then. */
async function twoMorePolls(): Promise<void> {
	const polls = async () =>
		(await readFile(n8n.process.logFile, 'utf8')).split('Poll trigger initiated').length;
	const before = await polls();
	await waitUntil(async () => ((await polls()) >= before + 3 ? true : undefined), {
		what: 'two more polls',
		withinMs: 60_000,
	});
}

test('without webhooks, and with a restart before the first event, each event runs once', async () => {
	const old = await purchase();
	await sandbox.simulateStep('clearing', old.transaction.id);
	const id = await publish(newWorkflow('polling'));
	await n8n.stop();
	await n8n.start();
	const made = [await purchase(1), await sandbox.simulateStep('refund', old.transaction.id)];
	const expected = made.map(({ event }) => event.id);
	await arrived(id, expected);
	await twoMorePolls();
	const ran = idsOf(runsOf(await n8n.executions(id)).flat());
	expect(ran.sort()).toEqual(expected.sort());
});

test('a day without n8n: 300 events, whose deliveries were given up, run once, in order', async () => {
	const old = await purchase(0);
	await sandbox.simulateStep('clearing', old.transaction.id);
	const id = await publish(newWorkflow('both'));
	await n8n.stop();

	const made: SimulationResult[] = [await sandbox.simulateStep('refund', old.transaction.id)];
	for (let number = 0; made.length < 300; number++) {
		await sandbox.advanceClock(DAY / 160);
		const first = await purchase(number, number % 4 === 0 ? decline : {});
		made.push(first);
		const steps = [[], ['reversal'], ['clearing', 'refund'], ['release']] as const;
		for (const step of steps[number % 4] ?? []) {
			made.push(await sandbox.simulateStep(step, first.transaction.id));
		}
	}
	await sandbox.setClock(new Date());
	await waitUntil(
		async () =>
			(await sandbox.deliveries()).every(({ status }) => status !== 'pending') ? true : undefined,
		{ what: 'the end of the deliveries', withinMs: 120_000, everyMs: 500 },
	);
	await n8n.start();

	const expected = made.map(({ event }) => event.id);
	await arrived(id, expected);
	await twoMorePolls();
	const runs = runsOf(await n8n.executions(id));
	expect(idsOf(runs.flat()).sort()).toEqual([...expected].sort());
	const dated = z.array(
		z.object({ createdAt: z.string(), delivery: z.object({ source: z.literal('polling') }) }),
	);
	for (const items of runs) {
		const times = dated.parse(items).map(({ createdAt }) => createdAt);
		expect(times).toEqual([...times].sort());
	}
});

test('both triggers, dropped and duplicated deliveries, two crashes: no event is lost or runs twice', async () => {
	const id = await publish(newWorkflow('both'));
	await sandbox.setFaults([{ kind: 'duplicate', probability: 0.05 }], 1);
	dropsDeliveries = true;
	const made: string[] = [];
	const happen = async (count: number) => {
		for (let number = 0; number < count; number++) {
			const { event, transaction } = await purchase(made.length, number % 5 === 0 ? decline : {});
			made.push(event.id);
			if (number % 5 !== 1) continue;
			made.push((await sandbox.simulateStep('reversal', transaction.id)).event.id);
		}
	};
	await happen(280);
	await n8n.kill();
	await Promise.all([n8n.start(), happen(280)]);
	await happen(140);
	await n8n.kill();
	await Promise.all([n8n.start(), happen(135)]);

	const total = await arrivedOrSettled(id, made);
	const ran = idsOf(runsOf(total).flat());
	const crashed = total.filter(({ status }) => status === 'crashed').length;
	const lost = made.filter((event) => !ran.includes(event)).length;
	const duplicated = ran.length - new Set(ran).size;
	process.stdout.write(`${JSON.stringify({ events: made.length, lost, duplicated, crashed })}\n`);
	expect(duplicated).toBe(0);
	// An execution that a crash interrupts is lost with its event: n8n does not run it again.
	expect(lost).toBeLessThanOrEqual(crashed);
});

/** As {@link arrived}, but a crash may have taken events with it: gives up when nothing more comes. */
async function arrivedOrSettled(workflowId: string, expected: string[]): Promise<Execution[]> {
	let previous = -1;
	return await waitUntil(
		async () => {
			await twoMorePolls();
			const executions = await n8n.executions(workflowId);
			const ran = new Set(idsOf(runsOf(executions).flat()));
			const isComplete = expected.every((event) => ran.has(event));
			if (isComplete || ran.size === previous) return executions;
			previous = ran.size;
			return undefined;
		},
		{ what: 'the events', withinMs: 600_000, everyMs: 65_000 },
	);
}

test('a manual run gets the newest events at once, as execute() does, and they still run later', async () => {
	const workflow = newWorkflow('polling');
	const id = await n8n.addWorkflow(workflow);
	const { event } = await purchase(0, decline);
	const { status, nodes } = await n8n.run(id, 'Polling');
	const items = nodes.find(({ name }) => name === 'Polling')?.items ?? [];
	expect({ status, first: items[0] }).toEqual({
		status: 'success',
		first: { ...event, delivery: { source: 'polling' } },
	});
	expect(items).toHaveLength(10);
	expect(runsOf([...(await n8n.executions(id))])[0]).toEqual(items);
});

test('a wrong key fails the poll with a hint, and loses nothing', async () => {
	const id = await publish(newWorkflow('polling'));
	await n8n.changeCredential(credential, apiCredential('a-key-that-is-wrong'));
	const { event } = await purchase();
	const [failed] = await n8n.waitForExecutions(id);
	expect(failed.status).toBe('error');
	await n8n.changeCredential(credential, apiCredential(apiKey));
	const executions = await arrived(id, [event.id]);
	expect(idsOf(runsOf(executions).flat())).toEqual([event.id]);
});

test('n8n finds the output schema of the polling trigger', async () => {
	const path = '/schemas/n8n-nodes-card-platform.cardPlatformPollingTrigger/1.0.0/output.json';
	expect(await n8n.getJson(path, z.unknown())).toMatchObject({
		properties: {
			id: { type: 'string' },
			delivery: { properties: { source: { type: 'string' } } },
		},
	});
});

test('a Remove Duplicates node that has taken the memory of the workflow stops no event', async () => {
	const parameters = {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsUpToStoredDate',
		dateDedupeValue: '={{ $json.createdAt }}',
		options: { scope: 'workflow' },
	};
	const workflow = newWorkflow('both', [parameters]);
	await purchase();
	const id = await n8n.addWorkflow(workflow);
	// Starts the memory in its own mode.
	await n8n.run(id, 'Polling');
	await n8n.publish(id);
	const { event } = await purchase();
	const executions = await arrived(id, [event.id]);
	expect(idsOf(runsOf(executions).flat())).toContain(event.id);
	const log = await readFile(n8n.process.logFile, 'utf8');
	expect(log).toContain('cannot share their memory');
});
