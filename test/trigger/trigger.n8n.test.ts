import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { z } from 'zod';

import type { StoredCredential } from '../../harness/n8n/client.ts';
import type { Execution } from '../../harness/n8n/executions.ts';
import { type N8n, startPackedN8n } from '../../harness/n8n/n8n.ts';
import { n8nIsSince } from '../../harness/n8n/version.ts';
import {
	cardNode,
	node,
	type NodeOptions,
	triggerNode,
	webhookPathOf,
	type Workflow,
	type WorkflowNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { sign, signedDelivery } from '../../harness/signing.ts';
import { temporaryFolder } from '../../harness/tools/folders.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { VERSION } from '../../nodes/CardPlatform/events/log';
import { recordContractOfEachTest } from '../support/contract';
import { usePackedPackage } from '../support/n8n/shared.ts';
import { rotateWhileDelivering } from './rotation.ts';

const contract = recordContractOfEachTest('checked');

const secret = 'the-signing-secret';
const cleanup = new AsyncDisposableStack();
let n8n: N8n;
let credential: StoredCredential;
let refusals: Promise<PromiseSettledResult<void>[]>;

// One n8n serves the whole file: a start takes half a minute.
beforeAll(async () => {
	const folder = await temporaryFolder('trigger', cleanup);
	await usePackedPackage();
	// What is only dropped is logged for this level.
	n8n = await startPackedN8n({ folder, cleanup }, { N8N_LOG_LEVEL: 'debug' });
	credential = await addCredential({ signingSecret: secret });
	refusals = publishInTurn();
	// n8n retries for 15 s, and the other tests can run during that time. n8n 1 does not retry, and it mixes up
	// transactions of requests that arrive together.
	if (!n8nIsSince('2')) await refusals;
}, 600_000);

afterAll(() => cleanup.disposeAsync(), 180_000);

jest.setTimeout(600_000);

const wrongSetUps: {
	data: Record<string, string> | undefined;
	parameters: object;
	says: string;
}[] = [
	{
		data: undefined,
		parameters: {},
		says: n8nIsSince('2') ? 'Missing required credential' : 'does not have any credentials',
	},
	{ data: { signingSecret: ' ' }, parameters: {}, says: 'has no signing secret' },
	{
		data: { signingSecret: 'a' },
		parameters: { filters: { minimumAmount: 'lots' } },
		says: 'Minimum Amount is not a valid amount',
	},
];

async function publishInTurn(): Promise<PromiseSettledResult<void>[]> {
	const results = [];
	for (const each of wrongSetUps) results.push(...(await Promise.allSettled([publishWrong(each)])));
	return results;
}

async function publishWrong({ data, parameters }: (typeof wrongSetUps)[number]): Promise<void> {
	await n8n.addAndPublish(newWorkflow(data && (await addCredential(data)), parameters));
}

const addCredential = (data: object) => n8n.addCredential('cardPlatformWebhookApi', data);

/** A node that stands between the trigger and the node after it. */
interface NodeBetween extends NodeOptions {
	type: string;
}

/** A workflow of the trigger, a node between, and one named `Downstream`. */
function newWorkflow(
	held: StoredCredential | undefined,
	parameters: object = {},
	{ type, ...options }: NodeBetween = { type: 'n8n-nodes-base.noOp' },
): Workflow {
	const between = node('Between', type, { webhookId: randomUUID(), ...options });
	const downstream = node('Downstream', 'n8n-nodes-base.noOp');
	const name = randomUUID();
	return workflowOf(name, [triggerNode('Trigger', held, parameters), between, downstream]);
}

async function publishNew(parameters: object = {}, between?: NodeBetween): Promise<Workflow> {
	const workflow = newWorkflow(credential, parameters, between);
	return { ...workflow, id: await n8n.addAndPublish(workflow) };
}

/** The lines of n8n's log that the trigger wrote and that contain a string, oldest first. */
async function logged(text: string): Promise<string[]> {
	const lines = (await readFile(n8n.process.logFile, 'utf8')).split('\n');
	return lines.filter((line) => line.includes('Card Platform Trigger') && line.includes(text));
}

/** Gives the trigger of a published workflow another name. */
async function renameTrigger(id: string, name: string): Promise<void> {
	const { nodes, connections } = await n8n.workflow(id);
	const { Trigger, ...others } = connections;
	await n8n.changeWorkflow(id, {
		nodes: nodes.map((each) => (each.name === 'Trigger' ? { ...each, name } : each)),
		connections: { ...others, [name]: Trigger },
	});
	await n8n.publish(id);
}

interface Sent {
	status: number;
	text: string;
}

async function post(
	to: string,
	headers: Record<string, string> | [string, string][],
	body?: string | Uint8Array<ArrayBuffer>,
) {
	const response = await fetch(to, { method: 'POST', headers, body: body ?? null });
	return { status: response.status, text: await response.text() } satisfies Sent;
}

async function deliver(workflow: Workflow, event: object, to = n8n): Promise<Sent> {
	const { headers, body } = signedDelivery(event, secret);
	return await post(to.webhookUrl(workflow), headers, new Uint8Array(body));
}

const cardEvent = () => ({ id: randomUUID(), amount: '12.50', isSuccess: false });

const ended = async ({ id }: Workflow, count: number): Promise<Execution[]> =>
	n8n.waitForExecutions(id, count);

const runsOf = (executions: Execution[], node: string) =>
	executions.flatMap(({ nodes }) => nodes.filter(({ name }) => name === node));

const json = { 'content-type': 'application/json' };
const bytesOnly = { 'content-type': 'application/octet-stream' };
const text = JSON.stringify({ id: 'forged' });
const part = `--edge\r\nContent-Disposition: form-data; name="event"\r\n\r\n${text}\r\n--edge--\r\n`;
const tooMuch = `"${'x'.repeat(17 * 1024 * 1024)}"`;
const forged = sign(Buffer.from(text), 'guess');
const bytes = (from: Buffer) => new Uint8Array(from);

/** n8n 2.16 and older leaves it to the trigger; 2.17 to 2.36 at least fails. */
const brokenMultipart = n8nIsSince('2.41') ? 400 : n8nIsSince('2.17') ? 500 : 401;

test('no request without a right signature starts an execution', async () => {
	const workflow = await publishNew();
	const to = n8n.webhookUrl(workflow);
	const shapes: [string, number, Record<string, string>, (string | Uint8Array<ArrayBuffer>)?][] = [
		['JSON', 401, json, text],
		['forged', 401, { ...json, 'x-webhook-signature': forged }, text],
		['no content type', 401, {}, bytes(Buffer.from(text))],
		['nothing at all', 401, {}],
		['empty', 401, json, ''],
		['octet-stream', 401, bytesOnly, text],
		['text', 401, { 'content-type': 'text/plain' }, text],
		['form', 401, { 'content-type': 'application/x-www-form-urlencoded' }, 'id=forged'],
		['multipart', 401, { 'content-type': 'multipart/form-data; boundary=edge' }, part],
		['over 16 MB of bytes', 401, bytesOnly, tooMuch],
		['bytes that say gzip', 401, { ...bytesOnly, 'content-encoding': 'gzip' }, text],
		['gzip', 401, { ...json, 'content-encoding': 'gzip' }, bytes(gzipSync(text))],
		// These n8n answers by itself.
		[
			'broken multipart',
			brokenMultipart,
			{ 'content-type': 'multipart/form-data; boundary=edge' },
			'x',
		],
		['broken JSON', 422, json, '{'],
		['brotli', 422, { ...json, 'content-encoding': 'br' }, bytes(brotliCompressSync(text))],
		['over 16 MB', 500, json, tooMuch],
		['JSON that says gzip', 500, { ...json, 'content-encoding': 'gzip' }, text],
	];
	const statuses: Record<string, number> = {};
	for (const [name, , headers, body] of shapes) {
		statuses[name] = (await post(to, headers, body)).status;
	}
	expect(statuses).toEqual(Object.fromEntries(shapes.map(([name, status]) => [name, status])));

	await deliver(workflow, cardEvent());
	expect(await ended(workflow, 1)).toHaveLength(1);
});

test('a genuine delivery is accepted in every shape that keeps its bytes', async () => {
	const workflow = await publishNew();
	const to = n8n.webhookUrl(workflow);
	const octet = signedDelivery(cardEvent(), secret);
	const gzip = signedDelivery(cardEvent(), secret);
	const twice = signedDelivery(cardEvent(), secret);
	const other = `v0=${'0'.repeat(64)}`;
	const answers = [
		await deliver(workflow, cardEvent()),
		await post(
			to,
			{ ...octet.headers, 'content-type': 'application/octet-stream' },
			bytes(octet.body),
		),
		await post(to, { ...gzip.headers, 'content-encoding': 'gzip' }, bytes(gzipSync(gzip.body))),
		await post(
			to,
			[['x-webhook-signature', other], ...Object.entries(twice.headers)],
			bytes(twice.body),
		),
	];
	expect(answers).toEqual(answers.map(() => ({ status: 200, text: '' })));
	expect(runsOf(await ended(workflow, 4), 'Downstream')).toHaveLength(4);
});

test('n8n’s log has the version of the package once for each process', async () => {
	const log = await readFile(n8n.process.logFile, 'utf8');
	expect(log.match(/Card Platform nodes \S+/g)).toEqual([`Card Platform nodes ${VERSION}`]);
});

test('an event that is delivered again, as it was or as a replay, runs the workflow once', async () => {
	const workflow = await publishNew();
	const event = cardEvent();
	expect(await deliver(workflow, event)).toEqual({ status: 200, text: '' });
	// Each delivery has an event id and a timestamp of its own, which nobody has signed.
	for (let again = 0; again < 3; again++) {
		expect(await deliver(workflow, event)).toEqual({
			status: 200,
			text: '{"ignored":"duplicate"}',
		});
	}
	await deliver(workflow, cardEvent());
	expect(runsOf(await ended(workflow, 2), 'Downstream')).toHaveLength(2);
});

test('an event that is delivered 20 times at once runs the workflow once', async () => {
	const workflow = await publishNew();
	const event = cardEvent();
	const copies = Array.from({ length: 20 }, async () => await deliver(workflow, event));
	const answers = await Promise.all(copies);
	expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));

	const started = answers.filter((answer) => answer.text === '').length;
	expect(runsOf(await ended(workflow, started), 'Downstream')).toHaveLength(1);
});

