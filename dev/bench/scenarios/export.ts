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
import { API_PATH, apiKey, roundTripMs } from '../server/api.ts';
import { startServer } from '../server/start.ts';

/** The API over plain HTTP, or over TLS and a network. */
interface Network {
	url: string;
	/** The certificate to trust. */
	certificate?: string;
	credential: BenchCredential;
	/** Names a setting with this latency of the API. */
	settingOf: (latencyMs: number) => string;
	/** All transactions, with this node. */
	ours: Workflow;
	/** The same with the HTTP Request node, which reads one page after the other. */
	http: Workflow;
}

const wholeWorkflow = 'whole workflow, ms';
const connections = 6;
const undici = `undici, ${connections} pages at a time`;

/** All of a long list: with this node, with the HTTP Request node, and without n8n. */
export async function exportAll(context: BenchContext): Promise<Scenario> {
	const server = await startServer(context);
	const plain = networkTo(server.plainUrl, 'plain', (ms) => `${ms} ms latency`);
	const tls = {
		...networkTo(server.tlsUrl, 'tls', (ms) => `${ms} ms latency, TLS`),
		certificate: server.certificate,
	};
	const bench = await startBenchN8n(context, {
		name: 'actions',
		credentials: [headerCredential, plain.credential, tls.credential],
		workflows: [plain, tls].flatMap(({ ours, http }) => [ours, http]),
		settings: { NODE_EXTRA_CA_CERTS: server.certificateFile },
	});
	const transactions = 20_000;

	const contendersOf = (network: Network, latencyMs: number): Contender[] => {
		const contender = (name: string, work: Contender['run']): Contender => ({
			setting: network.settingOf(latencyMs),
			name,
			run: async () => {
				await server.set({ transactions, latencyMs });
				return work();
			},
		});
		const contenderOf = (workflow: Workflow) =>
			contender(workflow.name, async () => {
				const { failed, items, tookMs } = await run(bench, workflow);
				const message = `${workflow.name} returned ${items} items, not ${transactions}`;
				assert(!failed && items === transactions, message);
				return { [wholeWorkflow]: tookMs };
			});
		return [
			contenderOf(network.ours),
			contenderOf(network.http),
			contender(undici, async () => {
				const tookMs = await readWithUndici(network, transactions);
				return { [wholeWorkflow]: tookMs };
			}),
		];
	};
	const [ours, http] = [plain.ours.name, plain.http.name];
	const remote = tls.settingOf(20);
	return {
		title: `Export: all of ${transactions} transactions, ${transactions / 100} pages`,
		about: `A workflow of a Webhook node and Transaction → Get Many with Return All, compared with the HTTP Request node (its pagination, then Split Out), and with undici without n8n. The API responds after the latency; with TLS, there is a network with a round trip of ${roundTripMs} ms between.`,
		rounds: 3,
		measures: [wholeWorkflow],
		reference: ours,
		contenders: [
			...contendersOf(plain, 0),
			...contendersOf(plain, 20),
			...contendersOf(plain, 100),
			...contendersOf(tls, 20),
		],
		goals(medianOf) {
			const faster = (setting: string, wanted: number) => ({
				says: `times faster than HTTP Request: ${setting}`,
				value: medianOf(setting, http, wholeWorkflow) / medianOf(setting, ours, wholeWorkflow),
				bound: 'at least' as const,
				wanted,
			});
			return [
				faster(remote, 12),
				{
					says: `time over that of undici: ${remote}`,
					value: medianOf(remote, ours, wholeWorkflow) / medianOf(remote, undici, wholeWorkflow),
					bound: 'at most',
					wanted: 1.1,
				},
				faster(plain.settingOf(0), 2.3),
				faster(plain.settingOf(20), 7),
				faster(plain.settingOf(100), 12),
			];
		},
	};
}

/**
 * Reads all transactions without n8n, over connections that stay open: the least that reading can cost.
 * Returns the time it took in ms. Throws if there are others than wanted.
 */
async function readWithUndici({ url, certificate }: Network, wanted: number): Promise<number> {
	const connect = certificate === undefined ? {} : { ca: certificate };
	const pool = new Pool(new URL(url).origin, { connections, connect });
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
	assert.equal(items.length, wanted);
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

/** The credential of the HTTP Request node. */
const headerCredential: BenchCredential = {
	name: 'header',
	type: 'httpHeaderAuth',
	data: { name: 'Authorization', value: `Bearer ${apiKey}` },
};

/** A workflow that responds once all of it has run. */
function workflowFor(name: string, ...nodes: WorkflowNode[]): Workflow {
	const start = webhookNode('Start', { responseMode: 'lastNode', responseData: 'noData' });
	return workflowOf(name, [start, ...nodes]);
}

function networkTo(url: string, name: string, settingOf: Network['settingOf']): Network {
	const credential = {
		name,
		type: 'cardPlatformApi',
		data: { baseUrl: url, apiKey, keyScope: 'account', readOnly: false, advanced: false },
	};
	const getAll = { resource: 'transaction', operation: 'getAll', returnAll: true };
	const ours = workflowFor('this node', cardNode('Card Platform', getAll, credential));
	const pages = node('HTTP Request', 'n8n-nodes-base.httpRequest', {
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
	});
	const split = splitOutNode('Split Out', 'data');
	const http = workflowFor('HTTP Request + Split Out', pages, split);
	return { url, credential, settingOf, ours, http };
}

const nextPageUntilTheLast = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.page >= $response.body.totalPages }}',
	requestInterval: 0,
};
