import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import getPort from 'get-port';
import type { Browser, Page } from 'playwright-core';

import { openEditor } from '../../harness/editor/editor.ts';
import { buildFirstWorkflow } from '../../harness/editor/firstWorkflow.ts';
import { N8nClient } from '../../harness/n8n/client.ts';
import { packAndInstall } from '../../harness/n8n/package.ts';
import type { RunContext } from '../../harness/tools/folders.ts';
import { readSettings, startN8n, startSandbox } from '../start/services.ts';
import { usualPorts } from '../steps.ts';
import type { Screenshots } from './screenshots.ts';

/** A card of the account Operating. */
const card = { name: 'Team travel', lastFour: '7751' };

/** Adds a window to the film. In an execution, opens the output of its last step, which names the card; again the first picture. */
const filmed = (screenshots: Screenshots) => async (page: Page, ms: number) => {
	const logs = page.getByTestId('logs-overview-header');
	const isExecution = (await logs.count()) > 0;
	// Not a click, which would be counted.
	if (isExecution) await logs.dispatchEvent('click');
	if (isExecution) await page.getByTestId('logs-panel').getByText('frozen').first().waitFor();
	await screenshots.addToFilm(page, ms, isExecution);
	if (isExecution) await logs.dispatchEvent('click');
};

/**
 * Captures `first-workflow-1.png` to `-4.png`: "Your first workflow" in README.md, in what `npm start` starts; the film
 * of its end, `decline-to-freeze.png`; and `sandbox-delivery.png`, one of its deliveries. Returns how many clicks
 * it took. Throws if a click does not do what it should.
 */
export async function captureFirstWorkflow(
	screenshots: Screenshots,
	browser: Browser,
	{ folder: parent, cleanup }: RunContext,
): Promise<number> {
	const folder = join(parent, 'start');
	await mkdir(folder);
	await packAndInstall(join(folder, 'n8n'));
	const settings = await readSettings(folder);
	const run = { folder, cleanup };
	const sandboxPort = await getPort({ port: usualPorts.sandbox });
	const { dashboard, baseUrl, apiKey, accountId } = await startSandbox(run, sandboxPort);
	const { url } = await startN8n(run, await getPort({ port: usualPorts.n8n }), settings);
	const n8n = new N8nClient({ url, owner: settings.owner });
	const editor = await openEditor(n8n, browser);
	const setting = { editor, browser, dashboard, baseUrl, apiKey, accountId, card };
	const { clicks } = await buildFirstWorkflow(
		setting,
		(number, part) => screenshots.capture(`first-workflow-${number}`, part),
		filmed(screenshots),
	);
	await screenshots.writeFilm('decline-to-freeze');
	const page = await browser.newPage({ viewport: { width: 1000, height: 680 } });
	await page.goto(`${dashboard}/webhooks`);
	await page.locator('[id^=delivery-] a').first().click();
	await page.locator('#attempt-1').waitFor();
	await screenshots.capture('sandbox-delivery', page);
	await page.close();
	return clicks;
}
