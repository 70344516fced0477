import { randomUUID } from 'node:crypto';

import type { N8nClient, StoredCredential } from '../../dev/harness/n8n/client.ts';
import type { ExecutedNode, Execution } from '../../dev/harness/n8n/executions.ts';
import {
	node,
	type NodeOptions,
	triggerNode,
	type Workflow,
	workflowOf,
} from '../../dev/harness/n8n/workflow.ts';
import { signedDelivery } from '../../dev/harness/signing.ts';

/** The signing secret of the deliveries. */
export const secret = 'the-signing-secret';

/** A node that stands between the trigger and the node after it. */
export interface NodeBetween extends NodeOptions {
	type: string;
}

/** A workflow of the trigger, a node between, and one named `Downstream`. */
export function newWorkflow(
	credential: StoredCredential | undefined,
	parameters: object = {},
	{ type, ...options }: NodeBetween = { type: 'n8n-nodes-base.noOp' },
): Workflow {
	const between = node('Between', type, { webhookId: randomUUID(), ...options });
	const downstream = node('Downstream', 'n8n-nodes-base.noOp');
	const trigger = triggerNode('Trigger', credential, parameters);
	return workflowOf(randomUUID(), [trigger, between, downstream]);
}

/** Posts a body; gives status and text of the response. */
export async function post(
	to: string,
	headers: Record<string, string> | [string, string][],
	body?: string | Uint8Array<ArrayBuffer>,
) {
	const response = await fetch(to, { method: 'POST', headers, body: body ?? null });
	return { status: response.status, text: await response.text() };
}

/** Delivers an event to a published workflow. */
export async function send(n8n: N8nClient, workflow: Workflow, event: object) {
	const { headers, body } = signedDelivery(event, secret);
	return await post(n8n.webhookUrl(workflow), headers, new Uint8Array(body));
}

/** A declined purchase of 12.50. */
export const declinedEvent = () => ({ id: randomUUID(), amount: '12.50', isSuccess: false });

/** What became of a node in executions that it took part in. */
export const runsOf = (executions: Execution[], name: string): ExecutedNode[] =>
	executions.flatMap(({ nodes }) => nodes.filter((each) => each.name === name));
