import type { StoredCredential } from '../../harness/n8n/client.ts';
import {
	cardNode,
	type Connection,
	inARow,
	splitOutNode,
	webhookNode,
	type Workflow,
	workflowOf,
} from '../../harness/n8n/workflow.ts';

/** The node that does the work. */
export const workNode = 'Work';

/** What it does, and what n8n does when it fails. */
interface Work {
	parameters: object;
	settings: object;
	/** True: what failed goes into the same node again. */
	loops: boolean;
}

/** Transfers `amount` from one account to another, for each item; n8n's Retry On Fail is on. */
export function transfers(credential: StoredCredential, from: number, to: number): Workflow {
	const amount = '={{ $json.amount }}';
	const accounts = { accountId: String(from), toAccountId: String(to) };
	return listWorkflow('Transfers', credential, {
		parameters: { resource: 'account', operation: 'transfer', ...accounts, amount },
		settings: { retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 },
		loops: false,
	});
}

/** Freezes the card `cardId`, for each item; what fails is tried again, by a loop from the error output. */
export function freezes(credential: StoredCredential): Workflow {
	const value = "={{ $('Items').item.json.cardId }}";
	return listWorkflow('Freezes', credential, {
		parameters: {
			resource: 'card',
			operation: 'freeze',
			cardId: { __rl: true, mode: 'id', value },
		},
		settings: { onError: 'continueErrorOutput' },
		loops: true,
	});
}

function listWorkflow(name: string, credential: StoredCredential, work: Work): Workflow {
	const nodes = [
		webhookNode('List', { options: {} }),
		splitOutNode('Items', 'body.items'),
		cardNode(workNode, work.parameters, credential, work.settings),
	];
	const loop: Connection[] = work.loops ? [[workNode, workNode, { output: 1 }]] : [];
	return workflowOf(name, nodes, [...inARow(nodes.map((each) => each.name)), ...loop]);
}
