import type { Editor } from '../../harness/editor/editor.ts';
import type { StoredCredential } from '../../harness/n8n/client.ts';
import {
	cardNode,
	cardPlatform,
	node,
	triggerNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import { useOtherFile } from '../../harness/scenario/sandboxFixture.ts';
import { assert } from '../../harness/tools/errors.ts';
import type { Studio } from './studio.ts';

/** Takes `node-search.png`: what the node creator finds for "card". */
async function photographSearch(studio: Studio, editor: Editor): Promise<void> {
	const { page } = await editor.page('/workflow/new');
	await page.setViewportSize({ width: 1000, height: 560 });
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('card');
	const name = page.getByTestId('node-creator-item-name');
	await name.getByText('Card Platform', { exact: true }).waitFor();
	await studio.take('node-search', page);
	await page.close();
}

/** Takes `card-node.png`: the form of Card: Freeze, with the list of cards open. */
async function photographForm(
	studio: Studio,
	editor: Editor,
	credential: StoredCredential | undefined,
): Promise<void> {
	const node = cardNode('Freeze', { resource: 'card', operation: 'freeze' }, credential);
	const id = await editor.n8n.addWorkflow(workflowOf('Freeze a card', [node]));
	const { page } = await editor.page(`/workflow/${id}/Freeze`);
	await page.getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').first().waitFor();
	await studio.take('card-node', page.getByTestId('ndv'));
	await page.close();
}

/** Takes `error-output.png`: what freezing an archived card ends in. */
async function photographError(
	studio: Studio,
	editor: Editor,
	{ cards }: SandboxFixture,
	credential: StoredCredential | undefined,
): Promise<void> {
	const archived = cards.find(({ status }) => status === 'archived');
	assert(archived !== undefined, 'The sandbox has no archived card', useOtherFile);
	const cardId = { __rl: true, mode: 'id', value: archived.id };
	const node = cardNode('Freeze', { resource: 'card', operation: 'freeze', cardId }, credential);
	const id = await editor.n8n.addWorkflow(workflowOf('Freeze an archived card', [node]));
	const { page } = await editor.page(`/workflow/${id}/Freeze`);
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('node-error-description').waitFor();
	await studio.take('error-output', page.getByTestId('ndv'));
	await page.close();
}

/** Takes `trigger-panel.png`: the trigger with its URL and its help. */
async function photographTrigger(
	studio: Studio,
	editor: Editor,
	credential: StoredCredential | undefined,
): Promise<void> {
	const node = triggerNode('Card event', credential);
	const id = await editor.n8n.addWorkflow(workflowOf('Card events', [node]));
	const { page } = await editor.page(`/workflow/${id}/Card event`);
	await page.getByText('Webhook URLs', { exact: true }).first().click();
	await page.getByTestId('radio-button-production').click();
	await page.getByText('When will this node trigger my flow?').click();
	await studio.take('trigger-panel', page.getByTestId('ndv'));
	await page.close();
}

/** Takes `polling-trigger.png`: the polling trigger with its help, and some options. */
async function photographPolling(
	studio: Studio,
	editor: Editor,
	credential: StoredCredential | undefined,
): Promise<void> {
	const pollTimes = { item: [{ mode: 'everyHour' }] };
	const parameters = { pollTimes, options: { lookBack: 30, sweepInterval: 60 } };
	const trigger = node('Card events', cardPlatform.pollingTrigger, { credential, parameters });
	const id = await editor.n8n.addWorkflow(workflowOf('Poll for card events', [trigger]));
	const { page } = await editor.page(`/workflow/${id}/Card events`);
	await page.getByText('When will this node trigger my flow?').click();
	await studio.take('polling-trigger', page.getByTestId('ndv'));
	await page.close();
}

/** Takes the pictures of the three nodes. */
export async function photographNodes(
	studio: Studio,
	editor: Editor,
	company: SandboxFixture,
	{ credentials }: Automation,
): Promise<void> {
	await photographSearch(studio, editor);
	await photographForm(studio, editor, credentials[cardPlatform.action]);
	await photographTrigger(studio, editor, credentials[cardPlatform.trigger]);
	await photographPolling(studio, editor, credentials[cardPlatform.action]);
	await photographError(studio, editor, company, credentials[cardPlatform.action]);
}
