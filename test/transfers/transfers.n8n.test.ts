import { randomUUID } from 'node:crypto';

import type { N8nClient, StoredCredential } from '../../dev/harness/n8n/client.ts';
import { type Execution, outputOf } from '../../dev/harness/n8n/executions.ts';
import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import {
	cardNode,
	cardPlatform,
	type Connection,
	node,
	splitOutNode,
	webhookNode,
	webhookPathOf,
	type WorkflowNode,
	workflowOf,
} from '../../dev/harness/n8n/workflow.ts';
import {
	startTransferApi,
	type TransferApi,
	transferParameters,
} from '../../dev/harness/transferApi';
import { agentWith, connectMcp, mcpServerWith } from '../support/n8n/aiTools.ts';
import { useSharedN8n } from '../support/n8n/shared.ts';
import { type StandInModel, startStandInModel } from '../workflows/standInModel.ts';

/** What only a real n8n shows; transfer.test.ts has the rest. */

jest.setTimeout(400_000);

const cleanup = new AsyncDisposableStack();
const shared = useSharedN8n();
let n8n: N8nClient;
let api: TransferApi;
let model: StandInModel;
let apiCredential: StoredCredential;
let modelCredential: StoredCredential;

beforeAll(async () => {
	({ n8n } = shared());
	api = await startTransferApi();
	cleanup.defer(() => api.close());
	model = await startStandInModel();
	cleanup.defer(() => model.close());

	const baseUrl = `${api.url}/v1/public`;
	const key = { baseUrl, apiKey: 'key', keyScope: 'customer', accountId: '1001' };
	apiCredential = await n8n.addCredential('cardPlatformApi', key);
	const provider = { apiKey: 'none', url: model.url };
	modelCredential = await n8n.addCredential('openAiApi', provider);
}, 300_000);

afterAll(() => cleanup.disposeAsync(), 180_000);

beforeEach(() => {
	api.transfers.clear();
	api.requests.splice(0);
	api.plan();
	model.asked.splice(0);
});

/** Publishes a workflow; gives its id and the path of its webhook. */
async function publishWorkflow(nodes: WorkflowNode[], connections?: Connection[]) {
	const workflow = workflowOf('Transfers', nodes, connections);
	const id = await n8n.addAndPublish(workflow);
	return { id, path: webhookPathOf(workflow) };
}

/** The newest execution of a workflow, once at least `count` of them have ended. */
const executionOf = async (workflowId: string, count = 1): Promise<Execution> =>
	(await n8n.waitForExecutions(workflowId, count))[0];

const webhook = () => webhookNode('Start', { responseMode: 'lastNode' });

const split = splitOutNode('Items', 'body.items');

const noWaiting = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

const transfer = (parameters: object = {}, settings: object = {}): WorkflowNode =>
	cardNode('Transfer', { ...transferParameters, ...parameters }, apiCredential, settings);

const main = () => [webhook(), split, transfer()];

