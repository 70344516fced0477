import { randomUUID } from 'node:crypto';

import type { Page } from 'playwright-core';

import { searchResult } from '../../dev/harness/editor/clicks.ts';
import { cardPlatform, node, workflowOf } from '../../dev/harness/n8n/workflow.ts';
import type { SimulationResult } from '../../dev/harness/sandboxClient.ts';
import { addApiCredential } from '../../dev/harness/scenario/automation.ts';
import { onPage, untilPasses, useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

async function purchase(merchantName: string): Promise<SimulationResult> {
	const { company } = environment();
	const [{ id: cardId }] = company.active;
	return await company.sandbox.authorize({ cardId, amount: '12.34', merchantName });
}

/** Stores a workflow of the trigger and a node after it. */
async function addWorkflow(parameters: object): Promise<string> {
	const { editor, apiCredential: credential } = environment();
	const trigger = node('Polling', cardPlatform.pollingTrigger, { credential, parameters });
	const next = node('Next', 'n8n-nodes-base.noOp');
	return await editor.n8n.addWorkflow(workflowOf('Polling in the editor', [trigger, next]));
}

async function fetchTestEvent(page: Page): Promise<void> {
	const button = page.getByTestId('trigger-execute-button');
	await button.getByText('Fetch Test Event', { exact: true }).click();
}

/** Waits until the output panel shows an event, and nothing else. */
async function showsOnly(page: Page, { event, transaction }: SimulationResult): Promise<void> {
	await page.getByTestId('ndv-items-count').getByText('1 item', { exact: true }).waitFor();
	const shown = page.getByTestId('ndv-data-container');
	for (const text of [event.id, transaction.id, '12.34', 'polling']) {
		await shown.getByText(text, { exact: true }).first().waitFor();
	}
}

async function publish(page: Page): Promise<void> {
	await page.getByTestId('canvas-node').first().waitFor();
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
}

// Tests the polling trigger as a person meets it: from the search to the published workflow.
describe('the polling trigger', () => {
	it('is found, added with the chosen event type, given a credential, and tried', async () => {
		const { editor, company } = environment();
		const name = `Read-only key ${randomUUID()}`;
		const key = { baseUrl: company.api.url, apiKey: company.apiKey, keyScope: 'account' };
		await editor.n8n.addCredential('cardPlatformApi', { ...key, readOnly: true }, name);
		// The newest is chosen for a new node.
		await addApiCredential(editor.n8n, company);
		await onPage(editor, '/workflow/new', async (page) => {
			await page.getByTestId('node-creator-plus-button').click();
			const search = page.getByTestId('node-creator-search-bar');
			for (const words of ['card platform', 'polling']) {
				await search.fill(words);
				const description = /company card events.*needs no webhook/;
				await searchResult(page, 'Card Platform Polling').getByText(description).waitFor();
			}
			await searchResult(page, 'Card Platform Polling').click();
			await searchResult(page, 'On purchase approved').click();
			await page.getByTestId('trigger-header').getByText('Check for card events').waitFor();
			await page.getByTestId('parameter-input-events').getByText('Approved').waitFor();

			await page.getByTestId('node-credentials-select').click();
			await page.getByText(name).click();
			const selected = page.getByTestId('node-credentials-select').locator('input');
			await untilPasses(async () => expect(await selected.inputValue()).toBe(name));
			const { event } = await purchase('Corner Bakery');
			await fetchTestEvent(page);
			const shown = page.getByTestId('ndv-data-container');
			await shown.getByText(event.id, { exact: true }).waitFor();
		});
	});

	it('fetches the newest events that pass, and says after publishing that new ones start the workflow', async () => {
		const merchantName = `Bakery ${randomUUID()}`;
		await purchase('Another merchant');
		const made = await purchase(merchantName);
		const id = await addWorkflow({ filters: { merchantName } });
		await onPage(environment().editor, `/workflow/${id}/Polling`, async (page) => {
			await fetchTestEvent(page);
			await showsOnly(page, made);
			await page.getByTestId('ndv-close-button').click();
			await publish(page);
			await page.getByText('new card events and changes start this workflow').waitFor();
		});
	});
});
