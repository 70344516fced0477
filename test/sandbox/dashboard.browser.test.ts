import type { Page } from 'playwright-core';

import { sign } from '../../dev/harness/signing.ts';
import { eventually } from '../../dev/harness/tools/waiting.ts';
import { findViolations, tabTo } from '../support/browser.ts';
import { BAD_REQUEST, button, useDashboard } from '../support/dashboard.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId } from './support/sandbox.ts';

/** A card of account 1001 without a limit: "Team travel". */
const CARD = cardId(3);

const onDashboard = useDashboard();

/** Reads the secret that the open dialog shows, once. */
const shownSecret = (page: Page) => page.getByRole('dialog').getByRole('textbox').inputValue();

const dialogGone = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' });

/** The text of what has the focus. */
const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

test(
	'key, endpoint, decline, delivery, rotation and redelivery, by keyboard only',
	() =>
		onDashboard(
			'',
			async ({ sandbox, page, questions }) => {
				const receiver = await startReceiver();
				const press = (key: string) => page.keyboard.press(key);
				const enterAt = async (selector: string) => {
					await tabTo(page, selector);
					await press('Enter');
				};
				/** Escape does not lose a secret; afterwards nothing of it stays, and the focus is back. */
				const copyAndClose = async () => {
					const secret = await shownSecret(page);
					expect(await focused(page)).toBe('Copy');
					await press('Escape');
					await press('Escape');
					await press('Enter');
					await page.getByText('Copied to the clipboard.').waitFor();
					expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
					await enterAt('dialog form button');
					await dialogGone(page);
					expect(await page.content()).not.toContain(secret);
					return secret;
				};

				await enterAt('#key-form button');
				const key = await copyAndClose();
				expect(await focused(page)).toBe('Generate key');
				expect(questions).toEqual([expect.stringContaining('stops working immediately')]);
				expect((await sandbox.api('GET', '/health')).status).toBe(401);
				expect((await sandbox.api('GET', '/health', `Bearer ${key}`)).status).toBe(200);

				await enterAt('nav a[href$=webhooks]');
				await tabTo(page, 'input[name=url]');
				await page.keyboard.type(receiver.url);
				await press('Enter');
				const secret = await copyAndClose();
				expect(await page.getByLabel('Endpoint URL').inputValue()).toBe('');

				await enterAt('nav a[href$=simulate]');
				await tabTo(page, 'select[name=cardId]');
				const card = page.getByRole('combobox', { name: 'Card' });
				await eventually(async () => {
					const chosen = await card.inputValue();
					if (chosen !== CARD) await press('ArrowDown');
					expect(chosen).toBe(CARD);
				});
				await enterAt('#scenario-decline');
				await page.locator('#scenario-decline[aria-current]').waitFor();
				expect(await focused(page)).toBe('Decline');
				expect(await card.inputValue()).toBe(CARD);
				await enterAt('form[id^=pay-] button');
				await page.locator('#result').getByText('insufficient funds (network)').waitFor();
				await page.locator('#result-deliveries').getByText('delivered').waitFor();
				await enterAt('#result-deliveries a');
				await page.getByText('Empty.').waitFor();
				const [first] = await receiver.waitFor(1);
				const body = first?.body ?? Buffer.alloc(0);
				expect(JSON.parse(body.toString())).toMatchObject({ cardId: CARD, amount: '649.00' });
				expect(await page.locator('textarea[name=body]').inputValue()).toBe(String(body));
				expect(first?.headers['x-webhook-signature']).toBe(sign(body, secret));

				await enterAt('nav a[href$=webhooks]');
				await enterAt('[aria-label^=Rotate]');
				await page.getByText('New signing secret').first().waitFor();
				const rotated = await copyAndClose();
				expect(questions[1]).toContain('for 24 hours');
				await page.getByText(/Its previous secret is valid until/).waitFor();
				await enterAt('[id^=delivery-] a');
				await enterAt('[aria-label^=Redeliver]');
				const [, second] = await receiver.waitFor(2);
				expect(second?.body).toEqual(body);
				expect(second?.headers['x-webhook-signature']).toBe(
					`${sign(body, rotated)},${sign(body, secret)}`,
				);
			},
			CLIPBOARD,
		),
	240_000,
);

