import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

import { startBrowser } from '../../dev/harness/editor/browser.ts';
import { startSandbox, type TestSandbox } from '../sandbox/support/sandbox.ts';

/** A page of the dashboard of a new sandbox. */
interface OpenedDashboard {
	sandbox: TestSandbox;
	page: Page;
	go: (path: string) => Promise<unknown>;
}

/** What the console says when the sandbox refuses what a form holds. */
export const BAD_REQUEST =
	'Failed to load resource: the server responded with a status of 400 (Bad Request)';

/** The button with exactly this name. */
export const button = (page: Page | Locator, name: string): Locator =>
	page.getByRole('button', { name, exact: true });

/**
 * Launches a browser for the tests of a file. The function that it gives does something on a page of a new
 * sandbox's dashboard. Afterwards the console must hold only the errors that are expected, and nothing may have been
 * requested from another host.
 */
export function useDashboard() {
	let browser: Browser;
	jest.setTimeout(180_000);
	beforeAll(async () => {
		browser = await startBrowser();
	}, 180_000);
	afterAll(() => browser.close());

	return async (
		path: string,
		use: (opened: OpenedDashboard) => Promise<void>,
		options: BrowserContextOptions = {},
		expected: string[] = [],
	): Promise<void> => {
		const deliveries = { baseDelay: 1, maxDelay: 5, maxAttempts: 2 };
		const sandbox = await startSandbox({ deliveries });
		const address = (name: string) => `${sandbox.url}/dashboard${name}`;
		const context = await browser.newContext(options);
		const page = await context.newPage();
		page.setDefaultTimeout(60_000);
		const problems: string[] = [];
		page.on('console', (message) => {
			if (message.type() === 'error') problems.push(message.text());
		});
		page.on('pageerror', (error) => problems.push(String(error)));
		page.on('request', (request) => {
			if (!request.url().startsWith(sandbox.url)) problems.push(`request to ${request.url()}`);
		});
		try {
			await page.goto(address(path));
			await use({ sandbox, page, go: (name) => page.goto(address(name)) });
		} finally {
			await context.close();
		}
		const kinds = new Set(
			problems.map((problem) => expected.find((each) => problem.startsWith(each)) ?? problem),
		);
		expect([...kinds].sort()).toEqual([...expected].sort());
	};
}

/** Checks a page with axe: contrast, and unless it is only about colors, names, roles and structure. Gives each violation with its elements. */
export async function findViolations(page: Page, onlyColors: boolean): Promise<string[]> {
	const { violations, passes } = await new AxeBuilder({ page })
		.options({
			resultTypes: ['violations'],
			...(onlyColors && { runOnly: { type: 'rule', values: ['color-contrast'] } }),
		})
		// Without frames, it need not open a second page each time.
		.setLegacyMode()
		.analyze();
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