// Before 2.8, n8n responds before there is an execution (docs/compatibility.md).
const since28 = n8nIsSince('2.8') ? test : test.skip;

since28('an event that n8n could not take is taken when it is delivered again', async () => {
	const workflow = await publishNew();
	const event = cardEvent();
	// What is published beside the tests needs the database, too.
	await refusals;
	const file = join(n8n.process.userFolder, '.n8n', 'database.sqlite');
	const database = new DatabaseSync(file, { timeout: 30_000 });
	database.exec('BEGIN IMMEDIATE');
	const refused = await deliver(workflow, event);
	database.exec('ROLLBACK');
	database.close();
	expect(refused.status).toBe(500);

	expect(await deliver(workflow, event)).toEqual({ status: 200, text: '' });
	expect(runsOf(await ended(workflow, 1), 'Downstream')).toHaveLength(1);
});

test('only events that pass the filters start the workflow', async () => {
	const workflow = await publishNew({
		events: ['declined'],
		filters: { minimumAmount: '12.50', merchantCountries: 'RO, BG' },
	});
	const wanted = { ...cardEvent(), merchantCountry: 'RO' };
	const others = [
		{ ...wanted, id: randomUUID(), isSuccess: true },
		{ ...wanted, id: randomUUID(), amount: '12.49' },
		{ ...wanted, id: randomUUID(), merchantCountry: 'US' },
	];
	for (const event of others) {
		expect(await deliver(workflow, event)).toEqual({ status: 200, text: '{"ignored":"filtered"}' });
	}
	expect(await deliver(workflow, wanted)).toEqual({ status: 200, text: '' });
	expect(runsOf(await ended(workflow, 1), 'Downstream')).toHaveLength(1);
});

