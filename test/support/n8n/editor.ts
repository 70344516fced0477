import type { Page } from 'playwright-core';

import { startBrowser } from '../../../dev/harness/editor/browser.ts';
import { type Editor, openEditor } from '../../../dev/harness/editor/editor.ts';
import { addApiCredential } from '../../../dev/harness/scenario/automation.ts';
import { startSandboxFixture } from '../../../dev/harness/scenario/sandboxFixture.ts';
import { temporaryFolder } from '../../../dev/harness/tools/folders.ts';
import { eventually } from '../../../dev/harness/tools/waiting.ts';
import { useSharedN8n } from './shared.ts';

/** Opens one browser for all tests of a file, in the shared n8n, and a sandbox of the file's own. */
export function useEditorEnvironment() {
	const cleanup = new AsyncDisposableStack();
	const shared = useSharedN8n();

	const open = async () => {
		const folder = await temporaryFolder('editor', cleanup);
		const company = await startSandboxFixture({ folder, cleanup });
		const browser = await startBrowser();
		cleanup.defer(() => browser.close());
		const { n8n } = shared();
		const secret = { signingSecret: 'the-secret-of-no-endpoint' };
		return {
			editor: await openEditor(n8n, browser),
			browser,
			company,
			apiCredential: await addApiCredential(n8n, company),
			webhookCredential: await n8n.addCredential('cardPlatformWebhookApi', secret),
		};
	};
	let environment: Awaited<ReturnType<typeof open>>;
	beforeAll(async () => {
		environment = await open();
	}, 300_000);

	afterAll(() => cleanup.disposeAsync(), 180_000);

	return () => environment;
}

/**
 * Does something on a page of the editor and closes it. Afterwards the page's console must hold
 * no errors.
 */
export async function onPage(
	editor: Editor,
	path: string,
	use: (page: Page) => Promise<void>,
): Promise<void> {
	const { page, errors } = await editor.page(path);
	try {
		await use(page);
	} finally {
		await page.close();
	}
	expect(errors).toEqual([]);
}

/**
 * Repeats a check until it passes, for what a locator cannot wait for: the editor shows its parts one
 * after the other. It waits far longer than the editor takes, even on a busy machine.
 */
export const untilPasses = (check: () => Promise<void>): Promise<void> =>
	eventually(check, 60_000, 50);
