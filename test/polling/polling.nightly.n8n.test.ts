import { readFile } from 'node:fs/promises';

import { type Answer, startServer } from '../../dev/harness/httpServer.ts';
import type { StoredCredential } from '../../dev/harness/n8n/client.ts';
import type { Execution } from '../../dev/harness/n8n/executions.ts';
import { type N8n, startPackedN8n } from '../../dev/harness/n8n/n8n.ts';
import { cardPlatform, node, triggerNode, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import type { Card } from '../../dev/harness/publicApi.ts';
import type { SandboxClient } from '../../dev/harness/sandboxClient.ts';
import { startSandboxFixture } from '../../dev/harness/scenario/sandboxFixture.ts';
import { temporaryFolder } from '../../dev/harness/tools/folders.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import { usePackedPackage } from '../support/n8n/shared.ts';
import { pollTimes } from './pollTimes.ts';
import { idsOf, ranIn } from './ran.ts';

// A sandbox, and a separate n8n that may be stopped and killed, and polls every three seconds.

const cleanup = new AsyncDisposableStack();
let n8n: N8n;
let sandbox: SandboxClient;
let cards: Card[];
let credential: StoredCredential;
let webhookCredential: StoredCredential;
/** Where the network takes deliveries; undefined: nowhere. */
let webhookUrl: string | undefined;

beforeAll(async () => {
	const folder = await temporaryFolder('polling', cleanup);
	await usePackedPackage();

	const deliveries = { timeout: 60_000, maxAttempts: 2, baseDelay: 100 };
	const company = await startSandboxFixture({ folder, cleanup }, { deliveries });
	({ sandbox } = company);
	cards = company.cards.filter(({ status, type }) => status === 'active' && type === 'recurring');
	const network = await startServer(takeDelivery);
	cleanup.defer(() => network.close());

	n8n = await startPackedN8n({ folder, cleanup }, { N8N_LOG_LEVEL: 'debug' });
	const { api, apiKey, account } = company;
	const key = { baseUrl: api.url, apiKey, keyScope: 'account', readOnly: true };
	credential = await n8n.addCredential('cardPlatformApi', key);
	const { signingSecret } = await sandbox.subscribe(account.id, `${network.url}/deliveries`);
	webhookCredential = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret });
}, 900_000);

afterAll(() => cleanup.disposeAsync(), 180_000);

afterEach(async () => {
	webhookUrl = undefined;
	await sandbox.setFaults([]);
	await n8n.unpublishAll();
}, 180_000);

jest.setTimeout(900_000);

/** Takes deliveries to n8n; drops each fifth one, as if it had arrived. */
const takeDelivery: Answer = ({ headers, body }, response, count) => {
	const end = (status: number) => response.writeHead(status).end();
	if (webhookUrl === undefined) return end(503);
	if (count % 5 === 0) return end(200);
	const passed = Object.entries(headers)
		.filter(([name]) => /^(x-webhook|content-type)/.test(name))
		.map(([name, value]): [string, string] => [name, String(value)]);
	fetch(webhookUrl, { method: 'POST', headers: passed, body }).then(
		({ status }) => end(status),
		() => end(502),
	);
};

/** Publishes a workflow with both triggers, and what they start. */
async function publish(first = node('Start', 'n8n-nodes-base.noOp')) {
	const polling = node('Polling', cardPlatform.pollingTrigger, {
		credential,
		parameters: { pollTimes, options: { recheckInterval: 1 } },
	});
	const workflow = workflowOf(
		'Events',
		[
			polling,
			triggerNode('Webhook', webhookCredential),
			first,
			node('Downstream', 'n8n-nodes-base.noOp'),
		],
		[
			['Polling', first.name],
			['Webhook', first.name],
			[first.name, 'Downstream'],
		],
	);
	return { id: await n8n.addAndPublish(workflow), url: n8n.webhookUrl(workflow) };
}

async function purchase(place: number, more: object = {}) {
	const cardId = cards[place % cards.length]?.id ?? '';
	return await sandbox.authorize({ cardId, amount: '1.00', merchantName: 'Bakery', ...more });
}

/** IDs of the events that an execution held when a crash interrupted it: n8n does not run it again; people can. */
const interruptedIn = (executions: Execution[]): string[] =>
	idsOf(executions.filter(({ status }) => status === 'crashed').flatMap(({ pending }) => pending));