describe('answered when the workflow has ended', () => {
	const atTheEnd = { responseMode: 'lastNode' };
	const wait = (parameters: object): NodeBetween => ({
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters,
	});

	test('a delivery is answered after a short Wait, when all nodes have run', async () => {
		const between = wait({ amount: 1, unit: 'seconds' });
		const workflow = await publishNew(atTheEnd, between);
		expect(await deliver(workflow, cardEvent())).toEqual({ status: 200, text: '' });
		const executions = await n8n.executions(workflow.id);
		expect(executions).toMatchObject([{ status: 'success' }]);
		expect(runsOf(executions, 'Downstream')).toHaveLength(1);
	});

	test.each([
		['a Wait of 65 seconds', { amount: 65, unit: 'seconds' }],
		['a step that waits for somebody', { resume: 'webhook' }],
	])('a delivery is answered 200 at %s, before the rest has run', async (_name, parameters) => {
		const workflow = await publishNew(atTheEnd, wait(parameters));
		expect(await deliver(workflow, cardEvent())).toEqual({ status: 200, text: '' });
		const executions = await n8n.executions(workflow.id);
		// n8n 2.8 and older does not list an execution that waits.
		expect(executions).toMatchObject(n8nIsSince('2.30') ? [{ status: 'waiting' }] : []);
		expect(runsOf(executions, 'Downstream')).toHaveLength(0);
	});

	test('a delivery whose workflow fails is answered 500, and runs when it comes again', async () => {
		const workflow = await publishNew(atTheEnd, {
			type: 'n8n-nodes-base.stopAndError',
			typeVersion: 1,
			parameters: { errorMessage: 'No' },
		});
		const event = cardEvent();
		for (let attempt = 1; attempt <= 2; attempt++) {
			expect((await deliver(workflow, event)).status).toBe(500);
			expect(await ended(workflow, attempt)).toHaveLength(attempt);
		}
	});

	describe('with On Error → Continue', () => {
		const settings = { onError: 'continueRegularOutput' };
		const stop = {
			type: 'n8n-nodes-base.stopAndError',
			parameters: { errorMessage: 'No' },
			...settings,
		};

		/** Publishes a workflow of the trigger and one node. */
		const publishWith = async (last: WorkflowNode): Promise<Workflow> => {
			const trigger = triggerNode('Trigger', credential, atTheEnd);
			const workflow = workflowOf(randomUUID(), [trigger, last]);
			return { ...workflow, id: await n8n.addAndPublish(workflow) };
		};

		test('a delivery is answered 500 if the last node fails, and 200 if another follows it', async () => {
			const { type, ...options } = stop;
			const stopped = await publishWith(node('Stop', type, options));
			expect((await deliver(stopped, cardEvent())).status).toBe(500);
			const workflow = await publishNew(atTheEnd, stop);
			expect(await deliver(workflow, cardEvent())).toEqual({ status: 200, text: '' });
			expect(runsOf(await ended(workflow, 1), 'Downstream')).toHaveLength(1);
		});

		test('a delivery is answered 200 if a Card Platform node at the end fails for its item', async () => {
			const key = { baseUrl: 'http://127.0.0.1:9', apiKey: 'key', keyScope: 'account' };
			const held = await n8n.addCredential('cardPlatformApi', key);
			const cardId = { __rl: true, mode: 'id', value: '={{ "not a card" }}' };
			const parameters = { resource: 'card', operation: 'freeze', cardId };
			const workflow = await publishWith(cardNode('Freeze', parameters, held, settings));
			expect(await deliver(workflow, cardEvent())).toEqual({ status: 200, text: '' });
			const [freeze] = runsOf(await ended(workflow, 1), 'Freeze');
			expect(freeze?.items).toEqual([
				expect.objectContaining({ error: expect.stringContaining('Card is not a valid ID') }),
			]);
		});
	});
});

