import type { ImportedCredential, N8n } from '../../harness/n8n/n8n.ts';
import { newId } from '../../harness/n8n/workflow.ts';
import type { FaultySandbox } from './sandbox.ts';

/**
 * Gives an n8n that has not started a workflow that reads the card of each event and freezes it,
 * publishes it, and subscribes it to the sandbox's events. Gives the address of its webhook.
 */
export async function addSoakWorkflow(
	n8n: N8n,
	{ control, accounts }: FaultySandbox,
	credential: ImportedCredential,
): Promise<string> {
	const [id, webhookId] = [newId(), newId()];
	const url = n8n.webhookUrl(webhookId, 'webhook');
	const { signingSecret } = await control.subscribe(accounts[0], url);
	const deliveries: ImportedCredential = {
		id: newId(),
		name: 'Deliveries',
		type: 'cardPlatformWebhookApi',
		data: { signingSecret },
	};
	const node = (name: string, type: string, more: object) => ({
		id: `${id}-${name}`,
		name,
		type: `n8n-nodes-card-platform.${type}`,
		typeVersion: 1,
		position: [0, 0],
		...more,
	});
	const onCard = (name: string, operation: string) =>
		node(name, 'cardPlatform', {
			parameters: {
				resource: 'card',
				operation,
				cardId: { __rl: true, mode: 'id', value: "={{ $('Trigger').item.json.cardId }}" },
			},
			credentials: { cardPlatformApi: { id: credential.id, name: credential.name } },
		});
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	await n8n.importCredentials([credential, deliveries]);
	await n8n.importWorkflow({
		id,
		name: 'Read and freeze',
		nodes: [
			node('Trigger', 'cardPlatformTrigger', {
				typeVersion: 2,
				webhookId,
				parameters: { answer: 'lastNode' },
				credentials: { cardPlatformWebhookApi: { id: deliveries.id, name: deliveries.name } },
			}),
			onCard('Read', 'get'),
			onCard('Freeze', 'freeze'),
		],
		connections: { Trigger: to('Read'), Read: to('Freeze') },
		settings: { executionOrder: 'v1' },
	});
	await n8n.publishWorkflow(id);
	return url;
}