const send = async (path: string, ...items: object[]): Promise<void> => {
	await fetch(`${n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
};

const invoiceOf = () => ({ invoice: randomUUID(), amount: '5.00' });

/** The connection breaks for the first request and the node's three retries, so that it gives up. */
const DROPS = ['dropAfter', 'dropAfter', 'dropAfter', 'dropAfter'] as const;

test.each([
	['saved workflow', ['reject400'], 'Refused', 4],
	['original workflow', DROPS, 'The outcome of the transfer with Idempotency Key ', 7],
] as const)(
	'Executions → Retry of the %s after %j: what was made is not made again, the rest is made',
	async (kind, reactions, message, requests) => {
		const { id, path } = await publishWorkflow(main());
		api.plan('answer', ...reactions);
		const items = [invoiceOf(), invoiceOf(), invoiceOf()];
		await send(path, ...items);
		const failed = await executionOf(id);
		expect(outputOf(failed, 'Transfer').error).toContain(message);
		await n8n.retry(failed, kind);
		const retried = await executionOf(id, 2);
		expect(retried.status).toBe('success');
		expect(outputOf(retried, 'Transfer').items).toHaveLength(3);
		expect(api.requests).toHaveLength(requests);
		expect([...api.transfers.keys()].sort()).toEqual(items.map(({ invoice }) => invoice).sort());
	},
);

test('in a sub-workflow whose caller has Retry On Fail: one transfer', async () => {
	const trigger = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', {
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});
	const id = await n8n.addCallable(workflowOf('Sub-workflow', [trigger, transfer()]));
	const call = node('Call', 'n8n-nodes-base.executeWorkflow', {
		typeVersion: 1.2,
		parameters: { workflowId: { __rl: true, mode: 'id', value: id } },
		...noWaiting,
	});
	const caller = await publishWorkflow([webhook(), split, call]);
	api.plan(...DROPS);
	await send(caller.path, invoiceOf());
	expect((await executionOf(caller.id)).status).toBe('success');
	expect([api.requests.length, api.transfers.size]).toEqual([DROPS.length + 1, 1]);
});

test('in a loop, another turn with the same key is another item: it is not sent', async () => {
	const loop = node('Loop', 'n8n-nodes-base.splitInBatches', {
		typeVersion: 3,
		parameters: { batchSize: 1, options: {} },
	});
	const nodes = [webhook(), split, loop, transfer({}, { onError: 'continueRegularOutput' })];
	const { id, path } = await publishWorkflow(nodes, [
		['Start', 'Items'],
		['Items', 'Loop'],
		['Loop', 'Transfer', { output: 1 }],
		['Transfer', 'Loop'],
	]);
	const [a, b] = [invoiceOf(), invoiceOf()];
	await send(path, a, b, a);
	const [done] = outputOf(await executionOf(id), 'Loop').outputs;
	expect(done).toMatchObject([
		{ idempotencyKey: a.invoice },
		{ idempotencyKey: b.invoice },
		{ error: expect.stringContaining('already used in this execution for another item') },
	]);
	expect(api.requests).toHaveLength(2);
});

const tool = (
	idempotencyKey = "={{ $fromAI('paymentId', 'The invoice number') }}",
): WorkflowNode => {
	const amount = "={{ $fromAI('amount', 'Amount in USD') }}";
	return { ...transfer({ amount, idempotencyKey }, noWaiting), type: cardPlatform.tool };
};

test('as a tool of the MCP Server Trigger: an outcome stays unknown while n8n and the client repeat the call', async () => {
	const path = randomUUID();
	const server = mcpServerWith(tool(), path);
	await publishWorkflow(server.nodes, server.connections);
	const client = await connectMcp(n8n, path);
	cleanup.defer(() => client.close());
	const paymentId = randomUUID();
	const call = async () => {
		const args = { amount: '25.00', paymentId };
		return JSON.stringify(await client.callTool({ name: 'Transfer', arguments: args }));
	};
	api.plan(...DROPS, 'reject401');
	expect(await call()).toContain(`The outcome of the transfer with Idempotency Key ${paymentId}`);
	expect(api.requests).toHaveLength(DROPS.length + 1);
	expect(await call()).toContain('toAccountId');
	expect([...api.transfers.keys()]).toEqual([paymentId]);
});

/** Agents that n8n runs in different ways. */
const AGENTS: [string, number][] = [
	['2.2, which calls its tools itself', 2.2],
	// n8n 1 knows 3 only.
	['3, whose tools the engine runs', n8nIsSince('2') ? 3.1 : 3],
];

test.each(AGENTS)(
	'as a tool of an AI agent of version %s, a field is that of the first item',
	async (_name, typeVersion) => {
		const byField = tool("={{ $('Items').item.json.invoice }}");
		const { nodes, connections } = agentWith(byField, modelCredential, typeVersion);
		const { id, path } = await publishWorkflow(
			[webhook(), split, ...nodes],
			[['Start', 'Items'], ['Items', 'Agent'], ...connections.slice(1)],
		);
		const pay = { name: 'Transfer', arguments: { amount: '1.00' } };
		model.willCallInTurn([pay], [pay]);
		const items = [invoiceOf(), invoiceOf()];
		await send(path, ...items);
		expect((await executionOf(id)).status).toBe('success');
		expect([...api.transfers.keys()]).toEqual([items[0]?.invoice]);
		expect(JSON.stringify(model.asked)).toMatch(/moneyMoved\W+earlier/);
	},
);

test.each(AGENTS)(
	'as a tool of an AI agent of version %s, with Retry On Fail: one transfer for each key',
	async (_name, typeVersion) => {
		const { nodes, connections } = agentWith(tool(), modelCredential, typeVersion);
		const { id, path } = await publishWorkflow([webhook(), ...nodes], connections);
		const [a, b] = [randomUUID(), randomUUID()];
		const pay = (paymentId: string) => ({
			name: 'Transfer',
			arguments: { amount: '1.00', paymentId },
		});
		api.plan(...DROPS);
		// A turn with both, and one that pays the second again.
		model.willCallInTurn([pay(a), pay(b)], [pay(b)]);
		await send(path);
		expect((await executionOf(id)).status).toBe('success');
		expect(new Set(api.transfers.keys())).toEqual(new Set([a, b]));
		expect(JSON.stringify(model.asked)).toMatch(/moneyMoved\W+earlier/);
	},
);
