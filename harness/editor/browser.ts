import { execFileSync } from 'node:child_process';
import type { N8nClient } from '../n8n/client.ts';
import { type Browser, type BrowserContext, chromium, selectors } from 'playwright-core';

// The package is ESM only, which jest cannot load; a Node.js process of its own can.
const LOCATE = `import chromium from '@sparticuz/chromium';
process.stdout.write(await chromium.executablePath());`;

/** Far more than any answer of a page takes, even on a busy machine, in milliseconds. */
export const patienceMs = 60_000;

/** What a browser remembers of a person who has signed in to n8n: cookies and local storage. */
export type BrowserSession = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * Starts the Chromium that `npm ci` brings, without its calls home. Throws when it cannot run here.
 * The arguments that its package proposes are left out: they would switch web security off.
 */
export async function startBrowser(): Promise<Browser> {
	const executablePath = execFileSync(process.execPath, ['--input-type=module', '--eval', LOCATE], {
		cwd: import.meta.dirname,
		encoding: 'utf8',
	});
	// The attribute that n8n's editor marks its parts with; `getByTestId` looks for it.
	selectors.setTestIdAttribute('data-test-id');
	return chromium.launch({ executablePath, args: ['--disable-background-networking'] });
}

/** Signs in to n8n's editor as its owner, on its sign-in page. Throws when n8n refuses. */
export async function signIn(
	browser: Browser,
	{ url, owner }: Pick<N8nClient, 'url' | 'owner'>,
): Promise<BrowserSession> {
	const context = await browser.newContext();
	try {
		const page = await context.newPage();
		page.setDefaultTimeout(patienceMs);
		await page.goto(`${url}/signin`);
		await page.locator('input[type=email]').fill(owner.email);
		await page.locator('input[type=password]').fill(owner.password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL((address) => !address.pathname.includes('signin'));
		return await context.storageState();
	} finally {
		await context.close();
	}
}
