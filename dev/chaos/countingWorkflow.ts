import { randomBytes } from 'node:crypto';

import type { N8nClient } from '../harness/n8n/client.ts';
import { node, triggerNode, webhookPathOf, workflowOf } from '../harness/n8n/workflow.ts';
import type { Counter } from './counter.ts';

/** How the trigger responds: n8n's response modes. */
type ResponseMode = 'onReceived' | 'lastNode';

/** A published workflow that counts card events. */
export interface CountingWorkflow {
	id: string;
	/** The path of its webhook, below an n8n's address. */
	path: string;
	/** What deliveries are signed with. */
	secret: string;
}

/** Publishes a workflow that calls the counter once for each card event with a valid signature. */
export async function addCountingWorkflow(
	n8n: N8nClient,
	counter: Counter,
	mode: ResponseMode,
): Promise<CountingWorkflow> {
	const secret = randomBytes(24).toString('hex');
	const signing = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret: secret });
	const workflow = workflowOf('Count card events', [
		triggerNode('Trigger', signing, { responseMode: mode }),
		node('Count', 'n8n-nodes-base.httpRequest', {
			typeVersion: 4.2,
			parameters: { method: 'POST', url: `=${counter.url}/{{ $json.id }}`, options: {} },
		}),
	]);
	const id = await n8n.addAndPublish(workflow);
	return { id, path: `webhook/${webhookPathOf(workflow)}`, secret };
}
