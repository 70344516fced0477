import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signIn, startBrowser } from './browser.ts';
import { installPlayground } from './install.ts';
import { openCompany, packAndInstall, startAutomation } from './scenario/stage.ts';
import { Cleanup } from './tools/cleanup.ts';
import { repositoryFolder } from './tools/paths.ts';
import { terminal } from './tools/terminal.ts';

const images = join(repositoryFolder, 'docs', 'images');
const tell = terminal();
const cleanup = new Cleanup();
const folder = await mkdtemp(join(tmpdir(), 'card-platform-screenshots-'));

/** Takes the pictures of README.md, in the real editor. */
try {
	const scene = { folder, cleanup };
	await installPlayground({ tell });
	await packAndInstall(scene);
	const { n8n, workflowId } = await startAutomation(scene, await openCompany(scene));
	const browser = await startBrowser();
	cleanup.defer(() => browser.close());

	const page = await signIn(browser, n8n);
	await page.goto(`${n8n.url}/workflow/${workflowId}`);
	await page.locator('[data-test-id=canvas-node]').first().waitFor();
	await page.keyboard.press('Escape');
	await page.locator('[data-test-id=zoom-to-fit]').click();
	await page.screenshot({ path: join(images, 'auto-freeze-workflow.png') });
	tell.line('docs/images/auto-freeze-workflow.png');
} finally {
	await cleanup.run();
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