test('an event that nobody received offers to add an endpoint, which receives the next event; a phone scrolls to it', () =>
	onDashboard(
		'/simulate?scenario=decline-abroad',
		async ({ page }) => {
			const receiver = await startReceiver();
			await page
				.getByRole('combobox', { name: 'Card' })
				.selectOption('Client dinners •• 7318 · Marketing');
			await button(page, 'Authorize').click();
			await page.getByText('no endpoint for account Marketing').waitFor();
			await eventually(async () => {
				const { y = -1, height = 0 } = (await page.locator('#result').boundingBox()) ?? {};
				expect(y).toBeGreaterThanOrEqual(0);
				expect(y + height).toBeLessThanOrEqual(780);
			});
			const url = page.locator('#result').getByLabel('Endpoint URL');
			await url.fill(receiver.url);
			await page.waitForResponse(/simulate/);
			expect(await url.inputValue()).toBe(receiver.url);
			await button(page, 'Add endpoint').click();
			await button(page, 'Done').click();
			await page.getByText('Now it has one').waitFor();
			await button(page, 'Authorize').click();
			await page.locator('#result-deliveries').getByText('delivered').waitFor();
			const [delivery] = await receiver.waitFor(1);
			expect(JSON.parse(String(delivery?.body))).toMatchObject({ merchantCountry: 'RO' });
		},
		{ viewport: { width: 390, height: 780 } },
	));

test('an attempt that was opened stays open when the delivery is updated', () =>
	onDashboard('/webhooks', async ({ sandbox, page, go }) => {
		const receiver = await startReceiver((response, index) => {
			response.writeHead(index === 0 ? 503 : 500).end(index === 0 ? '<b>closed</b>' : '');
		});
		await sandbox.client.subscribe(1001, receiver.url);
		const { deliveries } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
		await page.getByText(/^HTTP 500/).waitFor();
		await go(`/webhooks/deliveries/${deliveries[0]?.id ?? ''}`);
		await page.getByText('2 attempts, newest first').waitFor();
		const response = page.locator('#attempt-1').getByLabel('Response');
		expect(await response.isVisible()).toBe(false);
		await page.locator('#attempt-1').getByText('HTTP 503').click();
		expect(await response.textContent()).toBe('<b>closed</b>');
		for (let update = 0; update < 2; update++) await page.waitForResponse(/deliveries\/[^/]+$/);
		expect(await response.isVisible()).toBe(true);
	}));

test('a transaction is cleared in part and released; too much is refused beside the amount', () =>
	onDashboard(
		'',
		async ({ sandbox, page, go }) => {
			const purchase = { cardId: CARD, amount: '30.00', merchantName: 'DEPOT' };
			const { transaction } = await sandbox.client.authorize(purchase);
			await go(`/transactions/${transaction.id}`);
			const amount = page.getByLabel('Amount, if not all');
			await amount.fill('30.01');
			await button(page, 'clearing').click();
			await page.locator('#step-form').getByText('amount: only 30.00 is held').waitFor();
			expect(await amount.getAttribute('aria-invalid')).toBe('true');
			await amount.fill('10.00');
			await button(page, 'clearing').click();
			await page.locator('summary').getByText('Cleared $10.00').waitFor();
			await button(page, 'release').click();
			await page.locator('summary').getByText('Released $20.00').waitFor();
			await page.locator('#facts-heading').getByText('settled').waitFor();
			await button(page, 'release').waitFor({ state: 'detached' });
			await button(page, 'refund').waitFor();
		},
		{},
		[BAD_REQUEST],
	));

test('a card is edited, frozen and archived', () =>
	onDashboard('/cards?search=7751', async ({ page, go, questions }) => {
		const card = page.locator(`[id="card-${CARD}"]`);
		await card.getByRole('link', { name: /^Edit/ }).click();
		await page.getByLabel('Name').fill('Field trips');
		await page.getByLabel('Limit (optional)').fill('75.00');
		await button(page, 'Save').click();
		await page.getByText('Field trips •• 7751 is updated.').waitFor();
		await go('/cards?search=7751');
		await card.getByText('of $75.00').waitFor();
		await card.getByRole('button', { name: 'Freeze Field trips •• 7751' }).click();
		await card.getByText('frozen', { exact: true }).waitFor();
		await card.getByRole('button', { name: /^Archive/ }).click();
		await card.getByText('archived', { exact: true }).waitFor();
		expect(questions).toEqual([expect.stringContaining('never become active again')]);
		await card.getByRole('link', { name: /^Edit/ }).waitFor({ state: 'detached' });
	}));

test('clock and faults are changed, shown on every page, and reset', () =>
	onDashboard(
		'/controls',
		async ({ sandbox, page, go }) => {
			await sandbox.client.setClock(new Date('2031-05-06T07:08:00Z'));
			await page.locator('#banner').getByText('May 6, 2031, 07:08').waitFor();
			await button(page, '+ 30 days on the clock').click();
			await page.locator('#banner').getByText('Jun 5, 2031, 07:08').waitFor();
			const fault = page.getByRole('combobox', { name: 'Fault' });
			await fault.selectOption('Error, status 429, retryAfter 2');
			await page.getByLabel('Times at most').fill('0');
			await button(page, 'Add fault').click();
			await page
				.locator('#fault-form')
				.getByText(/^times: /)
				.waitFor();
			expect(await page.evaluate('document.activeElement.name')).toBe('times');
			await page.getByLabel('Times at most').fill('9');
			await button(page, 'Add fault').click();
			await page.locator('#banner').getByText('Error, status 429').waitFor();
			expect((await sandbox.api('GET', '/cards')).status).toBe(429);
			await go('/cards');
			await button(page, 'Reset faults').click();
			await button(page, 'Reset clock').click();
			await page.locator('#banner > .alert').first().waitFor({ state: 'detached' });
			expect((await sandbox.api('GET', '/cards')).status).toBe(200);
			expect((await sandbox.control('GET', '/clock')).body).toMatchObject({ adjusted: false });
		},
		{},
		[BAD_REQUEST],
	));

