import { randomBytes } from 'node:crypto';
import type { ImportedCredential, N8n } from '../../harness/n8n/n8n.ts';
import { newId } from '../../harness/n8n/workflow.ts';
import { Problem } from '../../harness/tools/problem.ts';

/** How the trigger answers: n8n's response modes. */
export type Answer = 'onReceived' | 'lastNode';

/** Reads the command line's `--answer`. Throws a {@link Problem} when it is neither of the two. */
export function readAnswer(text: string): Answer {
	if (text === 'at-the-end') return 'lastNode';
	if (text === 'at-once') return 'onReceived';
	throw new Problem(`--answer ${text} is unknown`, 'Give at-the-end or at-once.');
}

/** A published workflow whose trigger takes card events. */
export interface CountingWorkflow {
	id: string;
	/** The path of its webhook, below an n8n's address. */
	path: string;
	/** What deliveries are signed with. */
	secret: string;
}

/**
 * Gives an n8n that has not started a workflow that calls `serviceUrl` once for each event, and
 * publishes it. The secret and the webhook's id are new ones unless told.
 */
export async function addCountingWorkflow(
	n8n: N8n,
	serviceUrl: string,
	{ secret, webhookId = newId(), answer }: { answer: Answer; secret?: string; webhookId?: string },
): Promise<CountingWorkflow> {
	const signingSecret = secret ?? randomBytes(24).toString('hex');
	const credential: ImportedCredential = {
		id: newId(),
		name: 'Deliveries',
		type: 'cardPlatformWebhookApi',
		data: { signingSecret },
	};
	const id = newId();
	await n8n.importCredentials([credential]);
	await n8n.importWorkflow({
		id,
		name: 'Count card events',
		nodes: [
			{
				id: `${id}-trigger`,
				webhookId,
				name: 'Trigger',
				type: 'n8n-nodes-card-platform.cardPlatformTrigger',
				typeVersion: 2,
				position: [0, 0],
				parameters: { responseMode: answer },
				credentials: { cardPlatformWebhookApi: { id: credential.id, name: credential.name } },
			},
			{
				id: `${id}-count`,
				name: 'Count',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [200, 0],
				parameters: { method: 'POST', url: `=${serviceUrl}/{{ $json.id }}`, options: {} },
			},
		],
		connections: { Trigger: { main: [[{ node: 'Count', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	await n8n.publishWorkflow(id);
	return { id, path: `webhook/${webhookId}/webhook`, secret: signingSecret };
}
