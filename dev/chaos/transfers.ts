import {
	cardNode,
	splitOutNode,
	webhookNode,
	webhookPathOf,
	workflowOf,
} from '../harness/n8n/workflow.ts';
import { waitUntil } from '../harness/tools/waiting.ts';
import { type Reaction, startTransferApi, transferParameters } from '../harness/transferApi.ts';
import { type CheckContext, crash } from './cluster.ts';
import { tableOf } from './table.ts';

/** How many items a batch has, and how many of them were sent when the worker is killed. */
const batch = { items: 30, sent: 7 };

/**
 * Kills the workers in the middle of a batch of transfers, then does what docs/transfers.md says: the whole
 * batch is sent again.
 *
 * @returns whether the batch became one transfer for each item
 */
export async function proveKilledTransfers({
	report,
	cleanup,
	cluster: { main, webhooks, workers },
}: CheckContext): Promise<boolean> {
	const api = await startTransferApi();
	cleanup.defer(api.close);
	const baseUrl = `${api.url}/v1/public`;
	const key = { baseUrl, apiKey: 'key', keyScope: 'customer', accountId: '1001' };
	const credential = await main.addCredential('cardPlatformApi', key);
	const workflow = workflowOf('Transfers', [
		webhookNode('Start', { responseMode: 'lastNode' }),
		splitOutNode('Items', 'body.items'),
		cardNode('Transfer', transferParameters, credential),
	]);
	await main.addAndPublish(workflow);
	const items = Array.from({ length: batch.items }, (_, index) => ({
		amount: '5.00',
		invoice: `INV-${index + 1}`,
	}));
	const post = async () => {
		const response = await fetch(`${webhooks[0].process.url}/webhook/${webhookPathOf(workflow)}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ items }),
		});
		return response.status;
	};
	api.plan(...Array<Reaction>(batch.sent - 1).fill('answer'), 'hang');
	const response = post();
	const isSent = () => api.transfers.size === batch.sent;
	await waitUntil(isSent, { what: 'the first transfers', withinMs: 60_000 });
	await Promise.all(workers.map((worker) => crash(report, worker)));
	const status = await response;
	await post();
	report(
		tableOf([
			['transfers of a batch, when its worker was killed', `${batch.sent} of ${batch.items}`],
			['the response', status],
			['after the whole batch was sent again', api.transfers.size],
		]),
	);
	return api.transfers.size === batch.items;
}
