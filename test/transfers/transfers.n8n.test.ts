import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';

import type { N8nClient, StoredCredential } from '../../harness/n8n/client.ts';
import { type Execution, outputOf } from '../../harness/n8n/executions.ts';
import { n8nIsSince } from '../../harness/n8n/version.ts';
import {
	cardNode,
	cardPlatform,
	type Connection,
	inARow,
	node,
	type NodeOptions,
	splitOutNode,
	webhookNode,
	webhookPathOf,
	type WorkflowNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { startTransferApi, type TransferApi, transferParameters } from '../../harness/transferApi';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { useSharedN8n } from '../support/n8n/shared.ts';
import { FILLED, OPERATIONS } from '../support/operations';
import { type StandInModel, startStandInModel } from '../workflows/standInModel.ts';

/** The rows of the table in docs/transfers.md, in the real n8n. */

// What an older one stores of an execution that is stopped has not been looked at.
const since241 = n8nIsSince('2.41') ? describe : describe.skip;

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

const withKey = (expression: string) => ({ options: { idempotencyKey: expression } });

const send = async (path: string, body: object): Promise<void> => {
	await fetch(`${n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
};

const REQUIRED = 'Idempotency Key is required here, so the transfer was not sent';

const amounts = (...values: string[]) => ({ items: values.map((amount) => ({ amount })) });

/** The connection breaks for the first request and the node's three retries, so that it gives up. */
const DROPS = ['dropAfter', 'dropAfter', 'dropAfter', 'dropAfter'] as const;

const errorOf = (execution: Execution, name = 'Transfer') => outputOf(execution, name).error ?? '';

describe('on the main path', () => {
	const main = (settings = {}, parameters = {}) => [
		webhook(),
		split,
		transfer(parameters, settings),
	];
	test('each item is one transfer, also where items are the same', async () => {
		const { id, path } = await publishWorkflow(main());
		await send(path, amounts('5.00', '5.00', '6.00'));
		expect((await executionOf(id)).status).toBe('success');
		expect(api.transfers.size).toBe(3);
	});

	test('a key from the node after both triggers is the same, whichever trigger starts', async () => {
		const triggers = ['Webhook', 'Poll'].map((name) =>
			webhookNode(name, { responseMode: 'lastNode' }),
		);
		const event = node('Event', 'n8n-nodes-base.noOp');
		const key = withKey("={{ $('Event').item.json.body.id }}");
		const { id } = await publishWorkflow(
			[...triggers, event, transfer({ ...key, amount: '5.00' })],
			[
				['Webhook', 'Event'],
				['Poll', 'Event'],
				['Event', 'Transfer'],
			],
		);
		const body = { id: randomUUID() };
		for (const trigger of triggers) await send(webhookPathOf({ nodes: [trigger] }), body);
		const executions = await n8n.waitForExecutions(id, 2);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		expect([...api.transfers.keys()]).toEqual([body.id]);
		expect(api.requests).toHaveLength(2);
	});

	test('Retry On Fail after a connection that broke when the transfer was made: one transfer', async () => {
		const { id, path } = await publishWorkflow(main(noWaiting));
		api.plan(...DROPS);
		await send(path, amounts('5.00'));
		expect((await executionOf(id)).status).toBe('success');
		expect(api.requests).toHaveLength(DROPS.length + 1);
		expect(api.transfers.size).toBe(1);
	});

	test('an unclear outcome is reported, and the key in the message makes it safe to send again', async () => {
		const { id, path } = await publishWorkflow(main());
		api.plan(...DROPS);
		await send(path, amounts('5.00'));
		const [key = ''] = api.transfers.keys();
		expect(errorOf(await executionOf(id))).toContain(
			`It is not known whether the transfer with Idempotency Key ${key} was made`,
		);
		const again = await publishWorkflow(main({}, withKey(key)));
		await send(again.path, amounts('5.00'));
		expect((await executionOf(again.id)).status).toBe('success');
		expect(api.transfers.size).toBe(1);
	});

	test('Executions → Retry: what was made is not made again, the rest is made', async () => {
		const { id, path } = await publishWorkflow(main());
		api.plan('answer', 'reject400');
		await send(path, amounts('5.00', '6.00', '7.00'));
		const failed = await executionOf(id);
		expect(errorOf(failed)).toContain('Refused');
		expect(api.transfers.size).toBe(1);
		await n8n.retry(failed, 'saved workflow');
		const retried = await executionOf(id, 2);
		expect(retried.status).toBe('success');
		expect(outputOf(retried, 'Transfer').items).toHaveLength(3);
		expect(api.transfers.size).toBe(3);
	});

	test('Executions → Retry of an unclear outcome: one transfer', async () => {
		const { id, path } = await publishWorkflow(main());
		api.plan(...DROPS);
		await send(path, amounts('5.00'));
		const failed = await executionOf(id);
		expect(failed.status).toBe('error');
		await n8n.retry(failed, 'original workflow');
		expect((await executionOf(id, 2)).status).toBe('success');
		expect(api.transfers.size).toBe(1);
	});

	since241('an execution that was stopped during a transfer, retried through the API', () => {
		/** Runs a workflow whose second transfer gets no response, and waits for its end. */
		async function runUntilStopped(settings: object, stop: (workflowId: string) => Promise<void>) {
			const workflow = { ...workflowOf('Transfers', main()), settings };
			const id = await n8n.addAndPublish(workflow);
			api.plan('answer', 'hang');
			const response = send(webhookPathOf(workflow), amounts('5.00', '6.00', '7.00'));
			await waitUntil(() => api.requests[1], { what: 'a transfer', withinMs: 120_000 });
			await stop(id);
			await response;
			const stopped = await executionOf(id);
			expect(stopped.status).toBe('canceled');
			await n8n.retry(stopped, 'original workflow');
			return await executionOf(id, 2);
		}

		test.each([{}, { saveExecutionProgress: true }])(
			'by a person, with the settings %j: refused without a key',
			async (settings) => {
				const retried = await runUntilStopped(settings, async (id) => await n8n.stopExecution(id));
				expect(errorOf(retried)).toContain(REQUIRED);
				expect(api.requests).toHaveLength(2);
			},
		);

		test('by its timeout: what was made is not made again, the rest is made', async () => {
			const retried = await runUntilStopped({ executionTimeout: 2 }, async () => {
				await Promise.resolve();
			});
			expect(retried.status).toBe('success');
			expect(outputOf(retried, 'Transfer').items).toHaveLength(3);
			expect([api.requests.length, api.transfers.size]).toEqual([4, 3]);
		});
	});

	test('Executions → Retry where the failed step came before: refused without a key', async () => {
		const check = node('Check', 'n8n-nodes-base.httpRequest', {
			typeVersion: 4.2,
			parameters: { method: 'POST', url: `${api.url}/check` },
		});
		const nodes = [webhook(), check, transfer({ amount: '5.00' })];
		const { id, path } = await publishWorkflow(nodes);
		api.plan('reject400');
		await send(path, {});
		const failed = await executionOf(id);
		expect(failed.status).toBe('error');
		await n8n.retry(failed, 'original workflow');
		expect(errorOf(await executionOf(id, 2))).toContain(REQUIRED);
		expect(api.transfers.size).toBe(0);
	});

	test('two nodes with the same key: the second transfer is refused', async () => {
		const key = withKey("={{ $('Items').item.json.id }}");
		const fee = { ...transfer({ ...key, amount: '9.00' }), name: 'Fee' };
		const { id, path } = await publishWorkflow([webhook(), split, transfer(key), fee]);
		await send(path, { items: [{ id: randomUUID(), amount: '5.00' }] });
		expect(errorOf(await executionOf(id), 'Fee')).toContain(
			'Another transfer of this execution has the Idempotency Key',
		);
		expect(api.requests).toHaveLength(1);
	});

	test('each manual run is another execution, and transfers', async () => {
		const manual = node('Start', 'n8n-nodes-base.manualTrigger');
		const nodes = [manual, transfer({ amount: '5.00' })];
		const id = await n8n.addWorkflow(workflowOf('Manual', nodes));
		for (const count of [1, 2]) {
			expect((await n8n.run(id, 'Start')).status).toBe('success');
			expect(api.transfers.size).toBe(count);
		}
	});

	test('the recommended key names the trigger: three events, three transfers, behind any node', async () => {
		const nodes = [webhook(), split, transfer(withKey("={{ $('Items').item.json.id }}"))];
		const { id, path } = await publishWorkflow(nodes);
		const ids = [randomUUID(), randomUUID(), randomUUID()];
		const items = ids.map((each) => ({ id: each, amount: '5.00' }));
		await send(path, { items });
		await send(path, { items });
		expect((await executionOf(id, 2)).status).toBe('success');
		expect([...api.transfers.keys()]).toEqual(ids);
	});
});

describe('in a sub-workflow', () => {
	const trigger = node('Called', 'n8n-nodes-base.executeWorkflowTrigger', {
		typeVersion: 1.1,
		parameters: { inputSource: 'passthrough' },
	});

	/** A workflow that calls another one that transfers, and is retried if that fails. */
	const publishBoth = async (parameters: object) => {
		const sub = workflowOf('Sub-workflow', [trigger, transfer(parameters)]);
		const id = await n8n.addCallable(sub);
		const call = node('Call', 'n8n-nodes-base.executeWorkflow', {
			typeVersion: 1.2,
			parameters: { workflowId: { __rl: true, mode: 'id', value: id } },
			...noWaiting,
		});
		const caller = await publishWorkflow([webhook(), split, call]);
		return { sub: { id }, caller };
	};

	test('a transfer without a key is refused', async () => {
		const { sub, caller } = await publishBoth({});
		await send(caller.path, amounts('5.00'));
		expect(errorOf(await executionOf(sub.id))).toContain(REQUIRED);
		expect(api.requests).toEqual([]);
	});

	test('with a key from the caller, Retry On Fail of the caller makes one transfer', async () => {
		const key = withKey(`={{ $('${trigger.name}').item.json.id }}`);
		const { caller } = await publishBoth(key);
		api.plan(...DROPS);
		const invoice = randomUUID();
		await send(caller.path, { items: [{ id: invoice, amount: '5.00' }] });
		expect((await executionOf(caller.id)).status).toBe('success');
		expect([...api.transfers.keys()]).toEqual([invoice]);
		expect(api.requests).toHaveLength(DROPS.length + 1);
	});
});

const tool = (settings: object = {}, parameters: object = {}): WorkflowNode => ({
	...transfer(
		{
			toAccountId: "={{ $fromAI('to', 'Account that gets the money') }}",
			amount: "={{ $fromAI('amount', 'Amount in USD') }}",
			...parameters,
		},
		settings,
	),
	type: cardPlatform.tool,
});

const aiKey = withKey("={{ $fromAI('paymentId', 'A unique ID of this payment') }}");

const resultSchema = z.object({ content: z.array(z.object({ text: z.string() })) });

describe('as a tool of the MCP Server Trigger', () => {
	const connect = async (...tools: WorkflowNode[]) => {
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
		return {
			client,
			call: async (args: Record<string, string>) => {
				const result = await client.callTool({ name: 'Transfer', arguments: args });
				return resultSchema
					.parse(result)
					.content.map(({ text }) => text)
					.join();
			},
		};
	};

	test('tools/list shows a model what each operation does', async () => {
		const tools = RESOURCES.flatMap((resource) =>
			resource.operations.map(({ value: operation }) => ({
				...tool(),
				name: `${resource.value} ${operation}`,
				parameters: { ...FILLED, resource: resource.value, operation },
			})),
		);
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

	test('without a key, nothing is sent, and the error says what the model has to set', async () => {
		const { call } = await connect(tool());
		const text = await call({ to: '1002', amount: '25.00' });
		expect(text).toContain(REQUIRED);
		expect(text).toContain('$fromAI');
		expect(api.requests).toEqual([]);
	});

	test('each key is one transfer, and gives back its own', async () => {
		const { call } = await connect(tool({}, aiKey));
		const pay = async (to: string, amount: string) =>
			await call({ to, amount, paymentId: randomUUID() });
		expect(await pay('1002', '25.00')).toContain('"toAccountId":1002');
		expect(await pay('1002', '900.00')).toContain('"isEarlierTransfer":false');
		expect(await pay('1003', '900.00')).toContain('"toAccountId":1003');
		expect(await pay('1003', '900.00')).toContain('"toAccountId":1003');
		expect(api.transfers.size).toBe(4);
	});

	test('a call that is repeated, by the node or by the client: one transfer', async () => {
		const { call } = await connect(tool({}, aiKey));
		const paymentId = randomUUID();
		api.plan('dropAfter', 'dropAfter');
		await call({ to: '1002', amount: '25.00', paymentId });
		await call({ to: '1002', amount: '25.00', paymentId });
		expect(api.requests).toHaveLength(4);
		expect([...api.transfers.keys()]).toEqual([paymentId]);
	});

	test('with Retry On Fail and a key from the model: one transfer', async () => {
		const { call } = await connect(tool(noWaiting, aiKey));
		api.plan(...DROPS);
		const paymentId = randomUUID();
		await call({ to: '1002', amount: '25.00', paymentId });
		expect([...api.transfers.keys()]).toEqual([paymentId]);
		expect(api.requests).toHaveLength(DROPS.length + 1);
	});

	test('an unclear outcome stays unclear, also if n8n repeats the call and it is refused', async () => {
		const { call } = await connect(tool(noWaiting, aiKey));
		const paymentId = randomUUID();
		api.plan(...DROPS, 'reject401');
		const text = await call({ to: '1002', amount: '25.00', paymentId });
		expect(text).toContain(
			`It is not known whether the transfer with Idempotency Key ${paymentId}`,
		);
		expect(api.requests).toHaveLength(DROPS.length + 1);
		await call({ to: '1002', amount: '25.00', paymentId });
		expect(api.transfers.size).toBe(1);
	});
});

const languageModel = () =>
	node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', {
		typeVersion: 1.2,
		parameters: { model: { __rl: true, mode: 'id', value: 'stand-in' } },
		credential: modelCredential,
	});

/** What the tool gave: an agent of version 3 gives the model its error, one of version 2 fails with it. */
const toolAnswers = (execution: Execution) =>
	model.asked
		.flatMap(({ messages }) => messages)
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => content)
		.concat(execution.nodes.map(({ error }) => error ?? ''))
		.join();

describe.each([
	['2.2, which calls its tools itself', 2.2],
	// n8n 1 knows 3 only.
	['3, whose tools the engine runs', n8nIsSince('2') ? 3.1 : 3],
])('as a tool of an AI agent of version %s', (_name, typeVersion) => {
	const agent = (settings: NodeOptions = {}): WorkflowNode =>
		node('Agent', '@n8n/n8n-nodes-langchain.agent', {
			typeVersion,
			parameters: {
				promptType: 'define',
				text: '={{ $json.amount }}',
				options: { batching: { batchSize: 10 } },
			},
			...settings,
		});

	const joined: Connection[] = [
		...inARow(['Start', 'Items', 'Agent']),
		['Model', 'Agent', { type: 'ai_languageModel' }],
		['Transfer', 'Agent', { type: 'ai_tool' }],
	];

	const publishAgent = async (toolNode: WorkflowNode, settings: NodeOptions = {}) =>
		publishWorkflow([webhook(), split, agent(settings), languageModel(), toolNode], joined);

	const call = (amount: string, more: object = {}) => ({
		name: 'Transfer',
		arguments: { to: '1002', amount, ...more },
	});

	beforeEach(() => model.asked.splice(0));

	test('without a key, nothing is sent', async () => {
		const { id, path } = await publishAgent(tool());
		model.willCall(call('1.00'));
		await send(path, amounts('x'));
		expect(toolAnswers(await executionOf(id))).toContain(REQUIRED);
		expect(api.requests).toEqual([]);
	});

	test('calls of one turn, and of turns after it, are one transfer for each key', async () => {
		const { id, path } = await publishAgent(tool({}, aiKey));
		const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
		model.willCallInTurn(
			[call('1.00', { paymentId: a }), call('1.00', { paymentId: b })],
			[call('2.00', { paymentId: c })],
			[call('2.00', { paymentId: c })],
		);
		await send(path, amounts('x'));
		const execution = await executionOf(id);
		expect(execution.status).toBe('success');
		expect(new Set(api.transfers.keys())).toEqual(new Set([a, b, c]));
		expect(api.requests).toHaveLength(3);
		expect(toolAnswers(execution)).toMatch(/isEarlierTransfer\W+true/);
	});

	test('two items at the same time, with a key each: one transfer for each key', async () => {
		const { id, path } = await publishAgent(tool({}, aiKey));
		const keys = [randomUUID(), randomUUID()];
		model.willCallInTurn(...keys.map((paymentId) => [call('1.00', { paymentId })]));
		await send(path, amounts('x', 'y'));
		await executionOf(id);
		// Version 2 gives both calls the arguments of the first: the second one is not a payment.
		expect(api.transfers.size).toBe(typeVersion < 3 ? 1 : 2);
		expect(api.requests).toHaveLength(api.transfers.size);
		expect(keys).toEqual(expect.arrayContaining([...api.transfers.keys()]));
	});

	test('with Retry On Fail on the tool, an unclear outcome stays unclear if a later attempt is refused', async () => {
		const { id, path } = await publishAgent(tool(noWaiting, aiKey));
		api.plan(...DROPS, 'reject401');
		const paymentId = randomUUID();
		model.willCall(call('1.00', { paymentId }));
		await send(path, amounts('x'));
		expect(toolAnswers(await executionOf(id))).toContain(
			`It is not known whether the transfer with Idempotency Key ${paymentId}`,
		);
		expect(api.requests).toHaveLength(DROPS.length + 1);
	});

	test('with Retry On Fail on the tool and a key from the model: one transfer', async () => {
		const { id, path } = await publishAgent(tool(noWaiting, aiKey));
		api.plan(...DROPS);
		const paymentId = randomUUID();
		model.willCall(call('1.00', { paymentId }));
		await send(path, amounts('x'));
		await executionOf(id);
		expect([...api.transfers.keys()]).toEqual([paymentId]);
	});

	test('an agent that n8n runs again calls its tool again: a key from the model protects', async () => {
		const settings = { ...noWaiting, onError: 'continueRegularOutput' };
		const { id, path } = await publishAgent(tool({}, aiKey), settings);
		const paymentId = randomUUID();
		const pay = call('1.00', { paymentId });
		model.willCallInTurn([pay], 'fail', [pay]);
		await send(path, amounts('x'));
		await executionOf(id);
		expect([...api.transfers.keys()]).toEqual([paymentId]);
	});

	test('Executions → Retry of an agent: the tool refuses without a key', async () => {
		const { id, path } = await publishAgent(tool());
		model.willCallInTurn('fail');
		await send(path, amounts('x'));
		const failed = await executionOf(id);
		expect(failed.status).toBe('error');
		model.willCall(call('1.00'));
		await n8n.retry(failed, 'original workflow');
		expect(toolAnswers(await executionOf(id, 2))).toContain(REQUIRED);
		expect(api.requests).toEqual([]);
	});

	test('as a tool of a sub-agent: refused without a key', async () => {
		const subAgent = node('Bookkeeper', '@n8n/n8n-nodes-langchain.agentTool', {
			// n8n 1 knows 2.2 only.
			typeVersion: typeVersion < 3 || !n8nIsSince('2') ? 2.2 : 3,
			parameters: {
				toolDescription: 'Moves money',
				text: "={{ $fromAI('task', 'What to do') }}",
			},
		});
		model.willCallInTurn([{ name: 'Bookkeeper', arguments: { task: 'Pay' } }], [call('1.00')]);
		const { id, path } = await publishWorkflow(
			[webhook(), split, agent(), languageModel(), subAgent, tool()],
			[
				...joined.filter(([from]) => from !== 'Transfer'),
				['Model', 'Bookkeeper', { type: 'ai_languageModel' }],
				['Bookkeeper', 'Agent', { type: 'ai_tool' }],
				['Transfer', 'Bookkeeper', { type: 'ai_tool' }],
			],
		);
		await send(path, amounts('x'));
		expect(toolAnswers(await executionOf(id))).toContain(REQUIRED);
		expect(api.requests).toEqual([]);
	});
});
