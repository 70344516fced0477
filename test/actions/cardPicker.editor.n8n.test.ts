import type { Page } from 'playwright-core';

import { cardNode, workflowOf } from '../../harness/n8n/workflow.ts';
import { onPage, untilPasses, useEditorEnvironment } from '../support/n8n/editor.ts';

const environment = useEditorEnvironment();

const marks: Record<string, string> = { frozen: ' (frozen)', archived: ' (archived)' };

const labelOf = ({ name, lastFour, status }: { name: string; lastFour: string; status: string }) =>
	`${name} •••• ${lastFour}${marks[status] ?? ''}`;

const byName = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });

/** The entries of an open list. */
const entriesIn = (page: Page) => page.getByTestId('rlc-item').filter({ visible: true });

async function labelsIn(page: Page): Promise<string[]> {
	const texts = await entriesIn(page).allInnerTexts();
	return texts.map((text) => text.trim());
}

jest.setTimeout(600_000);

// Tests that a card can be picked from a list that comes from the API.
describe('the card picker', () => {
	it('lists all cards by name, marked if frozen or archived; a search narrows it; picking sets it', async () => {
		const { editor, company, apiCredential } = environment();
		const node = cardNode('Card', { resource: 'card', operation: 'freeze' }, apiCredential);
		const id = await editor.n8n.addWorkflow(workflowOf('Picker', [node]));
		const [card, other] = company.active;

		await onPage(editor, `/workflow/${id}/Card`, async (page) => {
			await page.getByTestId('rlc-input').click();
			const all = company.cards.map(labelOf).sort(byName);
			expect(all.join()).toContain('(frozen)');
			expect(all.join()).toContain('(archived)');
			await untilPasses(async () => expect(await labelsIn(page)).toEqual(all));

			await page.getByTestId('rlc-search').fill(other.lastFour);
			await untilPasses(async () => expect(await labelsIn(page)).toEqual([labelOf(other)]));
			await page.getByTestId('rlc-search').fill(card.name);
			await entriesIn(page).getByText(labelOf(card), { exact: true }).click();
			await untilPasses(async () =>
				expect(await page.getByTestId('rlc-input').inputValue()).toBe(labelOf(card)),
			);

			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('ndv-data-container').getByText(card.id, { exact: true }).waitFor();

			// The name that the editor has stored stays true.
			await page.reload();
			await untilPasses(async () =>
				expect(await page.getByTestId('rlc-input').inputValue()).toBe(labelOf(card)),
			);
		});
		expect((await company.api.card(card.id)).status).toBe('frozen');
		await company.api.unfreeze(card.id);
	});

	it('fills the filter of a list', async () => {
		const { editor, company, apiCredential } = environment();
		const cardId = { __rl: true, mode: 'list', value: '' };
		const parameters = { resource: 'transaction', operation: 'getAll', filters: { cardId } };
		const node = cardNode('Card', parameters, apiCredential);
		const id = await editor.n8n.addWorkflow(workflowOf('Filter', [node]));
		const [card] = company.active;

		await onPage(editor, `/workflow/${id}/Card`, async (page) => {
			await page.getByTestId('rlc-input').click();
			await page.getByTestId('rlc-search').fill(card.lastFour);
			await untilPasses(async () => expect(await labelsIn(page)).toEqual([labelOf(card)]));
			await entriesIn(page).click();
			await page.getByTestId('node-execute-button').click();
			const output = page.getByTestId('ndv-data-container');
			await output.getByText(card.id, { exact: true }).first().waitFor();
			for (const { id: other } of company.cards.filter((each) => each.id !== card.id)) {
				expect(await output.getByText(other, { exact: true }).count()).toBe(0);
			}
		});
	});
});
