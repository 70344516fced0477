import { randomBytes } from 'node:crypto';

import type { N8nClient } from '../../harness/n8n/client.ts';
import {
	newId,
	node,
	triggerNode,
	type WorkflowNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';

/** How the trigger responds: n8n's response modes. */
export type ResponseMode = 'onReceived' | 'lastNode';

/** A published workflow whose trigger takes card events. */
export interface CountingWorkflow {
	/** The path of its webhook, below an n8n's address. */
	path: string;
	/** What deliveries are signed with. */
	secret: string;
}

/** Makes the node that does the work of a workflow: it calls a URL for each item. */
export const countNode = (url: string): WorkflowNode =>
	node('Count', 'n8n-nodes-base.httpRequest', {
		typeVersion: 4.2,
		parameters: { method: 'POST', url: `=${url}`, options: {} },
	});

/** Publishes a workflow that calls `serviceUrl` once for each event. Throws if n8n refuses. */
export async function addCountingWorkflow(
	n8n: N8nClient,
	serviceUrl: string,
	{
		responseMode,
		secret = randomBytes(24).toString('hex'),
		webhookId = newId(),
	}: { responseMode: ResponseMode; secret?: string; webhookId?: string },
): Promise<CountingWorkflow> {
	const credential = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret: secret });
	const count = countNode(`${serviceUrl}/{{ $json.id }}`);
	const trigger = triggerNode('Trigger', credential, { responseMode }, webhookId);
	await n8n.addAndPublish(workflowOf('Count card events', [trigger, count]));
	return { path: `webhook/${webhookId}/webhook`, secret };
}
