import type { N8nClient } from '../../harness/n8n/client.ts';
import {
	cardNode,
	splitOutNode,
	webhookNode,
	webhookPathOf,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { errorMessage } from '../../harness/tools/errors.ts';
import type { Reporter } from '../../harness/tools/terminal.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import {
	type Reaction,
	startTransferApi,
	type TransferApi,
	transferParameters,
} from '../../harness/transferApi.ts';
import type { CheckContext } from '../lib/check.ts';
import { crash } from '../lib/crashes.ts';
import { tableOf } from '../lib/table.ts';
import type { Cluster } from './cluster.ts';

/** A published workflow that makes a transfer for each amount that is posted to it, with Retry On Fail. */
export interface Transfers {
	id: string;
	/** The path of its webhook, below an n8n's address. */
	path: string;
	api: TransferApi;
}

/**
 * Starts an API that makes transfers, and publishes the workflow.
 *
 * @param options of the node; none by default
 */
export async function addTransfers(
	n8n: N8nClient,
	cleanup: AsyncDisposableStack,
	options: object = {},
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
		cardNode('Transfer', { ...transferParameters, options }, credential, retry),
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
	const post = () => postItems(`${url}/${path}`, items);
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

/** A key from the caller's data. */
const withKey = { idempotencyKey: '={{ $json.invoice }}' };

/** How many items a batch has, and how many of them were sent when the worker is killed. */
const batch = { items: 30, sent: 7 };

/**
 * Kills the workers in the middle of two batches of transfers, one with *Idempotency Key* and one without.
 * Then does what docs/transfers.md says: without a key, a retry moves nothing; with one, the whole batch is
 * sent again.
 *
 * @param url of a webhook processor
 * @returns whether the retry made no transfer, and the batch with keys became one transfer for each item
 */
export async function proveKilledTransfers(
	{ reporter, cleanup }: CheckContext,
	{ main, workers }: Cluster,
	url: string,
): Promise<boolean> {
	const keyless = await addTransfers(main, cleanup);
	const keyed = await addTransfers(main, cleanup, withKey);
	const items = Array.from({ length: batch.items }, (_, index) => ({
		amount: '5.00',
		invoice: `INV-${index + 1}`,
	}));
	const post = ({ path }: Transfers) => postItems(`${url}/${path}`, items);
	const both = [keyless, keyed];
	for (const { api } of both) {
		api.plan(...Array<Reaction>(batch.sent - 1).fill('answer'), 'hang');
	}
	const responses = both.map(post);
	const isSent = () => both.every(({ api }) => api.transfers.size === batch.sent);
	await waitUntil(isSent, { what: 'the first transfers', withinMs: 60_000 });
	await Promise.all(workers.map(({ name, process }) => crash(reporter, name, process)));
	const answers = await Promise.all(responses);

	const [interrupted] = await main.waitForExecutions(keyless.id, 1);
	const refusal = await main
		.retry(interrupted, 'original workflow')
		.then(async () => (await main.waitForExecutions(keyless.id, 2))[0].status, errorMessage);
	await post(keyed);
	reporter.line(
		tableOf([
			['transfers of a batch, when its worker was killed', `${batch.sent} of ${batch.items}`],
			['the responses', answers.join(' and ')],
			['without a key, after Executions → Retry', keyless.api.transfers.size],
			['n8n says', refusal],
			['with a key, after the whole batch was sent again', keyed.api.transfers.size],
		]),
	);
	return keyless.api.transfers.size === batch.sent && keyed.api.transfers.size === batch.items;
}

/** Posts items to a workflow; gives the status of its response. */
async function postItems(url: string, items: readonly object[]): Promise<number> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
	});
	return response.status;
}
