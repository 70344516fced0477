import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page that is watched while a test uses it. */
interface WatchedPage {
	page: Page;
	/** Console errors, uncaught errors, and requests to another host than the page's. */
	problems: string[];
}

/** Opens a page with cookies and storage of its own at an address, and watches it. */
export async function openPage(
	browser: Browser,
	url: string,
	options: BrowserContextOptions = {},
): Promise<WatchedPage> {
	const context = await browser.newContext(options);
	const page = await context.newPage();
	const { host } = new URL(url);
	const problems: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error') problems.push(message.text());
	});
	page.on('pageerror', (error) => problems.push(String(error)));
	page.on('request', (request) => {
		if (new URL(request.url()).host !== host) problems.push(`request to ${request.url()}`);
	});
	await page.goto(url);
	return { page, problems };
}

/** Checks a page with axe: contrast, names, roles and structure. Gives each violation with its elements. */
export async function findViolations(page: Page): Promise<string[]> {
	const { violations, passes } = await new AxeBuilder({ page }).analyze();
	// Without a passed check of contrast, nothing was measured.
	if (!passes.some(({ id }) => id === 'color-contrast')) throw new Error('no text was measured');
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
	);
}

/**
 * Presses Tab until what matches the selector has the focus, once it can have it. Throws when Tab
 * never gets there, or when the focus cannot be seen.
 */
export async function tabTo(page: Page, selector: string): Promise<void> {
	const usable = page.locator(':not([inert], [inert] *)');
	await page.locator(selector).and(usable).first().waitFor();
	// Until its scripts have run, a button of the dashboard does nothing.
	await page.waitForLoadState();
	const look = `(() => {
		const { activeElement } = document;
		const reached = activeElement.matches(${JSON.stringify(selector)});
		return { reached, outline: getComputedStyle(activeElement).outlineStyle };
	})()`;
	for (let presses = 0; presses < 80; presses++) {
		await page.keyboard.press('Tab');
		const { reached, outline } = await page.evaluate<{ reached: boolean; outline: string }>(look);
		if (!reached) continue;
		if (outline === 'none') throw new Error(`the focus on ${selector} cannot be seen`);
		return;
	}
	throw new Error(`Tab does not reach ${selector}`);
}
