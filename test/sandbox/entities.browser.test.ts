import type { Page } from 'playwright-core';

import { findViolations, tabTo } from '../support/browser.ts';
import { BAD_REQUEST, button, useDashboard } from '../support/dashboard.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId } from './support/sandbox.ts';

/** A card of account 1001 without a limit: "Team travel •• 7751". */
const CARD = cardId(3);
const onDashboard = useDashboard();

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('links lead from a delivery to its event on the transaction, the card and the account, and back', () =>
	onDashboard('webhooks', async ({ sandbox, page, go }) => {
		const receiver = await startReceiver();
		await sandbox.client.subscribe(1001, receiver.url);
		const purchase = { cardId: CARD, amount: '12.00', merchantName: 'CAFE' };
		const { event, deliveries } = await sandbox.client.authorize(purchase);
		await receiver.waitFor(1);
		await go(`webhooks/deliveries/${deliveries[0]?.id ?? ''}`);
		await link(page, 'Transaction').click();
		await heading(page, 'CAFE').waitFor();
		const row = page.locator(`[id="event-${event.id}"]:target`);
		await row.getByText('Authorized $12.00').click();
		expect(JSON.parse((await row.getByLabel('Fields').textContent()) ?? '')).toEqual(event);
		await link(page, 'Team travel •• 7751').click();
		await heading(page, 'Team travel').waitFor();
		await page
			.locator('#card')
			.getByRole('link', { name: /^Delivery to .*: delivered$/ })
			.click();
		await heading(page, 'Approved $12.00 CAFE').waitFor();
		await link(page, 'Operating (1001)').click();
		await heading(page, 'Operating').waitFor();
	}));

test('a card’s ID and the matching curl are copied by keyboard; the curl holds no key', () =>
	onDashboard(
		`cards/${CARD}`,
		async ({ sandbox, page }) => {
			const clipboard = () => page.evaluate('navigator.clipboard.readText()');
			await tabTo(page, '[aria-label="Copy card ID"]');
			await page.keyboard.press('Enter');
			await page.getByText('Copied to the clipboard.').waitFor();
			expect(await clipboard()).toBe(CARD);
			await tabTo(page, '#curl-0 + button');
			await page.keyboard.press('Enter');
			await button(page, 'Copied').last().waitFor();
			expect(await clipboard()).toBe(
				`curl -H "Authorization: Bearer $API_KEY" '${sandbox.apiUrl}/cards/${CARD}'`,
			);
		},
		{ permissions: ['clipboard-read', 'clipboard-write'] },
	));

test('a card is created, frozen and archived; a wrong value is shown beside its field', () =>
	onDashboard(
		'cards',
		async ({ sandbox, page }) => {
			await button(page, 'New card').click();
			const dialog = page.getByRole('dialog');
			await dialog.getByLabel('Name').fill('Field trips');
			await dialog.getByLabel('Limit (optional)').fill('12.345');
			await dialog.getByText('Categories (none selected: any merchant)').click();
			await dialog.getByRole('checkbox', { name: 'lodging' }).check();
			await dialog.getByRole('button', { name: 'Create card' }).click();
			const limit = dialog.getByLabel('Limit (optional)');
			await dialog.getByText(/^limit\.amount: expected a decimal string/).waitFor();
			expect(await limit.getAttribute('aria-invalid')).toBe('true');
			expect(await page.evaluate('document.activeElement.name')).toBe('limit.amount');
			await limit.fill('75.00');
			await page.keyboard.press('Enter');
			await heading(page, 'Field trips').waitFor();
			await page.getByText('$75.00 of $75.00 left').waitFor();
			const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
			expect(await sandbox.api('GET', `/cards/${id}`)).toMatchObject({
				status: 200,
				body: { categories: ['lodging'], limit: { amount: '75.00', type: 'monthly' } },
			});
			await page.getByRole('button', { name: /^Freeze/ }).click();
			await page.locator('#card').getByText('frozen', { exact: true }).waitFor();
			await page.getByRole('button', { name: /^Unfreeze/ }).click();
			await page.locator('#card').getByText('active', { exact: true }).waitFor();
			await page.getByRole('button', { name: /^Archive/ }).click();
			await button(page, 'Archive card').click();
			await page.locator('#card').getByText('archived', { exact: true }).waitFor();
		},
		{},
		[BAD_REQUEST],
	));

test.each(['light', 'dark'] as const)(
	'under the pointer, a dangerous button keeps its colour, and buttons are readable: %s',
	(colorScheme) =>
		onDashboard(
			`cards/${CARD}`,
			async ({ page, go }) => {
				await page.getByRole('button', { name: /^Archive/ }).click();
				const archive = button(page, 'Archive card');
				await archive.waitFor();
				const colour = () =>
					page.evaluate("getComputedStyle(document.querySelector('.danger')).backgroundColor");
				const before = await colour();
				await archive.hover();
				expect(await colour()).toBe(before);
				expect(await findViolations(page)).toEqual([]);
				await go('simulate');
				await button(page, 'Authorize').hover();
				expect(await findViolations(page)).toEqual([]);
			},
			// Without it, colours change slowly.
			{ colorScheme, reducedMotion: 'reduce' },
		),
);