test('a delivery is answered 500 once the credential was deleted, and the log says why', async () => {
	const deleted = await addCredential({ signingSecret: secret });
	const workflow = newWorkflow(deleted);
	const id = await n8n.addAndPublish(workflow);
	await n8n.deleteCredential(deleted);
	expect(await deliver(workflow, cardEvent())).toEqual({
		status: 500,
		text: '{"code":"internal-server-error","message":"delivery not checked"}',
	});
	const [line] = await waitUntil(
		async () => {
			const lines = await logged(id);
			return lines.length > 0 ? lines : undefined;
		},
		{ what: 'the log', withinMs: 60_000 },
	);
	expect(line).toContain('could not check a delivery');
	expect(line).toContain(`"${deleted.id}" does not exist`);
	expect(await n8n.executions(id)).toEqual([]);
});

test('a rotation of the secret loses no delivery', async () => {
	const { purchased, delivered, refused, workflow } = await rotateWhileDelivering(n8n, contract);
	expect(refused).toEqual([]);
	expect(delivered).toEqual(purchased);
	const runs = runsOf(await ended(workflow, purchased.length), 'Downstream');
	expect(runs.flatMap(({ items }) => items)).toHaveLength(purchased.length);
});

test('"Listen for test event" accepts genuine deliveries only, and the same event again', async () => {
	const workflow = newWorkflow(credential);
	const id = await n8n.addWorkflow(workflow);
	const { headers, body } = signedDelivery(cardEvent(), secret);
	const to = `${n8n.url}/webhook-test/${webhookPathOf(workflow)}`;
	for (let times = 0; times < 2; times++) {
		await n8n.listenForTestEvent(id, 'Trigger');
		expect(await post(to, headers, bytes(body))).toEqual({ status: 200, text: '' });
	}
	expect(runsOf(await ended({ ...workflow, id }, 2), 'Downstream')).toHaveLength(2);
});

