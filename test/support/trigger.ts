import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import express from 'express';
import { ExecuteContext, WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeParameters,
	IWebhookData,
	IWebhookResponseData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

import { createNode, type Credentials } from '../../dev/harness/core/credentials.ts';
import { createAdditionalData, knownNodeTypes } from '../../dev/harness/core/runNode.ts';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';

/** The trigger behind a real HTTP server, in n8n-core's own webhook context. */
export type TestTrigger = Awaited<ReturnType<typeof startTrigger>>;

/** What a test may change about the workflow around the trigger; the mode also while it runs. */
export interface TriggerOptions {
	parameters?: INodeParameters;
	mode?: WorkflowExecuteMode;
	node?: Partial<INode>;
	/** Is shown each request's context before the trigger. */
	onContext?: (context: WebhookContext) => void;
	/** True: the body cannot be read, as n8n does with multipart ones. */
	isUnreadable?: boolean;
	/** Status that n8n answers an accepted delivery with. */
	handOver?: () => number;
}

/** A separate workflow that consists of the trigger. */
export function createTriggerWorkflow(node: INode): Workflow {
	return new Workflow({
		id: randomUUID(),
		name: 'Cards',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: knownNodeTypes,
	});
}

/** The context of a trigger's execute(), as the first step of an execution that its items have started. */
export function createFirstStep(
	workflow: Workflow,
	node: INode,
	credentials: Credentials,
	mode: WorkflowExecuteMode,
	items: IDataObject[],
): ExecuteContext {
	const input = items.map((json) => ({ json }));
	const data = { main: [input] };
	return new ExecuteContext(
		workflow,
		node,
		createAdditionalData(credentials),
		mode,
		createRunExecutionData(),
		0,
		input,
		data,
		{ node, data, source: null },
		[],
	);
}

/**
 * Starts the trigger, in a separate workflow.
 *
 * @param credentials a function is asked anew for every request
 */
export async function startTrigger(credentials: () => Credentials, options: TriggerOptions = {}) {
	const { parameters = {}, node: more, handOver = () => 200 } = options;
	/** What the trigger gave to n8n, request by request. */
	const results: IWebhookResponseData[] = [];
	const trigger = new CardPlatformTrigger();
	const node = createNode('cardPlatformTrigger', parameters, more);
	const workflow = createTriggerWorkflow(node);

	const app = express();
	app.post('/', async (request, response) => {
		request.readRawBody = async () => {
			if (options.isUnreadable === true) throw new Error('not readable');
			request.rawBody = await buffer(request);
		};
		const additionalData = {
			...createAdditionalData(credentials()),
			httpRequest: request,
			httpResponse: response,
		};
		const webhookData: IWebhookData = {
			httpMethod: 'POST',
			node: node.name,
			path: '',
			webhookDescription: { httpMethod: 'POST', name: 'default', path: 'webhook' },
			workflowId: workflow.id,
			workflowExecuteAdditionalData: additionalData,
		};
		const { mode = 'webhook' } = options;
		const context = new WebhookContext(workflow, node, additionalData, mode, webhookData, [], null);
		options.onContext?.(context);
		const result = await trigger.webhook.call(context);
		results.push(result);
		if (result.noWebhookResponse !== true) response.status(handOver()).end();
	});

	const server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		workflowId: workflow.id,
		results,
		close: async () => {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}
