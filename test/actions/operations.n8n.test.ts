import { randomUUID } from 'node:crypto';

import { type Execution, outputOf } from '../../dev/harness/n8n/executions.ts';
import { n8nIsSince } from '../../dev/harness/n8n/version.ts';
import { cardNode, cardPlatform, node, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import { addApiCredential } from '../../dev/harness/scenario/automation.ts';
import type { Exchange } from '../../sandbox/types.ts';
import { agentWith, connectMcp, mcpServerWith } from '../support/n8n/aiTools.ts';
import { OPERATIONS, parametersOf } from '../support/operations';
import { useTestEnvironment } from '../workflows/environment.ts';
import { startStandInModel } from '../workflows/standInModel.ts';

const exchanges: Exchange[] = [];

const environment = useTestEnvironment(() => ({
	keyScope: 'customer',
	onExchange: (exchange) => exchanges.push(exchange),
}));

/** The sandbox has payments around now; the range is longer than a year. */
const range = { from: '={{ $now.minus({ months: 14 }) }}', to: '={{ $now.plus({ months: 1 }) }}' };

const start = () => node('Start', 'n8n-nodes-base.manualTrigger');

/** A node for each operation; the card that all of them use is archived by the last one. */
async function makeNodes() {
	const { n8n, company } = environment();
	const credential = await addApiCredential(n8n, company, { sensitiveDetails: true });
	const nodes = OPERATIONS.map(({ name, operation, parameters }, index) => {
		const position = [operation === 'archive' ? 10_000 : index * 200, 0];
		const settings = { onError: 'continueErrorOutput', position };
		const own = 'from' in parameters ? { ...parameters, ...range } : parameters;
		return cardNode(name, own, credential, settings);
	});
	return nodes;
}

type Json = Record<string, unknown>;

/** All records that the API responded with: those of lists, and everything else as it is. */
const recordsOf = (all: Exchange[]) =>
	all.flatMap(({ responseBody }) => {
		const body = JSON.parse(responseBody === '' ? '{}' : responseBody) as Json | Json[];
		return Array.isArray(body) ? body : ((body.data as Json[] | undefined) ?? [body]);
	});

describe('every operation, in one execution', () => {
	let execution: Execution;
	let sent: Exchange[];

	beforeAll(async () => {
		const { n8n } = environment();
		const nodes = await makeNodes();
		const connections = nodes.map(({ name }) => ['Start', name] as const);
		const id = await n8n.addWorkflow(workflowOf('Operations', [start(), ...nodes], connections));
		exchanges.splice(0);
		execution = await n8n.run(id, 'Start');
		sent = exchanges.splice(0);
	});

	it.each(OPERATIONS)('$name outputs what the API responds', ({ name }) => {
		const { error, outputs } = outputOf(execution, name);
		expect([error, outputs[1] ?? []]).toEqual([undefined, []]);
		const items = (outputs[0] ?? []) as Json[];
		expect(items).not.toEqual([]);
		// Some operations add fields, and some leave some out.
		const isOf = (item: Json) => (record: Json) => {
			const shared = Object.keys(record).filter((key) => key in item);
			const isSame = (key: string) => JSON.stringify(item[key]) === JSON.stringify(record[key]);
			return shared.length > 0 && shared.every(isSame);
		};
		const records = recordsOf(sent);
		for (const item of items) {
			if (item.sums !== undefined)
				expect(item).toEqual({ count: expect.any(Number), sums: expect.any(Object) });
			else if (item.success === undefined) expect(records.find(isOf(item))).toBeDefined();
			else expect(item).toMatchObject({ success: true });
		}
	});
});

/** Runs one operation alone. */
async function run(name: string, more = {}) {
	const { n8n, company } = environment();
	const credential = await addApiCredential(n8n, company);
	const operation = cardNode('Card Platform', parametersOf(name, more), credential);
	const id = await n8n.addWorkflow(workflowOf(name, [start(), operation]));
	return outputOf(await n8n.run(id, 'Start'), 'Card Platform');
}

/** What of Test API's items reaches whoever called it as a tool. */
const ITEMS = /Does pageSize work\?.*as assumed.*asked for 3 with pageSize/;

async function testApiTool() {
	const { n8n, company } = environment();
	const credential = await addApiCredential(n8n, company);
	const step = cardNode('Test_API', parametersOf('connection/testApi'), credential);
	return { ...step, type: cardPlatform.tool };
}

test('Test API as a tool of an AI agent returns its items', async () => {
	const { n8n } = environment();
	await using cleanup = new AsyncDisposableStack();
	const model = await startStandInModel();
	cleanup.defer(() => model.close());
	const provider = await n8n.addCredential('openAiApi', { apiKey: 'none', url: model.url });
	const version = n8nIsSince('2') ? 3.1 : 3;
	const { nodes, connections } = agentWith(await testApiTool(), provider, version);
	model.willCall({ name: 'Test_API', arguments: {} });
	const id = await n8n.addWorkflow(workflowOf('Agent', [start(), ...nodes], connections));
	await n8n.run(id, 'Start');
	expect(JSON.stringify(model.asked.at(-1)?.messages)).toMatch(ITEMS);
});

test('Test API as a tool of the MCP Server Trigger returns its items', async () => {
	const { n8n } = environment();
	await using cleanup = new AsyncDisposableStack();
	const path = randomUUID();
	const { nodes, connections } = mcpServerWith(await testApiTool(), path);
	await n8n.addAndPublish(workflowOf('MCP', nodes, connections));
	const client = await connectMcp(n8n, path);
	cleanup.defer(() => client.close());
	const result = await client.callTool({ name: 'Test_API', arguments: {} });
	expect(JSON.stringify(result)).toMatch(ITEMS);
});

test('filters that one expression sets are an error, not no filter', async () => {
	const { error } = await run('card/getAll', { filters: '={{ {"status": ["frozen"]} }}' });
	expect(error).toContain('Filters is set by one expression');
});
