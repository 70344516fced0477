import type { Browser } from 'playwright-core';

/** Who may use the form. */
export interface FormUser {
	username: string;
	password: string;
}

/** Freezing more than a hundred cards takes a busy machine long. */
const timeoutMs = 120_000;

/**
 * Fills in the form of "Freeze every card at once" and submits it, in a browser.
 *
 * @param url of the form
 * @param confirmation what the person types to confirm
 * @returns what the last page says
 * @throws if there is no last page, for example because n8n cannot be reached at its address
 */
export async function submitIncidentForm(
	browser: Browser,
	url: string,
	user: FormUser,
	confirmation: string,
): Promise<string> {
	const context = await browser.newContext({ httpCredentials: user });
	try {
		const page = await context.newPage();
		page.setDefaultTimeout(timeoutMs);
		await page.goto(url);
		await page.getByLabel('Reason').fill('Card numbers leaked');
		await page.getByLabel('Type FREEZE to confirm').fill(confirmation);
		// The last page tells n8n by itself that it has been shown, which ends the execution.
		const shown = page.waitForResponse(
			(response) =>
				response.request().method() === 'POST' && response.url().includes('/form-waiting/'),
		);
		const done = page.getByRole('heading', { name: /frozen|Nothing was done/ });
		await Promise.all([
			shown,
			page
				.getByRole('button', { name: 'Freeze all cards' })
				.click()
				.then(() => done.waitFor()),
		]);
		return await page.locator('body').innerText();
	} finally {
		await context.close();
	}
}
