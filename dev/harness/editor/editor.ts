import type { Browser, Page } from 'playwright-core';

import type { N8nClient } from '../n8n/client.ts';
import { timeoutMs } from './browser.ts';

/** A page of the editor, and the errors of its console since it was opened. */
export interface EditorPage {
	page: Page;
	errors: string[];
}

/** Makes `isConnected` true in a page as soon as one of its WebSockets is open. */
const watchConnection = `window.WebSocket = class extends WebSocket {
	constructor(...args) {
		super(...args);
		this.addEventListener('open', () => { window.isConnected = true; });
	}
};`;

/** The editor of a running n8n, in a browser, signed in as its owner. */
export type Editor = Awaited<ReturnType<typeof openEditor>>;

/** Signs in to the editor in a browser. Throws if n8n refuses. */
export async function openEditor(n8n: N8nClient, browser: Browser) {
	const context = await browser.newContext({
		viewport: { width: 1440, height: 900 },
		colorScheme: 'light',
	});
	await context.addInitScript(watchConnection);
	const { email, password } = n8n.owner;
	const data = { emailOrLdapLoginId: email, password };
	// The context keeps the cookie.
	await context.request.post(`${n8n.url}/rest/login`, { data, failOnStatusCode: true });
	const { origin } = new URL(n8n.url);

	/**
	 * Opens a page of the editor by its path, e.g. `/workflow/<id>/<node id>`: a node's form. The pages
	 * share one cache.
	 */
	const openPage = async (path: string): Promise<EditorPage> => {
		const page = await context.newPage();
		page.setDefaultTimeout(timeoutMs);
		const errors: string[] = [];
		page.on('pageerror', (error) => errors.push(String(error)));
		page.on('console', (message) => {
			const isOurs = message.location().url.startsWith(origin);
			if (message.type() === 'error' && isOurs) errors.push(message.text());
		});
		await page.goto(n8n.url + path);
		// Until it is connected to n8n, the editor responds to "Execute step" with "Lost connection".
		if (path.startsWith('/workflow/')) await page.waitForFunction('window.isConnected === true');
		return { page, errors };
	};
	return { n8n, page: openPage };
}
