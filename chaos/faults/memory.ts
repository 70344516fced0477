import { randomUUID } from 'node:crypto';
import { once } from 'node:events';

import { z } from 'zod';

import type { N8n } from '../../harness/n8n/n8n.ts';
import { triggerNode, workflowOf } from '../../harness/n8n/workflow.ts';
import { realisticEvent } from '../../harness/scenario/realisticEvent.ts';
import { deliver, signedDelivery } from '../../harness/signing.ts';
import type { Reporter } from '../../harness/tools/terminal.ts';

const batches = 6;
/** Deliveries of one batch, and how many are under way at a time. */
const batch = { size: 100, inFlight: 8 };
/** What n8n loads and compiles for its first deliveries is no leak. */
const warmUpBatches = 2;
/** By so much the memory may grow after the warm-up. */
const mostGrowth = 0.05;

/** The option that lets n8n be looked into, from this machine only. */
export const inspectAt = (port: number): string => `--inspect=127.0.0.1:${port}`;

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
	const trigger = triggerNode('Trigger', signing, { responseMode: 'lastNode' });
	const workflow = workflowOf('Memory', [trigger]);
	await n8n.addAndPublish(workflow);
	const url = n8n.webhookUrl(workflow);
	const sizes: number[] = [];
	for (let number = 0; number < batches; number++) {
		const queue = Array.from({ length: batch.size }, (_, index) =>
			signedDelivery(realisticEvent(), index % 4 === 0 ? 'a guess' : signingSecret),
		).values();
		const send = async () => {
			for (const delivery of queue) await deliver(url, delivery);
		};
		await Promise.all(Array.from({ length: batch.inFlight }, send));
		sizes.push(await collectedMb(inspectorPort));
	}
	const [warm = 0, ...later] = sizes.slice(warmUpBatches - 1);
	const growth = Math.min(...later.slice(-2)) / warm - 1;
	const each = sizes.map((mb) => mb.toFixed(1)).join(', ');
	reporter.line(`Memory after each ${batch.size} deliveries: ${each} MB`);
	return growth <= mostGrowth;
}

const targetsSchema = z.array(z.object({ webSocketDebuggerUrl: z.string() })).nonempty();
const usageSchema = z.object({ id: z.literal(2), result: z.object({ usedSize: z.number() }) });

/** Has the garbage of a Node.js program collected, and returns what is left, in MB. */
async function collectedMb(port: number): Promise<number> {
	const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
	const socket = new WebSocket(targetsSchema.parse(targets)[0].webSocketDebuggerUrl);
	await once(socket, 'open');
	const usage = new Promise<number>((resolve) => {
		socket.addEventListener('message', ({ data }) => {
			const answer = usageSchema.safeParse(JSON.parse(String(data)));
			if (answer.success) resolve(answer.data.result.usedSize / 2 ** 20);
		});
	});
	socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
	socket.send(JSON.stringify({ id: 2, method: 'Runtime.getHeapUsage' }));
	const mb = await usage;
	socket.close();
	return mb;
}
