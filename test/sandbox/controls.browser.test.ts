import { tabTo } from '../support/browser.ts';
import { BAD_REQUEST, button, useDashboard } from '../support/dashboard.ts';

const onDashboard = useDashboard();

test('a moved clock is shown on every page until it is reset', () =>
	onDashboard('controls', async ({ sandbox, page, go }) => {
		await page.getByLabel('Set to').fill('2031-05-06T07:08:00Z');
		await page.keyboard.press('Enter');
		await page.getByText('it shows 2031-05-06 07:08 UTC').waitFor();
		expect((await sandbox.client.overview()).now).toMatch(/^2031-05-06T07:08/);
		for (const path of ['api', 'webhooks', 'signature', 'simulate', 'cards', 'accounts']) {
			await go(path);
			expect(await page.locator('#banner').textContent()).toContain('The clock has been changed');
		}
		await button(page, 'Reset the clock').click();
		await page.getByText('The clock has been changed').waitFor({ state: 'detached' });
		expect((await sandbox.control('GET', '/clock')).body).toMatchObject({ adjusted: false });
	}));

test('a fault is added by keyboard, counts, is shown in the banner, and is removed', () =>
	onDashboard(
		'controls',
		async ({ sandbox, page }) => {
			await tabTo(page, '#fault-form select');
			await tabTo(page, '#fault-form [name=status]');
			await page.keyboard.type('42');
			await page.keyboard.press('Enter');
			await page
				.locator('#fault-form')
				.getByText(/^status: .*greater than or equal to 400/)
				.waitFor();
			expect(await page.evaluate('document.activeElement.name')).toBe('status');
			await page.keyboard.press('ControlOrMeta+a');
			await page.keyboard.type('429');
			await tabTo(page, '#fault-form [name=path]');
			await page.keyboard.type('/cards');
			await page.keyboard.press('Enter');
			await page.locator('#banner').getByText('HTTP 429 for /cards').waitFor();
			expect((await sandbox.api('GET', '/cards')).status).toBe(429);
			await page.locator('#fault-list').getByText('Applied 1 time').waitFor();
			await button(page, 'Remove HTTP 429 for /cards').click();
			await page.getByText('No faults are active.').first().waitFor();
			expect((await sandbox.api('GET', '/cards')).status).toBe(200);
		},
		{},
		[BAD_REQUEST],
	));

test('a feature is switched off and on, and shows what others switch', () =>
	onDashboard('controls', async ({ sandbox, page }) => {
		const marketing = page.getByRole('group', { name: /^Marketing/ });
		const cards = marketing.getByRole('switch', { name: /^Card management/ });
		await cards.focus();
		await page.keyboard.press('Space');
		await page.getByText('Features of Marketing updated.').waitFor();
		const features = async () => (await sandbox.client.accounts())[1]?.features;
		expect(await features()).toEqual({
			cardManagement: false,
			accountManagement: true,
			webhooks: true,
		});
		await sandbox.client.setFeatures(1002, { cardManagement: true, webhooks: false });
		await marketing.getByRole('switch', { name: /^Webhooks/, checked: false }).waitFor();
		await marketing.getByRole('switch', { name: /^Card management/, checked: true }).waitFor();
	}));

test('the sandbox is reset only after a confirmation', () =>
	onDashboard('controls', async ({ sandbox, page }) => {
		await page.getByLabel('Data afterwards').selectOption('none');
		await button(page, 'Reset…').click();
		await button(page, 'Cancel').click();
		expect((await sandbox.client.overview()).counts.cards).toBe(13);
		await button(page, 'Reset…').click();
		await button(page, 'Reset sandbox').click();
		await page.getByText('The sandbox was reset (seed: none).').waitFor();
		expect((await sandbox.client.overview()).counts.cards).toBe(0);
	}));

test('the request log shows requests as they come, filters them, and gives the matching curl', () =>
	onDashboard('requests', async ({ sandbox, page }) => {
		await page.getByText('No requests yet.').waitFor();
		await sandbox.api('GET', '/balance');
		await sandbox.api('GET', '/payments?from=2026-01-01&to=2026-01-31', 'Bearer wrong-key-1234');
		const rows = page.locator('#requests tbody tr');
		await rows.getByText('unknown …1234').waitFor();
		expect(await rows.count()).toBe(2);
		await page.getByLabel('Status').selectOption('4xx');
		await rows.getByText('/balance').waitFor({ state: 'detached' });
		expect(await rows.count()).toBe(1);
		await page.getByRole('link', { name: /^GET \/payments/ }).click();
		await page.getByText('"The API key is not valid"').waitFor();
		expect(await page.getByLabel('Matching curl').inputValue()).toBe(
			`curl -H "Authorization: Bearer $API_KEY" '${sandbox.apiUrl}/payments?from=2026-01-01&to=2026-01-31'`,
		);
		expect(await page.content()).not.toContain('wrong-key-1234');
	}));