/** Waits until events have reached `Downstream`, or a crash has interrupted their executions. */
const arrived = async (workflowId: string, expected: readonly string[]) =>
	await waitUntil(
		async () => {
			const executions = await n8n.executions(workflowId);
			const found = new Set([...ranIn(executions), ...interruptedIn(executions)]);
			return expected.every((id) => found.has(id)) ? executions : undefined;
		},
		{ what: `${expected.length} events`, withinMs: 300_000, everyMs: 1_000 },
	);

const log = async () => await readFile(n8n.process.logFile, 'utf8');

/** Waits for polls that have started after this moment: what is to come twice has come by then. */
async function twoMorePolls(): Promise<void> {
	// The first is of n8n 1.
	const polls = async () => (await log()).split(/Poll(?:ing)? trigger initiated/).length;
	const before = await polls();
	await waitUntil(async () => (await polls()) >= before + 3, {
		what: 'two more polls',
		withinMs: 60_000,
	});
}

test('after a start without the API, each event runs once', async () => {
	const { id } = await publish();
	await n8n.stop();
	await sandbox.setFaults([{ kind: 'drop-before' }]);
	await n8n.start();
	const warning = 'could not poll when n8n started, and polls again: No complete response from';
	await waitUntil(async () => (await log()).includes(warning), {
		what: 'the warning in the log of n8n',
		withinMs: 120_000,
		everyMs: 500,
	});
	await sandbox.setFaults([]);
	const { event } = await purchase(1);
	await arrived(id, [event.id]);
	await twoMorePolls();
	expect(ranIn(await n8n.executions(id))).toEqual([event.id]);
});

test('both triggers, dropped and duplicated deliveries, two crashes: no event runs twice; those of interrupted executions run when these are retried', async () => {
	const { id, url } = await publish();
	webhookUrl = url;
	const decline = { decline: { reason: 'suspected_fraud' } };
	const made: string[] = [];
	const makePurchases = async (count: number) => {
		await sandbox.setFaults([{ kind: 'duplicate', times: 6 }]);
		for (let number = 0; number < count; number++) {
			const { event, transaction } = await purchase(made.length, number % 5 === 0 ? decline : {});
			made.push(event.id);
			if (number % 5 !== 1) continue;
			made.push((await sandbox.simulateStep('reversal', transaction.id)).event.id);
		}
	};
	// Each crash meets an n8n that has run events of both triggers, and has new ones under way.
	await makePurchases(60);
	await arrived(id, made);
	await makePurchases(60);
	await n8n.kill();
	await Promise.all([n8n.start(), makePurchases(40)]);
	await arrived(id, made);
	await twoMorePolls();
	await makePurchases(40);
	await n8n.kill();
	await Promise.all([n8n.start(), makePurchases(40)]);

	await arrived(id, made);
	await twoMorePolls();
	const total = await n8n.executions(id);
	const ran = ranIn(total);
	const crashed = total.filter(({ status }) => status === 'crashed');
	const lost = made.filter((event) => !ran.includes(event));
	expect(new Set(ran).size).toBe(ran.length);
	expect(interruptedIn(total)).toEqual(expect.arrayContaining(lost));
	for (const execution of crashed) await n8n.retry(execution, 'original workflow');
	expect(ranIn(await n8n.executions(id))).toEqual(expect.arrayContaining(made));
});

test('an execution that a crash interrupts runs with its events when it is retried', async () => {
	let isUp = false;
	const service = await startServer(({ url }, response) => {
		if (!isUp) return;
		const id = new URL(url, 'http://service').searchParams.get('id');
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
	});
	const request = node('Request', 'n8n-nodes-base.httpRequest', {
		typeVersion: 4.2,
		parameters: { url: `=${service.url}/?id={{ $json.id }}` },
	});
	const { id } = await publish(request);
	const made = [await purchase(0), await purchase(1)].map(({ event }) => event.id);
	await waitUntil(async () => await Promise.resolve(service.requests.length === 2 || undefined), {
		what: 'the requests',
		withinMs: 120_000,
	});
	await n8n.kill();
	isUp = true;
	await n8n.start();
	await twoMorePolls();

	const executions = await n8n.executions(id);
	const crashed = executions.filter(({ status }) => status === 'crashed');
	expect(ranIn(executions)).toEqual([]);
	expect(interruptedIn(executions).sort()).toEqual([...made].sort());
	for (const execution of crashed) await n8n.retry(execution, 'original workflow');
	expect(ranIn(await n8n.executions(id)).sort()).toEqual([...made].sort());
	await service.close();
});
