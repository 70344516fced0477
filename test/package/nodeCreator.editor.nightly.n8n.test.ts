import type { Page } from 'playwright-core';

import { searchResult } from '../../dev/harness/editor/clicks.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { imagePaths, onPage, untilPasses, useEditorEnvironment } from '../support/n8n/editor.ts';

const actions = RESOURCES.flatMap(({ operations }) => operations.map(({ action }) => action));

/** Opens the node creator on the canvas, looks for "card", and opens what is found of ours. */
async function findOurs(page: Page): Promise<void> {
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('card');
	await searchResult(page, 'Card Platform').click();
}

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

// Tests that both nodes are found by searching "card" in the node creator, and can be added.
describe('the node creator', () => {
	it('finds the package by what it does, with its icon', () =>
		onPage(environment().editor, '/workflow/new', async (page) => {
			await page.getByTestId('node-creator-plus-button').click();
			await page.getByTestId('node-creator-search-bar').fill('frozen cards');
			await searchResult(page, 'Card Platform').waitFor();
			const found = '[data-test-id=item-iterator-item] img[src*=card-platform]';
			const files = new Set(await imagePaths(page, found));
			expect([...files]).toEqual([expect.stringMatching(/\/cardPlatform\.svg$/)]);
		}));

	it('offers the trigger, and adds it with the kind of event that was chosen', () =>
		onPage(environment().editor, '/workflow/new', async (page) => {
			await findOurs(page);
			await searchResult(page, 'On purchase declined').click();
			await page.getByTestId('trigger-header').getByText('Receive card events').waitFor();
			const chosen = page.getByTestId('parameter-input-events').getByText('Declined');
			await chosen.waitFor();
		}));

	it('adds Payment: Get Many, whose due dates have no time', () =>
		onPage(environment().editor, '/workflow/new', async (page) => {
			await findOurs(page);
			const categories = page.getByTestId('node-creator-category-item');
			await categories.filter({ hasText: 'Actions' }).click();
			await searchResult(page, 'Get many bill payments').click();
			for (const [name, label] of [
				['from', 'Due From'],
				['to', 'Due Until'],
			] as const) {
				await page.locator(`label[for="${name}"]`).getByText(label, { exact: true }).waitFor();
				const input = page.getByTestId(`parameter-input-${name}`).locator('input');
				await input.fill('2026-11-01');
				await input.press('Enter');
				await untilPasses(async () => expect(await input.inputValue()).toBe('2026-11-01'));
			}
		}));

	it('offers all actions by what they do, and adds the one that was chosen', () =>
		onPage(environment().editor, '/workflow/new', async (page) => {
			await findOurs(page);
			const category = page
				.getByTestId('node-creator-category-item')
				.filter({ hasText: 'Actions' });
			await category.getByText(`(${actions.length})`).waitFor();
			await category.click();
			for (const action of actions) await searchResult(page, action).waitFor();
			await searchResult(page, 'Freeze card').click();
			await page.getByTestId('parameter-input-cardId').waitFor();
			const operation = page.getByTestId('parameter-input-operation').locator('input');
			await untilPasses(async () => expect(await operation.inputValue()).toBe('Freeze'));
		}));
});
