import { randomBytes } from 'node:crypto';

import type { N8nClient, StoredCredential } from '../../harness/n8n/client.ts';
import {
	node,
	triggerNode,
	webhookPathOf,
	type Workflow,
	type WorkflowNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { Option } from '../../harness/tools/commandLine.ts';
import type { Counter } from './counter.ts';

/** How the trigger responds: n8n's response modes. */
export type ResponseMode = 'onReceived' | 'lastNode';

/** `--respond`: when the trigger responds. */
export const respondOption = new Option(
	'--respond <when>',
	'when the trigger responds; immediately shows what a crash loses then (exit code 1)',
)
	.choices(['last-node', 'immediately'] as const)
	.default('last-node' as const);

/** n8n's response mode for a choice of {@link respondOption}. */
export const responseModeOf = (when: 'last-node' | 'immediately'): ResponseMode =>
	when === 'immediately' ? 'onReceived' : 'lastNode';

/** Makes the node that does the work of a workflow: it calls a URL for each item. */
export const countNode = (url: string): WorkflowNode =>
	node('Count', 'n8n-nodes-base.httpRequest', {
		typeVersion: 4.2,
		parameters: { method: 'POST', url: `=${url}`, options: {} },
	});

/** Makes a workflow that calls the counter once for each card event. */
export const countingWorkflow = (
	{ url }: Counter,
	responseMode: ResponseMode,
	credential?: StoredCredential,
): Workflow =>
	workflowOf('Count card events', [
		triggerNode('Trigger', credential, { responseMode }),
		countNode(`${url}/{{ $json.id }}`),
	]);

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
	const workflow = countingWorkflow(counter, mode, signing);
	const id = await n8n.addAndPublish(workflow);
	return { id, path: `webhook/${webhookPathOf(workflow)}`, secret };
}
