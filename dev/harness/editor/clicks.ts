import type { Browser, Locator, Page } from 'playwright-core';

import { waitUntil } from '../tools/waiting.ts';
import { timeoutMs } from './browser.ts';

/** Runs in a page, for what a person presses there with a mouse. */
const COUNT = `addEventListener('pointerdown', () => { window.countClick(); }, true)`;

/** Counts what a person presses with a mouse from now on, in some pages and those that they open. */
export async function countClicks(...pages: Page[]): Promise<() => number> {
	let clicks = 0;
	for (const page of pages) {
		await page.exposeFunction('countClick', () => {
			clicks++;
		});
		await page.addInitScript(COUNT);
		await page.evaluate(COUNT);
	}
	return () => clicks;
}

/** The list entry of the node search with a name: a node, or one of its triggers and actions. */
export function searchResult(page: Page, name: string | RegExp): Locator {
	return page.getByTestId('item-iterator-item').filter({
		has: page.getByTestId('node-creator-item-name').getByText(name, { exact: true }),
	});
}

/** Opens the node search: from the empty canvas, or after the last node that nothing follows. */
export async function openNodeSearch(page: Page): Promise<void> {
	const first = page.getByTestId('canvas-add-button').getByRole('button');
	const next = page.getByTestId('canvas-handle-plus-wrapper').last();
	await first.or(next).click();
}

/** Searches for a node and clicks the results in order, which adds it and opens its form. */
export async function addNode(
	page: Page,
	search: string,
	...clicks: (string | RegExp)[]
): Promise<void> {
	await openNodeSearch(page);
	await page.getByTestId('node-creator-search-bar').fill(search);
	for (const name of clicks) await searchResult(page, name).click();
	await page.getByTestId('node-parameters').waitFor();
}

export async function closeForm(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** Pastes an expression into a field, which turns it from Fixed to Expression. */
export async function pasteExpression(field: Locator, expression: string): Promise<void> {
	const input = field.locator('input').last();
	await input.click();
	await field.page().keyboard.insertText(expression);
	await field.locator('.cm-content').getByText(expression).waitFor();
}

/** Adds an entry to a collection, by its name in the workflow and the title of the entry, which it then shows. */
export async function addEntry(
	form: Locator,
	collection: string,
	title: string,
	isList: boolean,
): Promise<void> {
	const page = form.page();
	const section = form
		.getByTestId('parameter-item')
		.filter({ has: page.locator(`label[for="${collection}"]`) });
	await section.getByTestId('collection-parameter-add').click();
	// A single entry is added at once; several are offered in a list, also if all but one are hidden.
	if (isList) {
		const entry = page.getByRole('option', { name: title, exact: true });
		await entry.filter({ visible: true }).click();
	}
	await section.getByText(title, { exact: true }).first().waitFor();
}

export async function choose(page: Page, list: Locator, option: RegExp): Promise<void> {
	await list.click();
	await page.getByRole('option').filter({ hasText: option, visible: true }).click();
}

/**
 * Types into an input until it keeps the value for ten looks in a row: the editor applies what was done
 * before about a second later, and then may empty the input again.
 */
export async function type(input: Locator, value: string): Promise<void> {
	let looks = 0;
	const probe = async () => {
		looks = (await input.inputValue()) === value ? looks + 1 : 0;
		if (looks === 0) await input.fill(value);
		return looks >= 10;
	};
	await waitUntil(probe, { what: `"${value}" to be kept`, withinMs: timeoutMs, everyMs: 150 });
}

/** Opens the dialog of a new credential from the form of a node, whether there are others or not. */
export async function createCredential(page: Page) {
	const slot = page.getByTestId('node-credentials-slot');
	const isFirst = slot.getByTestId('node-credentials-empty-state').getByRole('button');
	const list = slot.getByTestId('node-credentials-select');
	await isFirst.or(list).click();
	const dialog = page.getByTestId('editCredential-modal');
	const another = page.getByTestId('node-credentials-select-item-new');
	await dialog.or(another).waitFor();
	if (await another.isVisible()) await another.click();
	await dialog.waitFor();
	return {
		/** The first input of a field, by its label. */
		input: (label: string): Locator =>
			dialog
				.getByTestId('credential-connection-parameter')
				.filter({ hasText: new RegExp(`^\\s*${label}\\b`) })
				.locator('input')
				.first(),
		/** Saves. n8n closes the dialog, unless the credential's test fails, and then selects the credential. */
		save: async () => {
			const name = await dialog.getByTestId('inline-edit-preview').innerText();
			await dialog.getByTestId('credential-save-button').click();
			await dialog.waitFor({ state: 'hidden' });
			const chosen = list.locator('input');
			const isChosen = async () => (await chosen.inputValue()) === name;
			await waitUntil(isChosen, { what: `"${name}" to be selected`, withinMs: timeoutMs });
		},
	};
}

/** Opens the dashboard in a separate window: the editor's window blocks other addresses. */
export async function openDashboard(browser: Browser, dashboard: string): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1000, height: 640 },
		permissions: ['clipboard-read', 'clipboard-write'],
		colorScheme: 'light',
	});
	const sandbox = await context.newPage();
	sandbox.setDefaultTimeout(timeoutMs);
	await sandbox.goto(dashboard);
	return sandbox;
}

/** Pastes what was copied last. */
export async function paste(field: Locator): Promise<void> {
	await field.click();
	await field.page().keyboard.press('ControlOrMeta+V');
}
