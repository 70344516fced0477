import type { Browser, Locator, Page } from 'playwright-core';

import type { Card } from '../publicApi.ts';
import {
	addEntry,
	addNode,
	choose,
	closeForm,
	countClicks,
	createCredential,
	openDashboard,
	openNodeSearch,
	paste,
	pasteExpression,
	searchResult,
	type,
} from './clicks.ts';
import type { Editor } from './editor.ts';

// "Your first workflow" in README.md, click by click.

/** What `npm start` prints. */
interface FirstWorkflowSetting {
	editor: Editor;
	browser: Browser;
	dashboard: string;
	baseUrl: string;
	apiKey: string;
	accountId: string;
	/** An active card of the account Operating. */
	card: Pick<Card, 'name' | 'lastFour'>;
}

/** Called when there is something to picture, with the window or the part of one that shows it. */
type OnPicture = (number: number, part: Page | Locator) => Promise<void>;

/** Called with a window when it shows what belongs into a film, and for how many milliseconds. */
type OnFrame = (page: Page, ms: number) => Promise<void>;

/** Builds the workflow on an empty canvas, publishes it, and lets it freeze a card, but not at home. Returns its id, and how many clicks that took. */
export async function buildFirstWorkflow(
	{ editor, browser, dashboard, baseUrl, apiKey, accountId, card }: FirstWorkflowSetting,
	onPicture: OnPicture,
	onFrame: OnFrame = () => Promise.resolve(),
): Promise<{ id: string; clicks: number }> {
	const { page } = await editor.page('/workflow/new');
	await page.setViewportSize({ width: 1000, height: 720 });
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	const sandbox = await openDashboard(browser, dashboard);
	const clicks = await countClicks(page, sandbox);

	const title = page.getByTestId('workflow-name-input');
	await title.click();
	await title.getByTestId('inline-edit-input').fill('Freeze after a decline abroad');
	await page.keyboard.press('Enter');
	await openNodeSearch(page);
	await page.getByTestId('node-creator-search-bar').fill('card');
	await searchResult(page, 'Card Platform').click();
	const declined = searchResult(page, /^On purchase declined/);
	await declined.hover();
	await onPicture(1, page);
	await declined.click();

	await page.setViewportSize({ width: 900, height: 720 });
	const form = page.getByTestId('node-parameters');
	await form.getByText('Webhook URLs', { exact: true }).first().click();
	await form.getByTestId('radio-button-production').click();
	await form.getByText(/^https?:.*\/webhook\//).click();

	await sandbox.bringToFront();
	await sandbox.getByRole('link', { name: 'Webhooks', exact: true }).click();
	await paste(sandbox.getByLabel('Endpoint URL'));
	await sandbox.getByRole('button', { name: 'Add endpoint' }).click();
	const secret = sandbox.getByRole('dialog');
	await secret.waitFor();
	await onPicture(2, sandbox);
	await secret.getByRole('button', { name: 'Copy' }).click();
	await sandbox.getByText('Copied to the clipboard.').waitFor();
	await secret.getByRole('button', { name: 'Done' }).click();

	await page.bringToFront();
	const webhookDialog = await createCredential(page);
	await paste(webhookDialog.input('Signing Secret'));
	await webhookDialog.save();
	await addEntry(form, 'filters', 'Exclude Countries', true);
	await type(page.getByTestId('parameter-input-excludeMerchantCountries').locator('input'), 'US');
	await closeForm(page);

	await page.setViewportSize({ width: 900, height: 600 });
	await addNode(page, 'card', 'Card Platform', /^Freeze card/);
	const apiDialog = await createCredential(page);
	await type(apiDialog.input('Base URL'), baseUrl);
	await type(apiDialog.input('API Key'), apiKey);
	await choose(page, apiDialog.input('Key Scope'), /^\s*Customer/);
	await type(apiDialog.input('Default Account ID'), accountId);
	await apiDialog.save();
	await choose(page, page.getByTestId('rlc-mode-selector').locator('input'), /^\s*By ID/);
	await pasteExpression(page.getByTestId('parameter-input-cardId'), '{{ $json.cardId }}');
	// Leaves the field: the preview of its result lies over what is below.
	await page.keyboard.press('Tab');
	await page.setViewportSize({ width: 900, height: 540 });
	await onPicture(3, page.getByTestId('ndv'));
	await closeForm(page);

	await page.setViewportSize({ width: 1000, height: 600 });
	await page.getByTestId('workflow-open-publish-modal-button').click();
	await page.getByTestId('workflow-publish-button').click();
	await page.getByRole('button', { name: 'Got it' }).click();
	await page.getByText('Published', { exact: true }).waitFor();

	await sandbox.bringToFront();
	await sandbox.setViewportSize({ width: 1000, height: 800 });
	const cardTitle = `${card.name} •• ${card.lastFour}`;
	await sandbox.getByRole('link', { name: 'Simulate', exact: true }).click();
	for (const scenario of ['Decline', 'Decline abroad']) {
		const cards = sandbox.getByRole('combobox', { name: 'Card' });
		const option = cards.locator('option').filter({ hasText: cardTitle });
		await cards.selectOption(await option.getAttribute('value'));
		await sandbox.getByRole('link', { name: scenario, exact: true }).click();
		await sandbox.locator('[aria-current]').getByText(scenario, { exact: true }).waitFor();
		await sandbox.locator('#result-events').waitFor({ state: 'detached' });
		if (scenario === 'Decline abroad') await onFrame(sandbox, 2000);
		await sandbox.getByRole('button', { name: 'Authorize', exact: true }).click();
		await sandbox
			.locator('#result-events')
			.getByText(/^(delivered|ignored)/)
			.first()
			.waitFor();
	}
	await onFrame(sandbox, 2000);

	await page.bringToFront();
	// Opens the newest one.
	await page.getByTestId('radio-button-executions').click();
	const status = page.getByTestId('execution-preview-label');
	await status.getByText('Succeeded').waitFor();
	const step = page.getByTestId('canvas-node').filter({ hasText: 'Freeze card' });
	await step.waitFor();
	await onFrame(page, 3000);
	await sandbox.bringToFront();
	await sandbox.getByRole('link', { name: 'Cards', exact: true }).click();
	const row = sandbox
		.getByRole('row')
		.filter({ hasText: card.name })
		.filter({ hasText: card.lastFour });
	await row.getByText('frozen', { exact: true }).waitFor();
	await sandbox.setViewportSize({ width: 1000, height: 640 });
	await row.scrollIntoViewIfNeeded();
	await onFrame(sandbox, 3500);
	await page.bringToFront();
	await page.setViewportSize({ width: 1560, height: 560 });
	await step.dblclick();
	const opened = page.getByTestId('ndv');
	await opened.getByText('previousStatus').waitFor();
	await onPicture(4, opened);

	const id = /\/workflow\/([^/?]+)/.exec(page.url())?.[1] ?? '';
	await sandbox.context().close();
	await page.close();
	return { id, clicks: clicks() };
}
