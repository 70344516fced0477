import type { INodeProperties } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials';
import { onPage, useEditorEnvironment } from '../support/n8n/editor.ts';

/** Opens the dialog of a new credential, the way a person does from the list of credentials. */
async function newCredential(page: Page, type: string): Promise<void> {
	await page.getByTestId('new-credential-type-select').locator('input').fill('Card Platform');
	const option = page.getByTestId('new-credential-type-select-option');
	await option.getByText(type, { exact: true }).click();
	await page.getByTestId('new-credential-type-button').click();
}

/** Fills fields of the open dialog by their parameter names and saves. */
async function save(page: Page, values: Record<string, string>): Promise<void> {
	for (const [name, value] of Object.entries(values)) {
		await page.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	}
	await page.getByTestId('credential-save-button').click();
}

const environment = useEditorEnvironment();

jest.setTimeout(600_000);

// Tests both credential dialogs as a person sees them: success, failure, and the messages.
describe('the credential dialog', () => {
	const dialog = (page: Page) => page.getByTestId('credential-edit-dialog');

	it('of Card Platform Webhook API shows a hint for each secret, and runs no test', () =>
		onPage(environment().editor, '/home/credentials/create', async (page) => {
			await newCredential(page, 'Card Platform Webhook API');
			for (const hint of [
				'Every URL has its own: create a new credential for each trigger,',
				'Only during a rotation: the old secret. Clear this field after 24 hours.',
				'the secret of the test URL, a separate endpoint in the dashboard.',
			]) {
				await dialog(page).getByText(hint).waitFor();
			}
			// Only a delivery can show that this is no secret.
			const tested: string[] = [];
			page.on('request', (request) => {
				if (request.url().endsWith('/credentials/test')) tested.push(request.url());
			});
			await save(page, { signingSecret: 'x' });
			const listed = page.getByTestId('resources-list-item');
			await listed.filter({ hasText: 'Card Platform Webhook account' }).waitFor();
			const success = dialog(page).getByText('Connection tested successfully');
			expect(await success.isVisible()).toBe(false);
			expect(tested).toEqual([]);
		}));

	const shown = new CardPlatformApi().properties;
	const isHidden = ({ displayOptions }: INodeProperties) => displayOptions !== undefined;
	const field = (page: Page, { name }: INodeProperties) =>
		dialog(page).getByTestId(`parameter-input-${name}`);
	const hint = (page: Page, { hint: words = '' }: INodeProperties) =>
		dialog(page).getByText(words, { exact: true });

	async function choose(page: Page, name: string, option: string): Promise<void> {
		await dialog(page).getByTestId(`parameter-input-${name}`).click();
		await page.getByRole('option').filter({ hasText: option }).click();
	}

	it('shows a hint below each field, and hides what few people need', () =>
		onPage(environment().editor, '/home/credentials/create', async (page) => {
			await newCredential(page, 'Card Platform API');
			for (const property of shown.filter((each) => !isHidden(each))) {
				expect(property.hint).toMatch(/./);
				await hint(page, property).waitFor();
			}
			for (const property of shown.filter(isHidden)) {
				expect(await field(page, property).count()).toBe(0);
			}
			await choose(page, 'keyScope', 'Customer');
			await dialog(page).getByTestId('parameter-input-advanced').locator('.el-switch').click();
			for (const property of shown) await hint(page, property).waitFor();
		}));

	it('is not saved for a customer-scoped key without an account', () =>
		onPage(environment().editor, '/home/credentials/create', async (page) => {
			const { api, apiKey } = environment().company;
			const saved: unknown[] = [];
			page.on('response', (response) => {
				const request = response.request();
				const isNew = request.method() === 'POST' && request.url().endsWith('/rest/credentials');
				if (isNew && response.ok()) saved.push(request.postDataJSON());
			});
			await newCredential(page, 'Card Platform API');
			await choose(page, 'keyScope', 'Customer');
			await save(page, { baseUrl: api.url, apiKey });
			await save(page, { accountId: '1001' });
			await dialog(page).getByText('Connection tested successfully').waitFor();
			expect(saved).toMatchObject([{ data: { keyScope: 'customer', accountId: '1001' } }]);
		}));
});
