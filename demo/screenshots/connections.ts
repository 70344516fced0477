import type { Editor } from '../../harness/editor/editor.ts';
import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import type { Screenshots } from './screenshots.ts';

/** Captures `credential-api.png` and `credential-webhook.png`: the dialogs, filled in and saved. */
export async function captureConnections(
	screenshots: Screenshots,
	editor: Editor,
	{ api, apiKey }: SandboxFixture,
): Promise<void> {
	const dialogs = [
		['credential-api', 'Card Platform API', { baseUrl: api.url, apiKey }, true],
		[
			'credential-webhook',
			'Card Platform Webhook API',
			{ signingSecret: 'whsec_of_your_endpoint' },
			false,
		],
	] as const;
	for (const [name, type, values, hasTest] of dialogs) {
		const { page } = await editor.page('/home/credentials/create');
		await page.getByTestId('new-credential-type-select').locator('input').fill('Card Platform');
		const option = page.getByTestId('new-credential-type-select-option');
		await option.getByText(type, { exact: true }).click();
		await page.getByTestId('new-credential-type-button').click();
		for (const [field, value] of Object.entries(values)) {
			await page.getByTestId(`parameter-input-${field}`).locator('input').fill(value);
		}
		await page.getByTestId('credential-save-button').click();
		const listed = page.getByTestId('resources-list-item');
		await listed.filter({ hasText: `${type.replace(' API', '')} account` }).waitFor();
		if (hasTest) await page.getByText('Connection tested successfully').waitFor();
		await screenshots.capture(name, page.getByTestId('editCredential-modal'));
		await page.close();
	}
}
