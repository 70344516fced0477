import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

import { startBrowser } from '../../dev/harness/editor/browser.ts';
import { startSandbox, type TestSandbox } from '../sandbox/support/sandbox.ts';
import { openPage } from './browser.ts';

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
		const { page, problems } = await openPage(browser, address(path), options);
		page.setDefaultTimeout(60_000);
		try {
			await use({ sandbox, page, go: (name) => page.goto(address(name)) });
		} finally {
			await page.context().close();
		}
		const kinds = new Set(
			problems.map((problem) => expected.find((each) => problem.startsWith(each)) ?? problem),
		);
		expect([...kinds].sort()).toEqual([...expected].sort());
	};
}
