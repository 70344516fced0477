import { buffer } from 'node:stream/consumers';

import express from 'express';
import { WebhookContext } from 'n8n-core';
import type { INodeParameters, IWebhookData, IWebhookResponseData } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { type Credentials, createAdditionalData, createNode, knownNodeTypes } from './n8n';

/** The trigger behind a real HTTP server, in n8n-core's own webhook context. */
export interface TestTrigger {
	url: string;
	/** What the trigger gave to n8n, request by request. */
	results: IWebhookResponseData[];
	close: () => Promise<void>;
}

/**
 * Starts the trigger.
 *
 * @param credentials a function is asked anew for every request
 */
export async function startTrigger(
	credentials: () => Credentials,
	parameters: INodeParameters = {},
): Promise<TestTrigger> {
	const results: IWebhookResponseData[] = [];
	const trigger = new CardPlatformTrigger();
	const node = createNode('cardPlatformTrigger', parameters);
	const workflow = new Workflow({
		id: 'workflow-1',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: knownNodeTypes,
	});

	const app = express();
	app.post('/', async (request, response) => {
		request.readRawBody = async () => {
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
		const context = new WebhookContext(
			workflow,
			node,
			additionalData,
			'webhook',
			webhookData,
			[],
			null,
		);
		const result = await trigger.webhook.call(context);
		results.push(result);
		if (result.noWebhookResponse !== true) response.status(200).end();
	});

	const server = app.listen(0, '127.0.0.1');
	await new Promise((done) => server.once('listening', done));
	const address = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('no port');
	return {
		url: `http://127.0.0.1:${address.port}/`,
		results,
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((done) => server.close(() => done()));
		},
	};
}
