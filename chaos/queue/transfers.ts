import type { N8nClient } from '../../harness/n8n/client.ts';
import {
	cardNode,
	splitOutNode,
	webhookNode,
	webhookPathOf,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import type { Reporter } from '../../harness/tools/terminal.ts';
import {
	startTransferApi,
	type TransferApi,
	transferParameters,
} from '../../harness/transferApi.ts';

/** A published workflow that makes a transfer for each amount that is posted to it, with Retry On Fail. */
export interface Transfers {
	id: string;
	/** The path of its webhook, below an n8n's address. */
	path: string;
	api: TransferApi;
}

/** Starts an API that makes transfers, and publishes the workflow. */
export async function addTransfers(
	n8n: N8nClient,
	cleanup: AsyncDisposableStack,
): Promise<Transfers> {
	const api = await startTransferApi();
	cleanup.defer(api.close);
	const baseUrl = `${api.url}/v1/public`;
	const key = { baseUrl, apiKey: 'key', keyScope: 'customer', accountId: '1001' };
	const credential = await n8n.addCredential('cardPlatformApi', key);
	const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const workflow = workflowOf('Transfers', [
		webhookNode('Start', { responseMode: 'lastNode' }),
		splitOutNode('Items', 'body.items'),
		cardNode('Transfer', transferParameters, credential, retry),
	]);
	await n8n.addAndPublish(workflow);
	return { id: workflow.id, path: `webhook/${webhookPathOf(workflow)}`, api };
}

/**
 * Makes transfers while the connection to the API breaks, and retries an execution that failed.
 *
 * @param url of a webhook processor
 * @returns whether each item became exactly one transfer
 */
export async function proveTransfers(
	reporter: Reporter,
	main: N8nClient,
	url: string,
	{ id, path, api }: Transfers,
): Promise<boolean> {
	const items = ['5.00', '5.00', '6.00'].map((amount) => ({ amount }));
	const post = () =>
		fetch(`${url}/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ items }),
		});
	api.plan('dropAfter', 'dropAfter', 'dropAfter', 'dropAfter');
	await post();
	await main.waitForExecutions(id, 1);
	const afterDrops = api.transfers.size;

	// Refused at each attempt of n8n, so that the execution fails after its first transfer.
	api.plan('answer', 'reject400', 'answer', 'reject400');
	await post();
	const [failed] = await main.waitForExecutions(id, 2);
	await main.retry(failed, 'original workflow');
	const [retried] = await main.waitForExecutions(id, 3);
	const afterRetry = api.transfers.size - afterDrops;
	reporter.line(
		`   transfers for 3 items: ${afterDrops} with Retry On Fail after broken connections, ${afterRetry} with Executions → Retry`,
	);
	return (
		failed.status === 'error' &&
		retried.status === 'success' &&
		afterDrops === items.length &&
		afterRetry === items.length
	);
}
