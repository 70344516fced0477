import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { StoredCredential } from '../../dev/harness/n8n/client.ts';
import type { Execution } from '../../dev/harness/n8n/executions.ts';
import { type N8n, startPackedN8n } from '../../dev/harness/n8n/n8n.ts';
import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import {
	cardNode,
	node,
	triggerNode,
	type Workflow,
	type WorkflowNode,
	workflowOf,
} from '../../dev/harness/n8n/workflow.ts';
import { temporaryFolder } from '../../dev/harness/tools/folders.ts';
import { usePackedPackage } from '../support/n8n/shared.ts';
import { declinedEvent, newWorkflow, type NodeBetween, runsOf, secret, send } from './sending.ts';

const cleanup = new AsyncDisposableStack();
let n8n: N8n;
let credential: StoredCredential;

// One n8n serves the whole file: a start takes half a minute.
beforeAll(async () => {
	const folder = await temporaryFolder('trigger', cleanup);
	await usePackedPackage();
	// What is only dropped is logged for this level.
	n8n = await startPackedN8n({ folder, cleanup }, { N8N_LOG_LEVEL: 'debug' });
	credential = await addCredential({ signingSecret: secret });
}, 600_000);

afterAll(() => cleanup.disposeAsync(), 180_000);

jest.setTimeout(600_000);

const addCredential = (data: object) => n8n.addCredential('cardPlatformWebhookApi', data);

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

const deliver = (workflow: Workflow, event: object) => send(n8n, workflow, event);

const ended = async ({ id }: Workflow, count: number): Promise<Execution[]> =>
	n8n.waitForExecutions(id, count);

// n8n 1 responds before there is an execution (docs/compatibility.md).
const sinceN8n2 = n8nIsSince('2') ? test : test.skip;

sinceN8n2('an event that n8n could not take is taken when it is delivered again', async () => {
	const workflow = await publishNew();
	const event = declinedEvent();
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
		expect(await deliver(workflow, declinedEvent())).toEqual({ status: 200, text: '' });
		const executions = await n8n.executions(workflow.id);
		expect(executions).toMatchObject([{ status: 'success' }]);
		expect(runsOf(executions, 'Downstream')).toHaveLength(1);
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
			expect((await deliver(stopped, declinedEvent())).status).toBe(500);
			const workflow = await publishNew(atTheEnd, stop);
			expect(await deliver(workflow, declinedEvent())).toEqual({ status: 200, text: '' });
			expect(runsOf(await ended(workflow, 1), 'Downstream')).toHaveLength(1);
		});

		test('a delivery is answered 200 if a Card Platform node at the end fails for its item', async () => {
			const key = { baseUrl: 'http://127.0.0.1:9', apiKey: 'key', keyScope: 'account' };
			const held = await n8n.addCredential('cardPlatformApi', key);
			const cardId = { __rl: true, mode: 'id', value: '={{ "not a card" }}' };
			const parameters = { resource: 'card', operation: 'freeze', cardId };
			const workflow = await publishWith(cardNode('Freeze', parameters, held, settings));
			expect(await deliver(workflow, declinedEvent())).toEqual({ status: 200, text: '' });
			const [freeze] = runsOf(await ended(workflow, 1), 'Freeze');
			expect(freeze?.items).toEqual([
				expect.objectContaining({ error: expect.stringContaining('Card is not a valid ID') }),
			]);
		});
	});
});

test('after a crash, under another name, and in another process a duplicate starts nothing downstream', async () => {
	const workflow = await publishNew();
	const [first, second] = [declinedEvent(), declinedEvent()];
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
	expect((await send(other, workflow, second)).status).toBe(200);
	const atTheEnd = await ended(workflow, 4);

	const line = `ignored a delivery: duplicate (workflow "${workflow.name}" ${workflow.id}, node "Renamed", event`;
	expect(await logged(first.id)).toEqual([expect.stringContaining(`${line} ${first.id})`)]);
	expect(await logged(second.id)).toEqual([expect.stringContaining(`${line} ${second.id})`)]);
	expect(runsOf(afterCrash, 'Downstream')).toHaveLength(1);
	expect(runsOf(afterCrash, 'Renamed')).toMatchObject([{ items: [] }]);
	expect(runsOf(atTheEnd, 'Downstream')).toHaveLength(2);
});
