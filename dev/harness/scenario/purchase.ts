import assert from 'node:assert/strict';

import type { N8nClient } from '../n8n/client.ts';
import type { Execution } from '../n8n/executions.ts';
import type { Card, PublicApiClient } from '../publicApi.ts';
import type { CardEvent, Purchase, SandboxClient } from '../sandboxClient.ts';
import { waitUntil } from '../tools/waiting.ts';

/** Far more than a delivery and an execution take, even on a busy machine. */
const withinMs = 90_000;

export interface Outcome {
	event: CardEvent;
	/** Of the workflow that the event was delivered to, once it has ended. */
	execution: Execution;
	/** The card afterwards, read from the API. */
	card: Card;
}

/** What a purchase passes through, from the sandbox to the workflow. */
interface PurchaseContext {
	sandbox: SandboxClient;
	api: PublicApiClient;
	n8n: N8nClient;
	/** n8n's subscription in the sandbox; other workflows have others. */
	endpointId: string;
	workflowId: string;
}

/**
 * Simulates a purchase and waits for its event to be delivered and executed; then reads the card. Throws
 * if a step does not complete; whether the outcome is right is for the caller to check.
 */
export async function trackPurchase(
	{ sandbox, api, n8n, endpointId, workflowId }: PurchaseContext,
	purchase: Purchase,
): Promise<Outcome> {
	const { event } = await sandbox.authorize(purchase);
	const delivered = async () => {
		const [delivery] = await sandbox.deliveries({ eventId: event.id, endpointId });
		return delivery?.attempts.length ? delivery : undefined;
	};
	const what = 'the delivery of the event';
	const { status, attempts } = await waitUntil(delivered, { what, withinMs });
	assert.equal(status, 'delivered', JSON.stringify(attempts));
	const execution = await waitUntil(() => executionOf(n8n, workflowId, event.id), {
		what: 'the execution of the workflow',
		withinMs,
	});
	return { event, execution, card: await api.card(event.cardId) };
}

/** The execution of a workflow that an event started, once it has ended. */
export async function executionOf(
	n8n: N8nClient,
	workflowId: string,
	eventId: string,
): Promise<Execution | undefined> {
	const executions = await n8n.executions(workflowId);
	return executions.find((execution) => eventIdOf(execution) === eventId);
}

/** The id of the card event that started an execution; undefined when no card event did. */
function eventIdOf(execution: Execution): string | undefined {
	return execution.nodes
		.flatMap(({ items }) => items)
		.map((item) => item as { id?: string; delivery?: object })
		.find(({ id, delivery }) => id !== undefined && delivery !== undefined)?.id;
}
