import type { StoredCredential } from '../../harness/n8n/client.ts';
import {
	node,
	triggerNode,
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
