import { cardNode, type Editor, triggerNode } from '../../harness/editor/editor.ts';
import type { Company } from '../../harness/scenario/stage.ts';
import { demand } from '../../harness/tools/problem.ts';
import { useOtherFile } from '../../harness/scenario/stage.ts';
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
async function photographForm(studio: Studio, editor: Editor): Promise<void> {
	const credential = await editor.credential('cardPlatformApi');
	const node = cardNode('Freeze', { resource: 'card', operation: 'freeze' }, credential);
	const id = await editor.addWorkflow('Freeze a card', [node]);
	const { page } = await editor.page(`/workflow/${id}/Freeze`);
	await page.getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').first().waitFor();
	await studio.take('card-node', page.getByTestId('ndv'));
	await page.close();
}

/** Takes `error-output.png`: what freezing an archived card ends in. */
async function photographError(studio: Studio, editor: Editor, { cards }: Company): Promise<void> {
	const archived = cards.find(({ status }) => status === 'archived');
	demand(archived !== undefined, 'The sandbox has no archived card', useOtherFile);
	const credential = await editor.credential('cardPlatformApi');
	const cardId = { __rl: true, mode: 'id', value: archived.id };
	const node = cardNode('Freeze', { resource: 'card', operation: 'freeze', cardId }, credential);
	const id = await editor.addWorkflow('Freeze an archived card', [node]);
	const { page } = await editor.page(`/workflow/${id}/Freeze`);
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('node-error-description').waitFor();
	await studio.take('error-output', page.getByTestId('ndv'));
	await page.close();
}

/** Takes `trigger-panel.png`: the trigger with its URL and its help. */
async function photographTrigger(studio: Studio, editor: Editor): Promise<void> {
	const credential = await editor.credential('cardPlatformWebhookApi');
	const id = await editor.addWorkflow('Card events', [triggerNode('Card event', credential)]);
	const { page } = await editor.page(`/workflow/${id}/Card event`);
	await page.getByText('Webhook URLs', { exact: true }).first().click();
	await page.getByTestId('radio-button-production').click();
	await page.getByText('When will this node trigger my flow?').click();
	await studio.take('trigger-panel', page.getByTestId('ndv'));
	await page.close();
}

/** Takes the pictures of the two nodes. */
export async function photographNodes(
	studio: Studio,
	editor: Editor,
	company: Company,
): Promise<void> {
	await photographSearch(studio, editor);
	await photographForm(studio, editor);
	await photographTrigger(studio, editor);
	await photographError(studio, editor, company);
}
