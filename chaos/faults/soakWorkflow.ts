import type { N8nClient } from '../../harness/n8n/client.ts';
import { cardNode, newId, triggerNode, workflowOf } from '../../harness/n8n/workflow.ts';
import { addCredential, type FaultySandbox } from './sandbox.ts';

/**
 * Publishes a workflow that reads the card of each event and freezes it, and subscribes it to the
 * sandbox's events. Gives the address of its webhook.
 */
export async function addSoakWorkflow(n8n: N8nClient, sandbox: FaultySandbox): Promise<string> {
	const { control, accounts } = sandbox;
	const webhookId = newId();
	const url = `${n8n.url}/webhook/${webhookId}/webhook`;
	const { signingSecret } = await control.subscribe(accounts[0], url);
	const deliveries = await n8n.addCredential('cardPlatformWebhookApi', { signingSecret });
	const credential = await addCredential(n8n, sandbox);
	const cardId = { __rl: true, mode: 'id', value: "={{ $('Trigger').item.json.cardId }}" };
	await n8n.addAndPublish(
		workflowOf('Read and freeze', [
			triggerNode('Trigger', deliveries, { responseMode: 'lastNode' }, webhookId),
			cardNode('Read', { resource: 'card', operation: 'get', cardId }, credential),
			cardNode('Freeze', { resource: 'card', operation: 'freeze', cardId }, credential),
		]),
	);
	return url;
}
