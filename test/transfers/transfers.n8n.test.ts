import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import type { N8nClient, StoredCredential } from '../../harness/n8n/client.ts';
import { type Execution, outputOf } from '../../harness/n8n/executions.ts';
import { n8nIsSince } from '../../harness/n8n/version.ts';
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
} from '../../harness/n8n/workflow.ts';
import { startTransferApi, type TransferApi, transferParameters } from '../../harness/transferApi';
import { useSharedN8n } from '../support/n8n/shared.ts';
import { FILLED, OPERATIONS } from '../support/operations';
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

const main = (settings = {}) => [webhook(), split, transfer({}, settings)];

const send = async (path: string, ...items: object[]): Promise<void> => {
	await fetch(`${n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
};

const invoiceOf = (amount = '5.00') => ({ invoice: randomUUID(), amount });

/** The connection breaks for the first request and the node's three retries, so that it gives up. */
const DROPS = ['dropAfter', 'dropAfter', 'dropAfter', 'dropAfter'] as const;

const errorOf = (execution: Execution, name = 'Transfer') => outputOf(execution, name).error ?? '';

test('each key is one transfer, also in a second execution', async () => {
	const { id, path } = await publishWorkflow(main());
	const items = [invoiceOf(), invoiceOf(), invoiceOf('6.00')];
	await send(path, ...items);
	await send(path, ...items);
	const second = await executionOf(id, 2);
	expect(outputOf(second, 'Transfer').items).toHaveLength(3);
	expect([...api.transfers.keys()]).toEqual(items.map(({ invoice }) => invoice));
});

test('Retry On Fail after a connection that broke when the transfer was made: one transfer', async () => {
	const { id, path } = await publishWorkflow(main(noWaiting));
	api.plan(...DROPS);
	await send(path, invoiceOf());
	expect((await executionOf(id)).status).toBe('success');
	expect([api.requests.length, api.transfers.size]).toEqual([DROPS.length + 1, 1]);
});

test('Executions → Retry: what was made is not made again, the rest is made', async () => {
	const { id, path } = await publishWorkflow(main());
	api.plan('answer', 'reject400');
	await send(path, invoiceOf(), invoiceOf(), invoiceOf());
	const failed = await executionOf(id);
	expect(errorOf(failed)).toContain('Refused');
	await n8n.retry(failed, 'saved workflow');
	const retried = await executionOf(id, 2);
	expect(retried.status).toBe('success');
	expect(outputOf(retried, 'Transfer').items).toHaveLength(3);
	expect([api.requests.length, api.transfers.size]).toEqual([4, 3]);
});

test('an unknown outcome is reported with the key, and Executions → Retry makes one transfer', async () => {
	const { id, path } = await publishWorkflow(main());
	api.plan(...DROPS);
	const item = invoiceOf();
	await send(path, item);
	const failed = await executionOf(id);
	expect(errorOf(failed)).toContain(
		`It is not known whether the transfer with Idempotency Key ${item.invoice} was made`,
	);
	await n8n.retry(failed, 'original workflow');
	expect((await executionOf(id, 2)).status).toBe('success');
	expect([...api.transfers.keys()]).toEqual([item.invoice]);
});

test('two items with one key, and two nodes: the second transfer is refused', async () => {
	const fee = {
		...transfer({ amount: '1.00', idempotencyKey: "={{ $('Items').item.json.fee }}" }),
		name: 'Fee',
	};
	const { id, path } = await publishWorkflow([...main({ onError: 'continueRegularOutput' }), fee]);
	const item = invoiceOf();
	await send(path, { ...item, fee: item.invoice }, { ...item, fee: `${item.invoice}-fee` });
	const execution = await executionOf(id);
	const [, second] = outputOf(execution, 'Transfer').items;
	expect(JSON.stringify(second)).toContain('was already used in this execution');
	expect(errorOf(execution, 'Fee')).toContain('was already used in this execution');
	expect(api.requests).toHaveLength(1);
});

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

const fromModel = "={{ $fromAI('paymentId', 'The invoice number') }}";

const tool = (settings: object = {}, idempotencyKey = fromModel): WorkflowNode => ({
	...transfer({ amount: "={{ $fromAI('amount', 'Amount in USD') }}", idempotencyKey }, settings),
	type: cardPlatform.tool,
});

describe('as a tool of the MCP Server Trigger', () => {
	/** Publishes tools; gives a client, and the function that calls the one that transfers. */
	async function connect(...tools: WorkflowNode[]) {
		const path = randomUUID();
		const trigger = node('MCP', '@n8n/n8n-nodes-langchain.mcpTrigger', {
			typeVersion: 2,
			webhookId: path,
			parameters: { authentication: 'none', path },
		});
		const joined = tools.map(({ name }): Connection => [name, 'MCP', { type: 'ai_tool' }]);
		await publishWorkflow([trigger, ...tools], joined);
		const client = new Client({ name: 'test', version: '1.0.0' });
		await client.connect(new StreamableHTTPClientTransport(new URL(`${n8n.url}/mcp/${path}`)));
		cleanup.defer(() => client.close());
		const call = async (args: Record<string, string>) =>
			JSON.stringify(await client.callTool({ name: 'Transfer', arguments: args }));
		return { client, call };
	}

	test('tools/list shows a model what each operation does', async () => {
		const tools = OPERATIONS.map(({ name, resource, operation }) => ({
			...tool(),
			name,
			parameters: { ...FILLED, resource, operation },
		}));
		const { client } = await connect(...tools);
		const listed = (await client.listTools()).tools;
		expect(Object.fromEntries(listed.map(({ name, description }) => [name, description]))).toEqual(
			Object.fromEntries(
				OPERATIONS.map(({ resource, operation, action }) => [
					`${resource}_${operation}`,
					`${action} in Card Platform`,
				]),
			),
		);
	});

	test('an outcome stays unknown while n8n and the client repeat the call: one transfer', async () => {
		const { call } = await connect(tool(noWaiting));
		const paymentId = randomUUID();
		api.plan(...DROPS, 'reject401');
		expect(await call({ amount: '25.00', paymentId })).toContain(
			`It is not known whether the transfer with Idempotency Key ${paymentId}`,
		);
		expect(api.requests).toHaveLength(DROPS.length + 1);
		expect(await call({ amount: '25.00', paymentId })).toContain('toAccountId');
		expect([...api.transfers.keys()]).toEqual([paymentId]);
	});

	test.each([
		['refers to the execution', "={{ $execution.id }}-{{ $fromAI('paymentId') }}"],
		['is empty', '={{ $json.none }}'],
	])('a key that %s is refused', async (problem, key) => {
		const { call } = await connect(tool({}, key));
		const text = await call({ amount: '25.00', paymentId: 'INV-1' });
		expect(text).toContain(`Idempotency Key ${problem}`);
		expect(api.requests).toEqual([]);
	});
});

test.each([
	['2.2, which calls its tools itself', 2.2],
	// n8n 1 knows 3 only.
	['3, whose tools the engine runs', n8nIsSince('2') ? 3.1 : 3],
])(
	'as a tool of an AI agent of version %s, with Retry On Fail: one transfer for each key',
	async (_name, typeVersion) => {
		const agent = node('Agent', '@n8n/n8n-nodes-langchain.agent', {
			typeVersion,
			parameters: { promptType: 'define', text: 'Pay' },
		});
		const languageModel = node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', {
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'stand-in' } },
			credential: modelCredential,
		});
		const { id, path } = await publishWorkflow(
			[webhook(), agent, languageModel, tool(noWaiting)],
			[
				['Start', 'Agent'],
				['Model', 'Agent', { type: 'ai_languageModel' }],
				['Transfer', 'Agent', { type: 'ai_tool' }],
			],
		);
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
		expect(JSON.stringify(model.asked)).toMatch(/isEarlierTransfer\W+true/);
	},
);
