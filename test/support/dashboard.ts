import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startSandbox, type TestSandbox } from '../sandbox/support/sandbox.ts';
import { openPage } from './browser.ts';

/** A page of the dashboard of a new sandbox. */
export interface OpenedDashboard {
	sandbox: TestSandbox;
	page: Page;
	go: (path: string) => Promise<unknown>;
}

/**
 * Does something on a page of a new sandbox's dashboard. Afterwards the console must hold only the
 * errors that are expected (each given by its beginning, and present), and nothing may have been
 * requested from another host.
 */
export async function onDashboard(
	browser: Browser,
	path: string,
	use: (opened: OpenedDashboard) => Promise<void>,
	options: BrowserContextOptions = {},
	expected: string[] = [],
): Promise<void> {
	const deliveries = { baseDelay: 1, maxDelay: 5, maxAttempts: 2 };
	const sandbox = await startSandbox({ deliveries });
	const address = (name: string) => `${sandbox.url}/dashboard/${name}`;
	const { page, problems } = await openPage(browser, address(path), options);
	page.setDefaultTimeout(30_000);
	try {
		await use({ sandbox, page, go: (name) => page.goto(address(name)) });
	} finally {
		await page.context().close();
	}
	const startsAs = (problem: string) =>
		expected.find((each) => problem.startsWith(each)) ?? problem;
	expect([...new Set(problems.map(startsAs))].sort()).toEqual([...expected].sort());
}
