import type { Browser } from 'playwright-core';

import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import type { Screenshots } from './screenshots.ts';

/** Captures `sandbox-delivery.png`: a delivery of a purchase abroad. */
export async function captureSandbox(
	screenshots: Screenshots,
	browser: Browser,
	{ sandbox, active: [card] }: SandboxFixture,
): Promise<void> {
	const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
	await page.goto(`${sandbox.url}/dashboard/simulate`);
	await page
		.getByRole('combobox', { name: 'Card' })
		.selectOption(`${card.name} •• ${card.lastFour}`);
	await page.getByRole('link', { name: 'Foreign', exact: true }).click();
	await page.locator('[aria-current]').getByText('Foreign', { exact: true }).waitFor();
	await page.getByRole('button', { name: 'Authorize', exact: true }).click();
	const delivery = page.locator('#result-deliveries').getByRole('row').last();
	await delivery.getByText('delivered').waitFor();
	await delivery.getByRole('link').click();
	await page.getByRole('heading', { name: 'Attempts' }).waitFor();
	await screenshots.capture('sandbox-delivery', page);
	await page.close();
}