test('funds are transferred; too much is refused beside the amount', () =>
	onDashboard(
		'accounts/1001',
		async ({ page }) => {
			const form = page.locator('#transfer-form');
			await form.getByLabel('Amount').fill('9999999.00');
			await button(page, 'Transfer').click();
			await form.getByText('amount: insufficient funds in the source account').waitFor();
			expect(await form.getByLabel('Amount').getAttribute('aria-invalid')).toBe('true');
			await form.getByLabel('Amount').fill('1000.00');
			await button(page, 'Transfer').click();
			await page.getByText('$1,000.00 transferred to account 1002').waitFor();
			await page.locator('#account').getByText('$249,000.00').waitFor();
			expect(await form.locator('.error').textContent()).toBe('');
			expect(await form.locator('[aria-invalid=true]').count()).toBe(0);
		},
		{},
		[BAD_REQUEST],
	));

test('a transaction shows its steps, and is cleared in part and reversed', () =>
	onDashboard('transactions', async ({ sandbox, page, go }) => {
		const purchase = { cardId: CARD, amount: '30.00', merchantName: 'DEPOT' };
		const { transaction } = await sandbox.client.authorize(purchase);
		await go(`transactions/${transaction.id}`);
		await button(page, 'Clear $30.00 at DEPOT').click();
		await page.getByLabel('Amount in USD').fill('10.00');
		await button(page, 'Clear').click();
		await page.locator('summary').getByText('Cleared $10.00').waitFor();
		expect(await page.locator('[id^=settlement-]').count()).toBe(1);
		await button(page, 'Reverse $30.00 at DEPOT').click();
		await button(page, 'Reverse').click();
		await page.locator('summary').getByText('Reversed $20.00').waitFor();
		await page.locator('#transaction').getByText('settled', { exact: true }).waitFor();
		const steps = page.locator('#transaction [id^=event-]');
		expect(await steps.allTextContents()).toEqual([
			expect.stringContaining('Authorized $30.00'),
			expect.stringContaining('Cleared $10.00'),
			expect.stringContaining('Reversed $20.00'),
		]);
	}));

test('cards are found by name, last four digits and ID, transactions by merchant', () =>
	onDashboard('cards', async ({ page, go }) => {
		const search = page.getByRole('searchbox', { name: 'Search' });
		const rows = page.locator('#cards td:first-child');
		for (const [term, found] of [
			['DINNERS', ['Client dinners']],
			['7751', ['Team travel']],
			[CARD.toUpperCase(), ['Team travel']],
		] as const) {
			await search.fill(term);
			await page.keyboard.press('Enter');
			await rows.getByText(found[0]).waitFor();
			await page.getByText('Page 1 of 1 · 1 card', { exact: true }).waitFor();
			expect(await rows.getByRole('link').allTextContents()).toEqual(found);
		}
		await go('transactions');
		await search.fill('voltbarn');
		await page.keyboard.press('Enter');
		await page.getByText('Page 1 of 1 · 2 transactions', { exact: true }).waitFor();
		const merchants = await page.locator('td:first-child a').allTextContents();
		expect(new Set(merchants)).toEqual(new Set(['VOLTBARN ELECTRONICS']));
		expect(new URL(page.url()).searchParams.get('search')).toBe('voltbarn');
		await page.locator('td:first-child a').first().click();
		await heading(page, 'VOLTBARN ELECTRONICS').waitFor();
	}));

test('an account shows its payments, the latest due date first, and gives the request for them', () =>
	onDashboard('accounts', async ({ sandbox, page }) => {
		await link(page, 'Marketing (1002)').click();
		await heading(page, 'Marketing').waitFor();
		const request = await page.getByLabel('Payments of one day').inputValue();
		const [path = ''] = /\/payments\?[^']+/.exec(request) ?? [];
		const { body } = await sandbox.api('GET', path);
		const ids = page.locator('[id^=payment-] code');
		expect(body).toMatchObject({ data: [{ id: await ids.first().textContent() }] });
		const due = await page.locator('[id^=payment-] td:nth-child(3)').allTextContents();
		expect(due.length).toBeGreaterThan(1);
		expect(due).toEqual(due.toSorted().toReversed());
	}));

const LONG = 'W'.repeat(255);

test.each([
	['light', 390],
	['dark', 320],
] as const)('long names fit, and every text is readable: %s, %i px', (colorScheme, width) =>
	onDashboard(
		'accounts',
		async ({ sandbox, page, go }) => {
			await sandbox.send('PATCH', '/accounts/1001', { name: LONG });
			const { body } = await sandbox.send('POST', '/cards', { name: LONG, type: 'recurring' });
			const id = /[0-9a-f-]{36}/.exec(JSON.stringify(body))?.[0] ?? '';
			const purchase = { cardId: id, amount: '5.00', merchantName: LONG };
			const { transaction } = await sandbox.client.authorize(purchase);
			for (const path of [
				'accounts',
				'accounts/1001',
				'cards',
				`cards/${id}`,
				'transactions',
				`transactions/${transaction.id}`,
			]) {
				await go(path);
				expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
					path,
					width,
				]);
				expect([path, await findViolations(page)]).toEqual([path, []]);
			}
		},
		{ colorScheme, viewport: { width, height: 780 } },
	),
);
