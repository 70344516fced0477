import assert from 'node:assert/strict';

import { Pool, request } from 'undici';

import {
	cardNode,
	node,
	splitOutNode,
	webhookNode,
	type Workflow,
	type WorkflowNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { type BenchCredential, type BenchN8n, startBenchN8n } from '../n8n.ts';
import type { BenchContext, Contender, Scenario } from '../scenario.ts';
import { API_PATH, apiKey, latencyMs, roundTripMs, transactions } from '../server/api.ts';
import { startServer } from '../server/start.ts';

const setting = `${latencyMs} ms latency, TLS`;
const wholeWorkflow = 'whole workflow, ms';
const connections = 6;
const undici = `undici, ${connections} pages at a time`;

/** All of a long list: with this node, with the HTTP Request node, and without n8n. */
export async function exportAll(context: BenchContext): Promise<Scenario> {
	const server = await startServer(context);
	const credential = {
		name: 'api',
		type: 'cardPlatformApi',
		data: { baseUrl: server.url, apiKey, keyScope: 'account', readOnly: false, advanced: false },
	};
	const getAll = { resource: 'transaction', operation: 'getAll', returnAll: true };
	const ours = workflowFor('this node', cardNode('Card Platform', getAll, credential));
	const http = workflowFor('HTTP Request + Split Out', ...requestNodes(server.url));
	const bench = await startBenchN8n(context, {
		name: 'actions',
		credentials: [headerCredential, credential],
		workflows: [ours, http],
		settings: { NODE_EXTRA_CA_CERTS: server.certificateFile },
	});
	const contenderOf = (workflow: Workflow): Contender => ({
		setting,
		name: workflow.name,
		run: async () => {
			const { failed, items, tookMs } = await run(bench, workflow);
			const message = `${workflow.name} returned ${items} items, not ${transactions}`;
			assert(!failed && items === transactions, message);
			return { [wholeWorkflow]: tookMs };
		},
	});
	return {
		title: `Export: all of ${transactions} transactions, ${transactions / 100} pages`,
		about: `A workflow of a Webhook node and Transaction → Get Many with Return All, compared with the HTTP Request node (its pagination, then Split Out), and with undici without n8n. The API responds after the latency; the network between has a round trip of ${roundTripMs} ms.`,
		rounds: 3,
		measures: [wholeWorkflow],
		reference: ours.name,
		contenders: [
			contenderOf(ours),
			contenderOf(http),
			{
				setting,
				name: undici,
				run: async () => ({ [wholeWorkflow]: await readWithUndici(server) }),
			},
		],
		goals(medianOf) {
			const took = (name: string) => medianOf(setting, name, wholeWorkflow);
			return [
				{
					says: `times faster than HTTP Request: ${setting}`,
					value: took(http.name) / took(ours.name),
					bound: 'at least',
					wanted: 12,
				},
				{
					says: `time over that of undici: ${setting}`,
					value: took(ours.name) / took(undici),
					bound: 'at most',
					wanted: 1.1,
				},
			];
		},
	};
}

/**
 * Reads all transactions without n8n, over connections that stay open: the least that reading can cost.
 * Returns the time it took in ms. Throws if there are others than wanted.
 */
async function readWithUndici({ url, certificate }: { url: string; certificate: string }) {
	const pool = new Pool(new URL(url).origin, { connections, connect: { ca: certificate } });
	const read = async (page: number) => {
		const { body } = await pool.request({
			path: `${API_PATH}/transactions?page=${page}&pageSize=100`,
			method: 'GET',
			headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
		});
		return (await body.json()) as { data: unknown[]; totalPages: number };
	};
	const startedAt = performance.now();
	const { data: items, totalPages } = await read(1);
	const rest = Array.from({ length: totalPages - 1 }, (_, index) => index + 2).values();
	const reader = async () => {
		for (const page of rest) items.push(...(await read(page)).data);
	};
	await Promise.all(Array.from({ length: connections }, reader));
	const tookMs = performance.now() - startedAt;
	await pool.close();
	assert.equal(items.length, transactions);
	return tookMs;
}

/** Runs a workflow once, as a production execution, and waits for its end. */
async function run({ n8n, executions }: BenchN8n, workflow: Workflow) {
	const { total } = executions.count(workflow.id);
	const response = await request(n8n.webhookUrl(workflow), {
		method: 'POST',
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	await response.body.dump();
	await executions.waitForEnded(workflow.id, total + 1);
	const { id, status, tookMs } = executions.latest(workflow.id);
	const { nodes } = await n8n.execution(id);
	const last = nodes.find(({ name }) => name === workflow.nodes.at(-1)?.name);
	return { failed: status !== 'success', items: last?.items.length ?? 0, tookMs };
}

/** A workflow that responds once all of it has run. */
function workflowFor(name: string, ...nodes: WorkflowNode[]): Workflow {
	const start = webhookNode('Start', { responseMode: 'lastNode', responseData: 'noData' });
	return workflowOf(name, [start, ...nodes]);
}

const headerCredential: BenchCredential = {
	name: 'header',
	type: 'httpHeaderAuth',
	data: { name: 'Authorization', value: `Bearer ${apiKey}` },
};

/** Reads one page after the other with the HTTP Request node, as it can do no better. */
const requestNodes = (url: string) => [
	node('HTTP Request', 'n8n-nodes-base.httpRequest', {
		typeVersion: 4.2,
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			url: `${url}/transactions`,
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'pageSize', value: '100' }] },
			options: { pagination: { pagination: nextPageUntilTheLast } },
		},
		credential: headerCredential,
	}),
	splitOutNode('Split Out', 'data'),
];

const nextPageUntilTheLast = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.page >= $response.body.totalPages }}',
	requestInterval: 0,
};
