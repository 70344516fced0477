import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright, type Page } from 'playwright-core';
import type { N8n } from './n8n.ts';

/** Starts the Chromium that `npm ci` brings, without its calls home. */
export async function startBrowser(): Promise<Browser> {
	return playwright.launch({
		executablePath: await chromium.executablePath(),
		args: [...chromium.args, '--disable-background-networking', '--disable-component-update'],
	});
}

/** Opens n8n's editor and signs in as its owner. Gives the page, in light colours unless told. */
export async function signIn(
	browser: Browser,
	{ url, owner }: N8n,
	colorScheme: 'light' | 'dark' = 'light',
): Promise<Page> {
	const context = await browser.newContext({
		colorScheme,
		viewport: { width: 1440, height: 900 },
		deviceScaleFactor: 1.5,
	});
	const page = await context.newPage();
	await page.goto(`${url}/signin`);
	await page.locator('input[type=email]').fill(owner.email);
	await page.locator('input[type=password]').fill(owner.password);
	await page.locator('form button, [data-test-id=form-submit-button]').first().click();
	await page.waitForURL((address) => !address.pathname.includes('signin'));
	return page;
}
