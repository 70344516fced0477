import { randomUUID } from 'node:crypto';

import type { Page } from 'playwright-core';

import { cardNode, triggerNode, workflowOf } from '../dev/harness/n8n/workflow.ts';
import { onPage, untilPasses, useEditorEnvironment } from './support/n8n/editor.ts';

// What everybody does first in n8n's editor; `*.editor.nightly.n8n.test.ts` has the rest.

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

test('a credential can be corrected: a refused key, then the right one', () =>
	onPage(environment().editor, '/home/credentials/create', async (page) => {
		const { api, apiKey } = environment().company;
		await page.getByTestId('new-credential-type-select').locator('input').fill('Card Platform');
		const option = page.getByTestId('new-credential-type-select-option');
		await option.getByText('Card Platform API', { exact: true }).click();
		await page.getByTestId('new-credential-type-button').click();
		const dialog = page.getByTestId('credential-edit-dialog');
		const save = async (name: string, value: string) => {
			await page.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
			await page.getByTestId('credential-save-button').click();
		};
		await page.getByTestId('parameter-input-apiKey').locator('input').fill('wrong');
		await save('baseUrl', api.url);
		await dialog.getByText('Couldn’t connect with these settings').waitFor();
		await dialog.getByText('More details').click();
		await dialog.getByText(/The API key is not valid \(401\)/).waitFor();
		await save('apiKey', apiKey);
		await dialog.getByText('Connection tested successfully').waitFor();
	}));

test('the trigger shows a test event while it listens', async () => {
	const { editor, company } = environment();
	const webhookId = randomUUID();
	const url = `${editor.n8n.url}/webhook-test/${webhookId}/webhook`;
	const { signingSecret } = await company.sandbox.subscribe(company.account.id, url);
	const credential = await editor.n8n.addCredential('cardPlatformWebhookApi', { signingSecret });
	const trigger = triggerNode('Event', credential, {}, webhookId);
	const id = await editor.n8n.addWorkflow(workflowOf('Test event', [trigger]));
	await onPage(editor, `/workflow/${id}/Event`, async (page) => {
		await page.getByTestId('trigger-execute-button').click();
		await page.getByTestId('trigger-execute-button').getByText('Stop Listening').waitFor();
		const merchantName = 'Corner Bakery';
		const [card] = company.active;
		const purchase = { cardId: card.id, amount: '12.34', merchantName, merchantCountry: 'US' };
		const { event } = await company.sandbox.authorize(purchase);
		await page.getByTestId('ndv-items-count').getByText('1 item').waitFor();
		const shown = page.getByTestId('ndv-data-container');
		for (const text of [event.id, card.id, '12.34', merchantName]) {
			await shown.getByText(text, { exact: true }).first().waitFor();
		}
	});
});

const marks: Record<string, string> = { frozen: ' (frozen)', archived: ' (archived)' };

const labelOf = ({ name, lastFour, status }: { name: string; lastFour: string; status: string }) =>
	`${name} •••• ${lastFour}${marks[status] ?? ''}`;

/** The entries of an open list. */
const entriesIn = (page: Page) => page.getByTestId('rlc-item').filter({ visible: true });

async function labelsIn(page: Page): Promise<string[]> {
	const texts = await entriesIn(page).allInnerTexts();
	return texts.map((text) => text.trim());
}

test('a card is picked from the list of cards, or by a search, and frozen', async () => {
	const { editor, company, apiCredential } = environment();
	const node = cardNode('Card', { resource: 'card', operation: 'freeze' }, apiCredential);
	const id = await editor.n8n.addWorkflow(workflowOf('Picker', [node]));
	const [card] = company.active;
	await onPage(editor, `/workflow/${id}/Card`, async (page) => {
		await page.getByTestId('rlc-input').click();
		const byName = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
		const freezable = company.cards.filter(({ status }) => status !== 'archived');
		const all = freezable.map(labelOf).sort(byName);
		await untilPasses(async () => expect(await labelsIn(page)).toEqual(all));
		await page.getByTestId('rlc-search').fill(card.name);
		await untilPasses(async () => expect(await labelsIn(page)).toEqual([labelOf(card)]));
		await entriesIn(page).click();
		const input = page.getByTestId('rlc-input');
		await untilPasses(async () => expect(await input.inputValue()).toBe(labelOf(card)));
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('ndv-data-container').getByText(card.id, { exact: true }).waitFor();

		// The name that the editor has stored stays true.
		await page.reload();
		await untilPasses(async () => expect(await input.inputValue()).toBe(labelOf(card)));
	});
	expect((await company.api.card(card.id)).status).toBe('frozen');
});
