import type { Page } from 'playwright-core';
import { onPage, useEditorEnvironment } from './environment.ts';

const NOBODY = 'http://127.0.0.1:1/v1/public';
const FAR = 'http://example.com/v1/public';

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

// Tests both credential dialogs as a person meets them: what turns green, what red, and the words.
describe('the credential dialog', () => {
	const dialog = (page: Page) => page.getByTestId('credential-edit-dialog');

	const check = (type: string, values: Record<string, string>, refusal: RegExp | undefined) =>
		onPage(environment().editor, '/home/credentials/create', async (page) => {
			await newCredential(page, type);
			await save(page, values);
			if (refusal === undefined) {
				await dialog(page).getByText('Connection tested successfully').waitFor();
				return;
			}
			await dialog(page).getByText('Couldn’t connect with these settings').waitFor();
			await dialog(page).getByText('More details').click();
			await dialog(page).getByText(refusal).waitFor();
		});

	it.each<[string, (api: string) => Record<string, string>, RegExp | undefined]>([
		['accepts the right key', () => ({}), undefined],
		['explains a wrong key', () => ({ apiKey: 'wrong' }), /rejected the key\. Only the newest/],
		[
			'names the path prefix where it is missing',
			(api) => ({ baseUrl: new URL(api).origin }),
			/Base URL includes the path prefix, usually \/v1\/public/,
		],
		// These words are n8n's: the test of a credential can only word the statuses of an answer.
		['names the reason where nobody answers', () => ({ baseUrl: NOBODY }), /ECONNREFUSED/],
		['explains http to another machine', () => ({ baseUrl: FAR }), /not encrypted/],
	])('of Card Platform API %s', async (_, change, refusal) => {
		const { api, apiKey } = environment().company;
		await check('Card Platform API', { baseUrl: api.url, apiKey, ...change(api.url) }, refusal);
	});

	it.each<[string, string, RegExp | undefined]>([
		['accepts a secret', 'whsec_1', undefined],
		['explains a blank secret', '   ', /The signing secret is empty\. Paste the one that/],
		['explains a secret with a blank in it', 'wh sec', /contains white space\. Paste it again/],
	])('of Card Platform Webhook API %s', (_, signingSecret, refusal) =>
		check('Card Platform Webhook API', { signingSecret }, refusal),
	);

	it('can be corrected: a refused key, then the right one', () =>
		onPage(environment().editor, '/home/credentials/create', async (page) => {
			const { api, apiKey } = environment().company;
			await newCredential(page, 'Card Platform API');
			await save(page, { baseUrl: api.url, apiKey: 'wrong' });
			await dialog(page).getByText('Couldn’t connect with these settings').waitFor();
			await save(page, { apiKey });
			await dialog(page).getByText('Connection tested successfully').waitFor();
		}));
});
