import { randomUUID } from 'node:crypto';

import type { Page } from 'playwright-core';

import type { Editor } from '../../harness/editor/editor.ts';
import {
	cardNode,
	cardPlatform,
	node,
	triggerNode,
	type WorkflowNode,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import type { Automation } from '../../harness/scenario/automation.ts';
import { type SandboxFixture, useOtherFile } from '../../harness/scenario/sandboxFixture.ts';
import { assert } from '../../harness/tools/errors.ts';
import type { Screenshots } from './screenshots.ts';

/** Captures the node search, and the forms of the three nodes. */
export async function captureNodes(
	screenshots: Screenshots,
	editor: Editor,
	company: SandboxFixture,
	{ credentials }: Automation,
): Promise<void> {
	/** Opens the form of a workflow's only node, and captures it once `clicks` are done. */
	const capture = async (
		name: string,
		subject: WorkflowNode,
		clicks: (page: Page) => Promise<void>,
	) => {
		const id = await editor.n8n.addWorkflow(workflowOf(name, [subject]));
		const { page } = await editor.page(`/workflow/${id}/${subject.name}`);
		await clicks(page);
		await screenshots.capture(name, page.getByTestId('ndv'));
		await page.close();
	};
	const credential = credentials[cardPlatform.action];
	const openHelp = (page: Page) => page.getByText('When will this node trigger my flow?').click();
	const freeze = { resource: 'card', operation: 'freeze' };

	await captureSearch(screenshots, editor);

	// With the list of cards open.
	await capture('card-node', cardNode('Freeze', freeze, credential), async (page) => {
		await page.getByTestId('rlc-input').click();
		await page.getByTestId('rlc-item').first().waitFor();
	});

	const trigger = triggerNode('Card event', credentials[cardPlatform.trigger]);
	await capture('trigger-panel', trigger, async (page) => {
		await page.getByText('Webhook URLs', { exact: true }).first().click();
		await page.getByTestId('radio-button-production').click();
		await openHelp(page);
	});

	const pollTimes = { item: [{ mode: 'everyHour' }] };
	const parameters = { pollTimes, options: { lookBack: 30, recheckInterval: 60 } };
	const polling = node('Card events', cardPlatform.pollingTrigger, { credential, parameters });
	await capture('polling-trigger', polling, openHelp);

	const archived = company.cards.find(({ status }) => status === 'archived');
	assert(archived !== undefined, 'The sandbox has no archived card', useOtherFile);
	const cardId = { __rl: true, mode: 'id', value: archived.id };
	await capture(
		'error-output',
		cardNode('Freeze', { ...freeze, cardId }, credential),
		async (page) => {
			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('node-error-description').waitFor();
		},
	);

	// A second workflow with the credential of the first, which n8n preselects, when a test event arrives.
	const { sandbox, account } = company;
	const subscribe = (webhookId: string) =>
		sandbox.subscribe(account.id, `${editor.n8n.url}/webhook-test/${webhookId}/webhook`);
	const first = await subscribe(randomUUID());
	const webhookId = randomUUID();
	const second = await subscribe(webhookId);
	const wrong = await editor.n8n.addCredential(
		'cardPlatformWebhookApi',
		{ signingSecret: first.signingSecret },
		'Card Platform Webhook account',
	);
	await capture(
		'wrong-secret',
		triggerNode('Second trigger', wrong, {}, webhookId),
		async (page) => {
			await page.setViewportSize({ width: 1200, height: 700 });
			const button = page.getByTestId('trigger-execute-button');
			await button.click();
			await button.getByText('Stop Listening').waitFor();
			const cardId = company.active[0].id;
			await sandbox.authorize({ cardId, amount: '12.34', merchantName: 'Corner Bakery' });
			const output = page.getByTestId('output-panel');
			await output.getByText('it was signed with another secret').first().waitFor();
			await button.getByText('Execute step', { exact: true }).waitFor();
		},
	);
	await sandbox.unsubscribe(first);
	await sandbox.unsubscribe(second);
}

/** Captures what the node creator finds for "card". */
async function captureSearch(screenshots: Screenshots, editor: Editor): Promise<void> {
	const { page } = await editor.page('/workflow/new');
	await page.setViewportSize({ width: 1000, height: 560 });
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('card');
	const name = page.getByTestId('node-creator-item-name');
	await name.getByText('Card Platform', { exact: true }).waitFor();
	await screenshots.capture('node-search', page);
	await page.close();
}
