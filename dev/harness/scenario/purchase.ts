import type { CardEvent, Purchase, SandboxClient } from '../../../sandbox/client.ts';
import type { N8nClient } from '../n8n/client.ts';
import type { Execution } from '../n8n/executions.ts';
import type { Card, PublicApiClient } from '../publicApi.ts';
import { assert } from '../tools/errors.ts';
import { waitUntil } from '../tools/waiting.ts';

/** The node of the workflow that freezes. */
const freezeNode = 'Freeze the card';

/** What to do when a purchase does not end as it should. */
export const readTheLog =
	'Run it again with --keep-folder: n8n.log, in the folder it names, tells what n8n did.';

/** Far more than a delivery and an execution take, even on a busy machine. */
const withinMs = 90_000;

/** The outcome of a purchase. Times are milliseconds since the merchant's request. */
export interface Outcome {
	purchase: Purchase;
	event: CardEvent;
	sentMs: number;
	httpStatus: number | undefined;
	deliveredMs: number;
	execution: Execution;
	executedMs: number;
	/** Whether the workflow got to its freezing node. */
	triedToFreeze: boolean;
	/** The card afterwards, read from the API. */
	card: Card;
	readBackMs: number;
}

/** What a purchase passes through, from the sandbox to the workflow. */
interface PurchaseContext {
	sandbox: SandboxClient;
	api: PublicApiClient;
	n8n: N8nClient;
	/** n8n's subscription in the sandbox; there may be others, left by a run that was killed. */
	endpointId: string;
	workflowId: string;
	signal?: AbortSignal | undefined;
}

/**
 * Simulates a purchase and waits for its event to be delivered and executed; then reads the card. Throws
 * if a step does not complete; whether the outcome is right is for the caller to check.
 */
export async function trackPurchase(
	context: PurchaseContext,
	purchase: Purchase,
): Promise<Outcome> {
	const { sandbox, api, n8n, endpointId, workflowId, signal } = context;
	const started = performance.now();
	const sinceStart = () => performance.now() - started;

	const { event } = await sandbox.authorize(purchase);
	const sentMs = sinceStart();

	const delivery = await waitUntil(
		async () =>
			(await sandbox.deliveries({ eventId: event.id })).find(
				(each) => each.endpointId === endpointId && each.attempts.length > 0,
			),
		{ what: 'the delivery of the event', withinMs, signal },
	);
	const deliveredMs = sinceStart();
	const attempt = delivery.attempts.at(-1);
	assert(
		delivery.status === 'delivered' && attempt !== undefined,
		`The event was not delivered: ${attempt?.error ?? `HTTP ${attempt?.httpStatus ?? '?'}`}`,
		readTheLog,
	);

	const execution = await waitUntil(() => executionOf(n8n, workflowId, event.id), {
		what: 'the execution of the workflow',
		withinMs,
		signal,
	});
	const executedMs = sinceStart();

	const card = await api.card(event.cardId);
	return {
		purchase,
		event,
		sentMs,
		httpStatus: attempt.httpStatus ?? undefined,
		deliveredMs,
		execution,
		executedMs,
		triedToFreeze: execution.nodes.some(({ name }) => name === freezeNode),
		card,
		readBackMs: sinceStart(),
	};
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
