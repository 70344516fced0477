import { randomUUID } from 'node:crypto';

import type { Editor } from '../../harness/editor/editor.ts';
import { triggerNode, workflowOf } from '../../harness/n8n/workflow.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import type { Studio } from './studio.ts';

/**
 * Takes `wrong-secret.png`: a second workflow with the credential of the first, which n8n preselects, and
 * what the editor shows when a test event arrives.
 */
export async function photographWrongSecret(
	studio: Studio,
	editor: Editor,
	{ sandbox, account, active: [card] }: SandboxFixture,
): Promise<void> {
	const { n8n } = editor;
	const addTestUrl = async (webhookId: string) =>
		sandbox.subscribe(account.id, `${n8n.url}/webhook-test/${webhookId}/webhook`);
	const first = await addTestUrl(randomUUID());
	const webhookId = randomUUID();
	const second = await addTestUrl(webhookId);
	const { signingSecret } = first;
	const credential = await n8n.addCredential(
		'cardPlatformWebhookApi',
		{ signingSecret },
		'Card Platform Webhook account',
	);
	const trigger = triggerNode('Second trigger', credential, {}, webhookId);
	const id = await n8n.addWorkflow(workflowOf('Second workflow', [trigger]));
	const { page } = await editor.page(`/workflow/${id}/Second trigger`);
	await page.setViewportSize({ width: 1200, height: 700 });
	const button = page.getByTestId('trigger-execute-button');
	await button.click();
	await button.getByText('Stop Listening').waitFor();
	await sandbox.authorize({ cardId: card.id, amount: '12.34', merchantName: 'Corner Bakery' });
	const output = page.getByTestId('output-panel');
	await output.getByText('it was signed with another secret').first().waitFor();
	await button.getByText('Execute step', { exact: true }).waitFor();
	await studio.take('wrong-secret', page.getByTestId('ndv'));
	await page.close();
	await sandbox.unsubscribe(first);
	await sandbox.unsubscribe(second);
}
