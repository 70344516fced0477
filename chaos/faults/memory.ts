import { randomUUID } from 'node:crypto';

import type { N8n } from '../../harness/n8n/n8n.ts';
import { triggerNode, workflowOf } from '../../harness/n8n/workflow.ts';
import { realisticEvent } from '../../harness/scenario/realisticEvent.ts';
import { deliver, signedDelivery } from '../../harness/signing.ts';
import type { Reporter } from '../../harness/tools/terminal.ts';
import { openHeap } from './heap.ts';

/** Deliveries of one batch, and how many are under way at a time. */
const batch = { size: 100, inFlight: 8 };
/** What n8n loads and compiles for its first deliveries is no leak. */
const warmUpBatches = 2;
const batches = 6;
/** By so much the memory may grow after the warm-up. */
const mostGrowth = 0.05;

/**
 * Delivers genuine and forged events to a trigger.
 *
 * @param inspectorPort of n8n
 * @returns whether n8n's memory after garbage collection has stopped growing
 */
export async function proveMemory(
	reporter: Reporter,
	n8n: N8n,
	inspectorPort: number,
): Promise<boolean> {
	const signingSecret = randomUUID();
	const signing = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret });
	const workflow = workflowOf('Memory', [
		triggerNode('Trigger', signing, { responseMode: 'lastNode' }),
	]);
	await n8n.addAndPublish(workflow);
	const heap = await openHeap(inspectorPort);
	const sizes: number[] = [];
	for (let number = 0; number < batches; number++) {
		const queue = Array.from({ length: batch.size }, (_, index) =>
			signedDelivery(realisticEvent(), index % 4 === 0 ? 'a guess' : signingSecret),
		).values();
		const send = async () => {
			for (const delivery of queue) await deliver(n8n.webhookUrl(workflow), delivery);
		};
		await Promise.all(Array.from({ length: batch.inFlight }, send));
		sizes.push(await heap.collectedMb());
	}
	heap.close();
	const [warm = 0, ...later] = sizes.slice(warmUpBatches - 1);
	const growth = Math.min(...later.slice(-2)) / warm - 1;
	reporter.line(
		`Memory after each ${batch.size} deliveries: ${sizes.map((mb) => mb.toFixed(1)).join(', ')} MB`,
	);
	return growth <= mostGrowth;
}
