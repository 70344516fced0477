import { cardNode, workflowOf } from '../../../harness/n8n/workflow.ts';
import { onPage, untilPasses, useEditorEnvironment } from './environment.ts';

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

// Tests that a card can be picked from a list that comes from the API.
describe('the card picker', () => {
	it('lists all cards with their last four digits and status; searching narrows it; picking sets it', async () => {
		const { editor, company, apiCredential } = environment();
		const node = cardNode('Card', { resource: 'card', operation: 'freeze' }, apiCredential);
		const id = await editor.n8n.addWorkflow(workflowOf('Picker', [node]));
		const [card] = company.active;
		const labelOf = ({ name, lastFour, status }: typeof card) =>
			`${name} •••• ${lastFour} (${status})`;

		await onPage(editor, `/workflow/${id}/Card`, async (page) => {
			const entries = page.getByTestId('rlc-item').filter({ visible: true });
			await page.getByTestId('rlc-input').click();
			await untilPasses(async () => {
				const listed = (await entries.allInnerTexts()).map((text) => text.trim());
				expect(listed.sort()).toEqual(company.cards.map(labelOf).sort());
			});

			await page.getByTestId('rlc-search').fill(card.name);
			await entries.nth(1).waitFor({ state: 'detached' });
			await entries.getByText(labelOf(card), { exact: true }).click();
			await untilPasses(async () =>
				expect(await page.getByTestId('rlc-input').inputValue()).toBe(labelOf(card)),
			);

			await page.getByTestId('node-execute-button').click();
			await page.getByTestId('ndv-data-container').getByText(card.id, { exact: true }).waitFor();
		});
		expect((await company.api.card(card.id)).status).toBe('frozen');
		await company.api.unfreeze(card.id);
	});
});
