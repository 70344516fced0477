import { newId } from '../../harness/n8n/workflow.ts';

/** A credential that n8n holds. */
export interface Held {
	id: string;
	name: string;
}

/** A workflow that does something on the API for each item of a list that is posted to it. */
export interface ListWorkflow {
	id: string;
	/** The path of its webhook, below n8n's address. */
	path: string;
	workflow: object;
}

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
export function transfers(credential: Held, from: number, to: number): ListWorkflow {
	const amount = '={{ $json.amount }}';
	const accounts = { accountId: String(from), toAccountId: String(to) };
	return listWorkflow('Transfers', credential, {
		parameters: { resource: 'account', operation: 'transfer', ...accounts, amount },
		settings: { retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 },
		loops: false,
	});
}

/** Freezes the card `cardId`, for each item; what fails is tried again, by a loop from the error output. */
export function freezes(credential: Held): ListWorkflow {
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

function listWorkflow(name: string, { id, ...held }: Held, work: Work): ListWorkflow {
	const [workflowId, webhookId] = [newId(), newId()];
	const node = (key: string, type: string, typeVersion: number, more: object) => {
		return { id: `${workflowId}-${key}`, name: key, type, typeVersion, position: [0, 0], ...more };
	};
	const to = (key: string) => [{ node: key, type: 'main', index: 0 }];
	const workflow = {
		id: workflowId,
		name,
		nodes: [
			node('List', 'n8n-nodes-base.webhook', 2, {
				webhookId,
				parameters: { httpMethod: 'POST', path: webhookId, options: {} },
			}),
			node('Items', 'n8n-nodes-base.splitOut', 1, {
				parameters: { fieldToSplitOut: 'body.items', options: {} },
			}),
			node(workNode, 'n8n-nodes-card-platform.cardPlatform', 1, {
				parameters: work.parameters,
				credentials: { cardPlatformApi: { id, ...held } },
				...work.settings,
			}),
		],
		connections: {
			List: { main: [to('Items')] },
			Items: { main: [to(workNode)] },
			...(work.loops && { [workNode]: { main: [[], to(workNode)] } }),
		},
		settings: { executionOrder: 'v1' },
	};
	return { id: workflowId, path: `webhook/${webhookId}`, workflow };
}
