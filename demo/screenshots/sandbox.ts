import type { SandboxFixture } from '../../harness/scenario/sandboxFixture.ts';
import type { Browser } from 'playwright-core';
import type { Studio } from './studio.ts';

/** Takes `sandbox-dashboard.png`: the page to be the card network, after a purchase abroad. */
export async function photographSandbox(
	studio: Studio,
	browser: Browser,
	{ sandbox, active: [card] }: SandboxFixture,
): Promise<void> {
	const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
	await page.goto(`${sandbox.url}/dashboard/simulate`);
	await page
		.getByRole('combobox', { name: 'Card' })
		.selectOption(`${card.name} •• ${card.lastFour}`);
	await page.getByText('Foreign').click();
	await page.getByRole('button', { name: 'Authorize', exact: true }).click();
	await page.locator('#result-deliveries').getByText('delivered').waitFor();
	await studio.take('sandbox-dashboard', page);
	await page.close();
}
