import type { Browser } from 'playwright-core';

export interface FormUser {
	username: string;
	password: string;
}

/** A page of a form: what a person types into its fields or ticks, by their labels, and its button. */
export interface FormPage {
	fields?: Record<string, string>;
	ticks?: readonly RegExp[];
	button: string;
}

/** Freezing more than a hundred cards takes a busy machine long. */
const timeoutMs = 120_000;

/**
 * Fills in the pages of a form and submits them, in a browser.
 *
 * @param url of the form
 * @returns what the last page says
 * @throws if there is no last page, for example because n8n cannot be reached at its address
 */
export async function submitForm(
	browser: Browser,
	url: string,
	user: FormUser,
	pages: readonly FormPage[],
): Promise<string> {
	const context = await browser.newContext({ httpCredentials: user });
	try {
		const page = await context.newPage();
		page.setDefaultTimeout(timeoutMs);
		await page.goto(url);
		// Every page but the first is submitted there. The last one does so by itself, which ends the execution.
		let submitted = 0;
		const ended = page.waitForResponse(
			(response) =>
				response.request().method() === 'POST' &&
				response.url().includes('/form-waiting/') &&
				++submitted === pages.length,
		);
		const fillIn = async () => {
			for (const { fields = {}, ticks = [], button } of pages) {
				for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
				for (const label of ticks) await page.getByLabel(label).check();
				await page.getByRole('button', { name: button }).click();
			}
		};
		await Promise.all([ended, fillIn()]);
		return await page.locator('body').innerText();
	} finally {
		await context.close();
	}
}