test('a feature is switched off, and the page shows what others switch', () =>
	onDashboard('/accounts', async ({ sandbox, page }) => {
		const marketing = page.getByRole('region', { name: 'Marketing' });
		await button(marketing, 'Switch off Card management of Marketing').press('Enter');
		await page.getByText('Features of Marketing updated.').waitFor();
		const features = async () => (await sandbox.client.accounts())[1]?.features;
		expect(await features()).toMatchObject({ cardManagement: false, webhooks: true });
		await sandbox.client.setFeatures(1002, { cardManagement: true, webhooks: false });
		await button(marketing, 'Switch on Webhooks of Marketing').waitFor();
		await button(marketing, 'Switch off Card management of Marketing').waitFor();
	}));

test('a request is opened in the log, with its response and curl, and stays open', () =>
	onDashboard('/requests', async ({ sandbox, page }) => {
		await page.getByText('No requests yet.').waitFor();
		await sandbox.api('GET', '/cards?page=1', 'Bearer wrong-key-1234');
		await page.getByText('unknown …1234').click();
		await page.getByText('"The API key is not valid"').waitFor();
		await sandbox.api('GET', '/cards?color=red');
		await page.getByText('color=red').waitFor();
		expect(await page.getByLabel('Matching curl').inputValue()).toBe(
			`curl -H "Authorization: Bearer $API_KEY" '${sandbox.apiUrl}/cards?page=1'`,
		);
		await page.getByText('color=red').click();
		await page.getByText('unknown parameter color: ignored').waitFor();
	}));

test('the reference sends a request with a key', () =>
	onDashboard('/reference', async ({ sandbox, page }) => {
		await page.getByPlaceholder('api-token').fill(sandbox.apiKey);
		await button(page, 'SET').click();
		await page.getByText('Check the connection').first().click();
		await button(page, 'TRY').first().click();
		await page.getByText('Response Status: OK:200').waitFor();
		const [request] = await sandbox.client.requests({ path: '/health' });
		expect(request).toMatchObject({ status: 200 });
	}));

test('an unreachable sandbox is reported', () =>
	onDashboard(
		'/cards',
		async ({ page }) => {
			await page.context().setOffline(true);
			await page.getByText('The sandbox does not respond. Is it still running?').waitFor();
		},
		{},
		[
			'Failed to load resource: net::ERR_INTERNET_DISCONNECTED',
			'htmx: htmx:error: Failed to fetch',
		],
	));

const LONG = 'W'.repeat(200);

test.each([
	['light', 390],
	['dark', 1280],
] as const)('every page is accessible, and fits however long names are: %s, %i px', (...look) =>
	onDashboard(
		'',
		async ({ sandbox, page, go }) => {
			await sandbox.client.subscribe(1001, `http://127.0.0.1:1/${LONG}`);
			await sandbox.send('PATCH', '/accounts/1002', { name: LONG });
			await sandbox.send('PATCH', `/cards/${CARD}`, { name: LONG });
			const purchase = { cardId: CARD, amount: '999999999.00', merchantName: LONG };
			const { transaction, deliveries } = await sandbox.client.authorize(purchase);
			await sandbox.client.setFaults([{ kind: 'status', status: 503, path: `/${LONG}` }]);
			await sandbox.client.advanceClock(60);
			for (const path of [
				'',
				'/webhooks',
				`/webhooks/deliveries/${deliveries[0]?.id ?? ''}`,
				'/simulate',
				'/requests',
				'/cards',
				`/cards/${CARD}/edit`,
				'/transactions',
				`/transactions/${transaction.id}`,
				'/accounts',
				'/controls',
				'/reference',
				'/reference?of=control',
			]) {
				await go(path);
				await page.waitForLoadState('networkidle');
				await page.locator('#banner > .alert').last().waitFor();
				for (const closed of await page.locator('#main details:not([open])').all()) {
					await closed.evaluate('(each) => { each.open = true; }');
				}
				expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
					path,
					look[1],
				]);
				expect([path, await findViolations(page)]).toEqual([path, []]);
			}
		},
		{ colorScheme: look[0], viewport: { width: look[1], height: 780 }, reducedMotion: 'reduce' },
	),
);
