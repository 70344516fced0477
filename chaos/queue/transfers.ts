import { newId } from '../../harness/n8n/workflow.ts';
import type { N8n } from '../../harness/n8n/n8n.ts';
import type { Cleanup } from '../../harness/tools/cleanup.ts';
import type { Teller } from '../../harness/tools/terminal.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { type Bank, startBank, transferParameters } from '../../harness/bank.ts';

/** A published workflow that makes a transfer for each amount that is posted to it, with Retry On Fail. */
export interface Transfers {
	id: string;
	/** The path of its webhook, below an n8n's address. */
	path: string;
	bank: Bank;
}

const credentialType = 'cardPlatformApi';

/** Gives an n8n that has not started the workflow, with a bank of this run. `cleanup` ends the bank. */
export async function addTransfers(n8n: N8n, cleanup: Cleanup): Promise<Transfers> {
	const bank = await startBank();
	cleanup.defer(() => bank.close());
	const [id, webhookId, credentialId] = [newId(), newId(), newId()];
	const data = { baseUrl: `${bank.url}/v1/public`, apiKey: 'key', keyScope: 'customer' };
	const credential = { id: credentialId, name: 'Bank', type: credentialType };
	await n8n.importCredentials([{ ...credential, data }]);
	const node = (name: string, type: string, typeVersion: number, more: object) => {
		return { id: `${id}-${name}`, name, type, typeVersion, position: [0, 0], ...more };
	};
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	await n8n.importWorkflow({
		id,
		name: 'Transfers',
		nodes: [
			node('Start', 'n8n-nodes-base.webhook', 2, {
				webhookId,
				parameters: { httpMethod: 'POST', path: webhookId, responseMode: 'lastNode' },
			}),
			node('Items', 'n8n-nodes-base.splitOut', 1, {
				parameters: { fieldToSplitOut: 'body.items' },
			}),
			node('Transfer', 'n8n-nodes-card-platform.cardPlatform', 1, {
				parameters: transferParameters,
				credentials: { [credentialType]: { id: credentialId, name: credential.name } },
				retryOnFail: true,
				maxTries: 2,
				waitBetweenTries: 1,
			}),
		],
		connections: { Start: to('Items'), Items: to('Transfer') },
		settings: { executionOrder: 'v1' },
	});
	await n8n.publishWorkflow(id);
	return { id, path: `webhook/${webhookId}`, bank };
}

/**
 * Makes transfers while the connection to the bank breaks, and retries an execution that failed.
 *
 * @param url of a webhook processor
 * @returns whether each item became exactly one transfer
 */
export async function proveTransfers(
	tell: Teller,
	main: N8n,
	url: string,
	{ id, path, bank }: Transfers,
): Promise<boolean> {
	const items = ['5.00', '5.00', '6.00'].map((amount) => ({ amount }));
	const post = () =>
		fetch(`${url}/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ items }),
		});
	const ended = async (count: number) =>
		waitUntil(
			async () => {
				const all = (await main.executions()).filter(({ workflowId }) => workflowId === id);
				return all.length >= count ? all[0] : undefined;
			},
			{ what: `the end of execution ${count} of the transfers`, withinMs: 120_000 },
		);

	bank.plan('drop', 'drop', 'drop', 'drop');
	await post();
	await ended(1);
	const afterDrops = bank.transfers.size;

	// Refused at each try of n8n, so that the execution fails after its first transfer.
	bank.plan('answer', 'refuse', 'answer', 'refuse');
	await post();
	const failed = await ended(2);
	await main.editorJson(`/rest/executions/${failed.id}/retry`, { loadWorkflow: false });
	const retried = await ended(3);
	const afterRetry = bank.transfers.size - afterDrops;
	tell.line(
		`   transfers for 3 items: ${afterDrops} with Retry On Fail after broken connections, ${afterRetry} with Executions → Retry`,
	);
	return (
		failed.status === 'error' &&
		retried.status === 'success' &&
		afterDrops === items.length &&
		afterRetry === items.length
	);
}