test.each(['onReceived', 'lastNode'])(
	'a refused test event is a failed test run, and the response stays 401, with Respond %s',
	async (responseMode) => {
		const testCredential = await addCredential({ testSigningSecret: secret });
		const workflow = newWorkflow(testCredential, { responseMode });
		const id = await n8n.addWorkflow(workflow);
		const { headers, body } = signedDelivery(cardEvent(), secret);
		const forgedTest = { ...headers, 'x-webhook-signature': forged };
		const to = `${n8n.url}/webhook-test/${webhookPathOf(workflow)}`;
		await n8n.listenForTestEvent(id, 'Trigger');
		expect(await post(to, forgedTest, bytes(body))).toEqual({
			status: 401,
			text: '{"code":"unauthorized","message":"signature-mismatch"}',
		});
		const [failed] = await ended({ ...workflow, id }, 1);
		expect(failed?.status).toBe('error');
		const stored = JSON.stringify(failed);
		expect(stored).toContain('An event arrived, but it was signed with another secret');
		expect(
			runsOf(
				[failed].flatMap((each) => each ?? []),
				'Downstream',
			),
		).toEqual([]);
		expect(stored).not.toContain(secret);
		expect(stored).not.toContain(forged.slice(3));

		// n8n has stopped listening; another click listens again.
		expect((await post(to, headers, bytes(body))).status).toBe(404);
		await n8n.listenForTestEvent(id, 'Trigger');
		// n8n 2.8 and older run the workflow, and respond with 500 anyway.
		const isLost = responseMode === 'lastNode' && !n8nIsSince('2.30');
		expect((await post(to, headers, bytes(body))).status).toBe(isLost ? 500 : 200);
		expect(runsOf(await ended({ ...workflow, id }, 2), 'Downstream')).toHaveLength(1);
	},
);

