import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export const cardPlatform = {
	action: 'n8n-nodes-card-platform.cardPlatform',
	tool: 'n8n-nodes-card-platform.cardPlatformTool',
	trigger: 'n8n-nodes-card-platform.cardPlatformTrigger',
	pollingTrigger: 'n8n-nodes-card-platform.cardPlatformPollingTrigger',
};

const triggerVersion = 2;

/** How a node refers to a credential; without an id, n8n finds it by its type and name. */
export interface CredentialReference {
	type: string;
	name: string;
	id?: string;
}

/** A node as a workflow holds it, with settings such as `retryOnFail`. */
export interface WorkflowNode {
	name: string;
	type: string;
	[setting: string]: unknown;
}

/** A workflow as a file holds it: what a person imports, without the data of any n8n. */
export interface WorkflowFile {
	name: string;
	nodes: WorkflowNode[];
	[part: string]: unknown;
}

export type Workflow = WorkflowFile & { id: string };

/** The name of a node, the node after it, and how they are connected: `main` and output 0 by default. */
export type Connection = readonly [
	from: string,
	to: string,
	how?: { type?: string; output?: number },
];

/** What makes one node differ from another; other properties are settings, such as `retryOnFail`. */
export interface NodeOptions {
	typeVersion?: number;
	parameters?: object;
	credential?: CredentialReference | undefined;
	[setting: string]: unknown;
}

export async function readWorkflow(file: string): Promise<WorkflowFile> {
	return JSON.parse(await readFile(file, 'utf8')) as WorkflowFile;
}

/**
 * Does what a person does after importing a workflow: gives it an id, each trigger a webhook URL, and each
 * node of a type in `credentials` its credential. Two triggers of one type get different URLs.
 */
export function setUpWorkflow(
	workflow: WorkflowFile,
	credentials: Readonly<Record<string, CredentialReference>>,
	webhookId: string = randomUUID(),
): Workflow {
	const isFirst = ({ type, name }: WorkflowNode) =>
		workflow.nodes.find((other) => other.type === type)?.name === name;
	const nodes = workflow.nodes.map((each) => ({
		...each,
		...(each.type.endsWith('Trigger') && {
			webhookId: isFirst(each) ? webhookId : (each.webhookId ?? randomUUID()),
		}),
		...credentialsOf(credentials[each.type]),
	}));
	return { ...workflow, id: newId(), nodes };
}

export function node(
	name: string,
	type: string,
	{ typeVersion = 1, parameters = {}, credential, ...settings }: NodeOptions = {},
): WorkflowNode {
	return {
		name,
		type,
		typeVersion,
		parameters,
		...credentialsOf(credential),
		...settings,
	};
}

export function cardNode(
	name: string,
	parameters: object,
	credential?: CredentialReference,
	settings: object = {},
): WorkflowNode {
	return node(name, cardPlatform.action, { parameters, credential, ...settings });
}

/** Makes a Card Platform Trigger node; by default with a new webhook URL. */
export function triggerNode(
	name: string,
	credential?: CredentialReference,
	parameters: object = {},
	webhookId: string = randomUUID(),
): WorkflowNode {
	const typeVersion = triggerVersion;
	return node(name, cardPlatform.trigger, { typeVersion, webhookId, parameters, credential });
}

/** Makes a Webhook node for POST requests with a new URL. */
export function webhookNode(name: string, parameters: object = {}): WorkflowNode {
	const webhookId = randomUUID();
	return node(name, 'n8n-nodes-base.webhook', {
		typeVersion: 2.1,
		webhookId,
		parameters: { httpMethod: 'POST', path: webhookId, ...parameters },
	});
}

/** Makes a node that turns a list in a field of its input into items. */
export function splitOutNode(name: string, field: string): WorkflowNode {
	const parameters = { fieldToSplitOut: field, options: {} };
	return node(name, 'n8n-nodes-base.splitOut', { parameters });
}

/**
 * Makes a workflow; by default, each node is connected to the next. A node's id, which the editor's URLs
 * show, is its name.
 */
export function workflowOf(
	name: string,
	nodes: readonly WorkflowNode[],
	connections: readonly Connection[] = inARow(nodes.map((each) => each.name)),
	settings: object = { executionOrder: 'v1' },
): Workflow {
	const placed = nodes.map((each, index) => ({
		position: [index * 200, 0],
		...each,
		id: each.name,
	}));
	return { id: newId(), name, nodes: placed, connections: toJson(connections), settings };
}

export function inARow(names: readonly string[]): Connection[] {
	return names.slice(1).map((to, index): Connection => [names[index] ?? to, to]);
}

/** The id in the URLs of a workflow's webhook, form or chat: of its first node that has one. */
export function webhookIdOf({ nodes }: Pick<WorkflowFile, 'nodes'>): string {
	return firstWebhook(nodes).webhookId;
}

/** The path of a workflow's webhook, below `/webhook/` and `/webhook-test/`. */
export function webhookPathOf({ nodes }: Pick<WorkflowFile, 'nodes'>): string {
	const { webhookId, parameters } = firstWebhook(nodes);
	return parameters?.path ?? `${webhookId}/webhook`;
}

function firstWebhook(nodes: readonly WorkflowNode[]) {
	const first = nodes.find(({ webhookId }) => webhookId !== undefined);
	return first as unknown as { webhookId: string; parameters?: { path?: string } };
}

function toJson(connections: readonly Connection[]) {
	const json: Record<string, Record<string, object[][]>> = {};
	for (const [from, to, { type = 'main', output = 0 } = {}] of connections) {
		const outputs = ((json[from] ??= {})[type] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type, index: 0 });
	}
	return json;
}

function credentialsOf(credential: CredentialReference | undefined) {
	if (credential === undefined) return {};
	const { type, name, id = null } = credential;
	return { credentials: { [type]: { id, name } } };
}

/** An id as n8n makes them: 16 letters and digits. */
function newId(): string {
	return randomUUID().replaceAll('-', '').slice(0, 16);
}
