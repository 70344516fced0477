import type { Browser } from 'playwright-core';

import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import type { Screenshots } from './screenshots.ts';

/** A card of the account Marketing, which has no endpoint. */
const cardWithoutEndpoint = 'Client dinners •• 7318';

/** Captures `sandbox-delivery.png`, a delivery, and `sandbox-first-run.png`, an event that nobody received. */
export async function captureSandbox(
	screenshots: Screenshots,
	browser: Browser,
	{ sandbox, active: [card] }: SandboxFixture,
): Promise<void> {
	const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
	const simulate = async (option: string, scenario: string) => {
		await page.goto(`${sandbox.url}/dashboard/simulate`);
		await page.getByRole('combobox', { name: 'Card' }).selectOption(option);
		await page.getByRole('link', { name: scenario, exact: true }).click();
		await page.locator('[aria-current]').getByText(scenario, { exact: true }).waitFor();
		await page.getByRole('button', { name: 'Authorize', exact: true }).click();
	};
	await simulate(`${card.name} •• ${card.lastFour}`, 'Foreign');
	const delivery = page.locator('#result-deliveries').getByRole('row').last();
	await delivery.getByText('delivered').waitFor();
	await delivery.getByRole('link').click();
	await page.getByRole('heading', { name: 'Attempts' }).waitFor();
	await screenshots.capture('sandbox-delivery', page);
	await simulate(cardWithoutEndpoint, 'Decline abroad');
	await page.getByText('Nobody received this event').waitFor();
	await screenshots.capture('sandbox-first-run', page);
	await page.close();
}