test('with Report Rejected Deliveries, a wrong secret is a failed execution that starts the error workflow', async () => {
	const wrong = 'the-secret-of-another-url';
	const own = await addCredential({ signingSecret: wrong });
	const errorNode = node('Error', 'n8n-nodes-base.errorTrigger');
	const errorWorkflow = await n8n.addCallable(workflowOf(randomUUID(), [errorNode]));
	const publishReporting = async (reportRejected: boolean): Promise<Workflow> => {
		const parameters = { responseMode: 'lastNode', options: { reportRejected } };
		const settings = { executionOrder: 'v1', errorWorkflow };
		const workflow = { ...newWorkflow(own, parameters), settings };
		return { ...workflow, id: await n8n.addAndPublish(workflow) };
	};
	const silent = await publishReporting(false);
	const reporting = await publishReporting(true);
	const rejected = cardEvent();
	for (const workflow of [silent, reporting, reporting]) {
		expect(await deliver(workflow, rejected)).toEqual({
			status: 401,
			text: '{"code":"unauthorized","message":"signature-mismatch"}',
		});
	}
	const [failed] = await ended(reporting, 1);
	if (failed === undefined) throw new Error('no execution');
	const [reported] = await n8n.waitForExecutions(errorWorkflow, 1);
	for (const execution of [failed, reported]) {
		const stored = await n8n.getJson(`/rest/executions/${execution.id}`, z.unknown());
		const text = JSON.stringify(stored);
		expect(text).toContain('An event arrived, but it was signed with another secret');
		const { body } = signedDelivery(rejected, secret);
		const signatures = [secret, wrong].map((each) => sign(body, each).slice(3));
		for (const part of [secret, wrong, rejected.id, 'x-webhook', ...signatures])
			expect(text).not.toContain(part);
	}

	await n8n.changeCredential(own, { signingSecret: secret });
	const genuine = cardEvent();
	for (const workflow of [silent, reporting]) {
		// The trigger looks for a new secret every two seconds.
		await waitUntil(async () => (await deliver(workflow, genuine)).status === 200, {
			what: 'the new secret',
			withinMs: 60_000,
		});
	}
	expect((await ended(silent, 1)).map(({ status }) => status)).toEqual(['success']);
	expect((await ended(reporting, 2)).map(({ status }) => status)).toEqual(['success', 'error']);
	expect(await n8n.executions(errorWorkflow)).toHaveLength(1);

	await n8n.retry(failed, 'original workflow');
	const all = await ended(reporting, 3);
	expect(all.map(({ status }) => status)).toEqual(['error', 'success', 'error']);
	expect(runsOf(all, 'Downstream')).toHaveLength(1);
});

test('a trigger that is set up wrong says so when it is published', async () => {
	const told = (await refusals).map((each) =>
		each.status === 'rejected' && each.reason instanceof Error ? each.reason.message : 'published',
	);
	for (const [index, { says }] of wrongSetUps.entries()) expect(told[index]).toContain(says);
	expect(told).toHaveLength(wrongSetUps.length);
});

test('n8n finds the output schema of the trigger', async () => {
	const path = '/schemas/n8n-nodes-card-platform.cardPlatformTrigger/2.0.0/output.json';
	const schema = await n8n.getJson(path, z.unknown());
	expect(schema).toMatchObject({ properties: { id: { type: 'string' } } });
});

test('after a crash, under another name, and in another process a duplicate starts nothing downstream', async () => {
	const workflow = await publishNew();
	const [first, second] = [cardEvent(), cardEvent()];
	await deliver(workflow, first);
	await ended(workflow, 1);
	await renameTrigger(workflow.id, 'Renamed');
	await n8n.kill();
	// Two processes that share a database, as workers do: what one has seen, the other has to know.
	// One after the other: n8n waits for a second only where another process holds the database.
	await n8n.start();
	const other = await n8n.prepareSecond();
	cleanup.defer(() => other.stop());
	await other.start();

	expect((await deliver(workflow, first)).status).toBe(200);
	const afterCrash = await ended(workflow, 2);
	expect((await deliver(workflow, second)).status).toBe(200);
	await ended(workflow, 3);
	expect((await deliver(workflow, second, other)).status).toBe(200);
	const atTheEnd = await ended(workflow, 4);

	const line = `ignored a delivery: duplicate (workflow "${workflow.name}" ${workflow.id}, node "Renamed", event`;
	expect(await logged(first.id)).toEqual([expect.stringContaining(`${line} ${first.id})`)]);
	expect(await logged(second.id)).toEqual([expect.stringContaining(`${line} ${second.id})`)]);
	expect(runsOf(afterCrash, 'Downstream')).toHaveLength(1);
	expect(runsOf(afterCrash, 'Renamed')).toMatchObject([{ items: [] }]);
	expect(runsOf(atTheEnd, 'Downstream')).toHaveLength(2);
});
