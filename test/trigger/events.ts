import { randomUUID } from 'node:crypto';

import type { Execution } from '../../dev/harness/n8n/executions.ts';
import type { Automation } from '../../dev/harness/scenario/automation.ts';
import { executionOf } from '../../dev/harness/scenario/purchase.ts';
import { deliver, signedDelivery } from '../../dev/harness/signing.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';

/** An approved everyday purchase, as a card event; `changes` make it another one. */
export function cardEvent(cardId: string, changes: object = {}): { id: string } {
	const usual = {
		transactionId: randomUUID(),
		cardId,
		amount: '12.30',
		amountDirection: 'debit',
		currency: 'USD',
		isReversal: false,
		isSuccess: true,
		createdAt: new Date().toISOString(),
		issues: [],
		merchantName: 'Corner Bakery',
		merchantCountry: 'US',
	};
	return { id: randomUUID(), ...usual, ...changes };
}

/** Delivers an event, signed with `secret`, and gives its execution once that has ended. */
export async function execute(
	{ n8n, workflowId, webhookUrl, signingSecret }: Automation,
	event: { id: string },
	secret = signingSecret,
): Promise<Execution> {
	const status = await deliver(webhookUrl, signedDelivery(event, secret));
	if (status !== 200) throw new Error(`The event was answered with ${status}`);
	return await waitUntil(() => executionOf(n8n, workflowId, event.id), {
		what: 'the execution',
		withinMs: 60_000,
	});
}
