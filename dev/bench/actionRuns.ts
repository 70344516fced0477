import { request } from 'undici';

import {
	cardNode,
	node,
	splitOutNode,
	webhookNode,
	type Workflow,
	type WorkflowNode,
	workflowOf,
} from '../harness/n8n/workflow.ts';
import { type BenchCredential, type BenchN8n, startBenchN8n } from './n8n.ts';
import type { BenchContext } from './scenario.ts';
import { apiKey } from './server/api.ts';
import { type BenchServer, startServer } from './server/start.ts';

/** A workflow that calls the API. */
export interface Task {
	name: string;
	workflow: Workflow;
}

/** The API over plain HTTP, or over TLS and a network. */
export interface Network {
	url: string;
	/** The certificate to trust. */
	certificate?: string;
	credential: BenchCredential;
	/** Names a setting with this latency of the API. */
	settingOf: (latencyMs: number) => string;
	tasks: ReturnType<typeof tasksFor>;
}

/** What the scenarios of the action node share. */
interface ActionBench extends BenchN8n {
	server: BenchServer;
	plain: Network;
	tls: Network;
}

let started: Promise<ActionBench> | undefined;

/** Starts an n8n that has all workflows for the action node; the scenarios share it. */
export async function startActionBench(context: BenchContext): Promise<ActionBench> {
	return (started ??= start(context));
}

async function start(context: BenchContext): Promise<ActionBench> {
	const server = await startServer(context);
	const plain = networkTo(server.plainUrl, 'plain', (ms) => `${ms} ms latency`);
	const tls = {
		...networkTo(server.tlsUrl, 'tls', (ms) => `${ms} ms latency, TLS`),
		certificate: server.certificate,
	};
	const n8n = await startBenchN8n(context, {
		name: 'actions',
		credentials: [headerCredential, plain.credential, tls.credential],
		workflows: [plain, tls].flatMap(({ tasks }) =>
			Object.values(tasks).map(({ workflow }) => workflow),
		),
		settings: { NODE_EXTRA_CA_CERTS: server.certificateFile },
	});
	return { ...n8n, server, plain, tls };
}

/** One execution of a workflow. */
interface Run {
	failed: boolean;
	/** How many items its last node returned. */
	items: number;
	tookMs: number;
}

/** Runs a workflow once, as a production execution that a JSON body starts, and waits for its end. */
export async function run(
	{ n8n, executions }: ActionBench,
	{ workflow }: Task,
	input: object,
): Promise<Run> {
	const { total } = executions.count(workflow.id);
	const response = await request(n8n.webhookUrl(workflow), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(input),
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	await response.body.dump();
	await executions.waitForEnded(workflow.id, total + 1);
	const { id, status, tookMs } = executions.latest(workflow.id);
	const { nodes } = await n8n.execution(id);
	const last = nodes.find(({ name }) => name === workflow.nodes.at(-1)?.name);
	return {
		failed: status !== 'success',
		items: last?.items.length ?? 0,
		tookMs,
	};
}

/** The credential of the HTTP Request node. */
const headerCredential: BenchCredential = {
	name: 'header',
	type: 'httpHeaderAuth',
	data: { name: 'Authorization', value: `Bearer ${apiKey}` },
};

function networkTo(url: string, name: string, settingOf: Network['settingOf']): Network {
	const credential = {
		name,
		type: 'cardPlatformApi',
		data: { baseUrl: url, apiKey, keyScope: 'account', readOnly: false, advanced: false },
	};
	return { url, credential, settingOf, tasks: tasksFor(url, credential) };
}

/** A workflow that responds once all of it has run. */
function workflowFor(name: string, ...nodes: WorkflowNode[]): Workflow {
	const start = webhookNode('Start', { responseMode: 'lastNode', responseData: 'noData' });
	return workflowOf(name, [start, ...nodes]);
}

const cards = () => splitOutNode('Cards', 'body.cards');
const cardId = "$json['body.cards']";

/** The workflows that call the API at `url`. */
function tasksFor(url: string, credential: BenchCredential) {
	const ours = (parameters: object) => cardNode('Card Platform', parameters, credential);
	const http = (parameters: object) =>
		node('HTTP Request', 'n8n-nodes-base.httpRequest', {
			typeVersion: 4.2,
			parameters: {
				authentication: 'genericCredentialType',
				genericAuthType: 'httpHeaderAuth',
				...parameters,
			},
			credential: headerCredential,
		});
	const freeze = { method: 'POST', url: `=${url}/cards/{{ ${cardId} }}/freeze` };
	return {
		/** All transactions, with this node. */
		exportOurs: {
			name: 'this node',
			workflow: workflowFor(
				'export',
				ours({ resource: 'transaction', operation: 'getAll', returnAll: true }),
			),
		},
		/** The same with the HTTP Request node, which reads one page after the other. */
		exportHttp: {
			name: 'HTTP Request + Split Out',
			workflow: workflowFor(
				'export, HTTP Request',
				http({
					url: `${url}/transactions`,
					sendQuery: true,
					queryParameters: { parameters: [{ name: 'pageSize', value: '100' }] },
					options: { pagination: { pagination: nextPageUntilTheLast } },
				}),
				splitOutNode('Split Out', 'data'),
			),
		},
		/** Each card of a list frozen, with this node. */
		freezeOurs: {
			name: 'this node',
			workflow: workflowFor(
				'freeze',
				cards(),
				ours({
					resource: 'card',
					operation: 'freeze',
					// As the documents advise for many cards: HTTP Request reads none before, either.
					includeDetails: false,
					cardId: { __rl: true, mode: 'id', value: `={{ ${cardId} }}` },
				}),
			),
		},
		/** The same with the HTTP Request node. */
		freezeHttp: {
			name: 'HTTP Request',
			workflow: workflowFor('freeze, HTTP Request', cards(), http(freeze)),
		},
	} satisfies Record<string, Task>;
}

const nextPageUntilTheLast = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.page >= $response.body.totalPages }}',
	requestInterval: 0,
};
