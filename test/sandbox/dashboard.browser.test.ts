import type { Page } from 'playwright-core';

import { sign } from '../../harness/signing.ts';
import { eventually } from '../../harness/tools/waiting.ts';
import { findViolations, tabTo } from '../support/browser.ts';
import { BAD_REQUEST, button, useDashboard } from '../support/dashboard.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId } from './support/sandbox.ts';

const PAGES = ['api', 'webhooks', 'signature', 'simulate', 'cards', 'transactions'];

/** A card of account 1001 without a limit: "Team travel". */
const CARD = cardId(3);
const CARD_OPTION = 'Team travel •• 7751';

const onDashboard = useDashboard();

/** Reads the secret that the open dialog shows, once. */
const shownSecret = (page: Page) => page.getByRole('dialog').getByRole('textbox').inputValue();

const dialogButton = (page: Page, name: string) =>
	page.getByRole('dialog').getByRole('button', { name, exact: true });

/** Finds the row with this text. */
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Chooses a scenario, and waits until the form is filled with it. */
async function chooseScenario(page: Page, name: string) {
	await page.getByRole('link', { name, exact: true }).click();
	await page.locator('.scenarios [aria-current]').getByText(name, { exact: true }).waitFor();
}

const dialogGone = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' });

/** The text of what has the focus. */
const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');

/** Waits until every live region has requested itself once more. */
const refreshed = (page: Page, path: string) =>
	page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(path));

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

test(
	'key, endpoint, decline, delivery, rotation and redelivery, by keyboard only',
	() =>
		onDashboard(
			'api',
			async ({ sandbox, page }) => {
				const receiver = await startReceiver();
				const press = (key: string) => page.keyboard.press(key);
				const copyAndClose = async () => {
					await press('Enter');
					await dialogButton(page, 'Copied').waitFor();
					await press('Escape');
					await dialogGone(page);
				};

				await tabTo(page, '#key-form button');
				await press('Enter');
				await page.getByText('stops working immediately').waitFor();
				await press('Tab');
				await press('Enter');
				await page.getByText('Your new API key').waitFor();
				const key = `Bearer ${await shownSecret(page)}`;
				expect((await sandbox.api('GET', '/health')).status).toBe(401);
				expect((await sandbox.api('GET', '/health', key)).status).toBe(200);
				await copyAndClose();

				await tabTo(page, 'nav a[href$=webhooks]');
				await press('Enter');
				await tabTo(page, 'input[name=url]');
				await page.keyboard.type(receiver.url);
				await press('Enter');
				const secret = await shownSecret(page);
				await copyAndClose();

				await tabTo(page, 'nav a[href$=simulate]');
				await press('Enter');
				await tabTo(page, 'select[name=cardId]');
				const card = page.getByRole('combobox', { name: 'Card' });
				await eventually(async () => {
					const chosen = await card.inputValue();
					if (chosen !== CARD) await press('ArrowDown');
					expect(chosen).toBe(CARD);
				});
				await tabTo(page, '#scenario-decline');
				await press('Enter');
				await page.locator('#scenario-decline[aria-current]').waitFor();
				expect(await focused(page)).toBe('Decline');
				expect(await card.inputValue()).toBe(CARD);
				await tabTo(page, '#authorization-form button');
				await press('Enter');
				await page.locator('#result').getByText('suspected fraud (network)').waitFor();
				await page.locator('#result-deliveries').getByText('delivered').waitFor();
				await tabTo(page, '#result-deliveries a');
				await press('Enter');
				await page.getByText('Empty.').waitFor();
				const [first] = await receiver.waitFor(1);
				const body = first?.body ?? Buffer.alloc(0);
				expect(JSON.parse(body.toString())).toMatchObject({
					cardId: CARD,
					isSuccess: false,
					amount: '649.00',
				});
				expect(first?.headers['x-webhook-signature']).toBe(sign(body, secret));

				await tabTo(page, 'nav a[href$=webhooks]');
				await press('Enter');
				await tabTo(page, '#endpoints [aria-label^=Rotate]');
				await press('Enter');
				await page.getByText('for 24 hours').waitFor();
				await press('Tab');
				await press('Enter');
				await page.getByText('New signing secret').waitFor();
				const rotated = await shownSecret(page);
				await copyAndClose();
				await page.getByText(/the previous one is valid until/).waitFor();
				await tabTo(page, '#deliveries td a');
				await press('Enter');
				await tabTo(page, '#delivery [aria-label^=Redeliver]');
				await press('Enter');
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

test('Escape does not lose a secret before it is copied; afterwards nothing of it stays', () =>
	onDashboard(
		'webhooks',
		async ({ page }) => {
			await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:9/hook');
			await button(page, 'Add endpoint').click();
			const secret = await shownSecret(page);
			expect(await focused(page)).toBe('Copy');
			await page.keyboard.press('Escape');
			await page.keyboard.press('Escape');
			await page.getByText('Not copied yet.').waitFor();
			expect(await shownSecret(page)).toBe(secret);
			await dialogButton(page, 'Copy').click();
			await dialogButton(page, 'Copied').waitFor();
			expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
			await page.keyboard.press('Escape');
			await dialogGone(page);
			expect(await page.content()).not.toContain(secret);
			expect(await page.getByLabel('Endpoint URL').inputValue()).toBe('');
		},
		CLIPBOARD,
	));

test('an event that no endpoint received offers to add one, which receives the next event', () =>
	onDashboard(
		'simulate',
		async ({ page }) => {
			const receiver = await startReceiver();
			await page.getByRole('combobox', { name: 'Card' }).selectOption('Client dinners •• 7318');
			await chooseScenario(page, 'Decline abroad');
			await button(page, 'Authorize').click();
			await page.getByText('no endpoint for account Marketing').waitFor();
			const url = page.locator('#result').getByLabel('Endpoint URL');
			await url.fill(receiver.url);
			await refreshed(page, '/deliveries');
			expect(await url.inputValue()).toBe(receiver.url);
			await button(page, 'Add endpoint').click();
			await dialogButton(page, 'Done').click();
			await page.getByText('Now it has one').waitFor();
			await button(page, 'Authorize').click();
			await page.locator('#result-deliveries').getByText('delivered').waitFor();
			const [delivery] = await receiver.waitFor(1);
			expect(JSON.parse(String(delivery?.body))).toMatchObject({
				isSuccess: false,
				merchantCountry: 'RO',
				amount: '980.00',
			});
		},
		CLIPBOARD,
	));

test('a delivery shows each attempt with headers and response, its exact body and the next attempt', () =>
	onDashboard('webhooks', async ({ sandbox, page }) => {
		const receiver = await startReceiver((response, index) => {
			response.statusCode = index === 0 ? 503 : 500;
			response.end(index === 0 ? '<b>closed</b>' : '');
		});
		await sandbox.client.subscribe(1001, receiver.url);
		const { event } = await sandbox.client.authorize({
			cardId: CARD,
			amount: '980.00',
			merchantName: 'ELEKTRONIK OUTLET',
			decline: { reason: 'suspected_fraud' },
		});
		const [{ body } = { body: '' }] = await receiver.waitFor(2);
		const title = 'Declined $980.00 ELEKTRONIK OUTLET';
		await row(page, title)
			.getByText(/^HTTP 500 · \d+ ms$/)
			.waitFor();
		await page.getByRole('link', { name: title, exact: true }).click();
		await page.getByRole('heading', { name: 'Declined $980.00 ELEKTRONIK OUTLET' }).waitFor();
		expect(await page.locator('pre[aria-label=Body]').textContent()).toBe(String(body));
		await page.getByText(event.id, { exact: true }).first().waitFor();
		const [newest, oldest] = await page.locator('.attempt').all();
		expect(await newest?.getByText('HTTP 500').isVisible()).toBe(true);
		expect(await newest?.getByText('Empty.').isVisible()).toBe(true);
		const response = oldest?.getByLabel('Response');
		expect(await response?.isVisible()).toBe(false);
		await oldest?.getByText('HTTP 503').click();
		expect(await response?.textContent()).toBe('<b>closed</b>');
		const headers = await oldest?.getByLabel('Request headers').textContent();
		const sent = receiver.received[0]?.headers ?? {};
		for (const name of ['event-id', 'topic', 'timestamp', 'signature']) {
			expect(headers).toContain(`x-webhook-${name}: ${String(sent[`x-webhook-${name}`])}`);
		}
		// An update opens and closes nothing.
		const delivery = new URL(page.url()).pathname;
		await refreshed(page, delivery);
		await refreshed(page, delivery);
		expect(await response?.isVisible()).toBe(true);
		await page.getByText('2 attempts, newest first').waitFor();
	}));

test('deliveries are filtered, and the filter is part of the address', () =>
	onDashboard('webhooks', async ({ sandbox, page }) => {
		const receiver = await startReceiver();
		await sandbox.client.subscribe(1001, receiver.url);
		await sandbox.client.authorize({ cardId: CARD, amount: '1.00', merchantName: 'BOUGHT' });
		const decline = { reason: 'suspected_fraud' };
		await sandbox.client.authorize({
			cardId: CARD,
			amount: '2.00',
			merchantName: 'REFUSED',
			decline,
		});
		const rows = page.locator('#deliveries tbody tr');
		await rows.filter({ hasText: 'BOUGHT' }).getByText('delivered').waitFor();
		await page.getByRole('combobox', { name: 'Event' }).selectOption('declined');
		await rows.filter({ hasText: 'BOUGHT' }).waitFor({ state: 'detached' });
		expect(await rows.count()).toBe(1);
		expect(page.url()).toContain('kind=declined');
		await page.reload();
		await rows.filter({ hasText: 'REFUSED' }).waitFor();
		expect(await rows.count()).toBe(1);
		await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
		await page.getByText('No matching deliveries.').waitFor();
	}));

test('a test event of a kind is sent to an endpoint, which may ignore it; the kind stays chosen', () =>
	onDashboard('webhooks', async ({ sandbox, page }) => {
		const receiver = await startReceiver((response, index) => {
			response.end(index === 0 ? '' : '{"ignored": "filtered"}');
		});
		await sandbox.client.subscribe(1001, receiver.url);
		const send = button(page, `Send test event to ${receiver.url}`);
		await send.click();
		const [delivery] = await receiver.waitFor(1);
		expect(JSON.parse(String(delivery?.body))).toMatchObject({
			merchantName: 'SANDBOX TEST EVENT',
		});
		await row(page, 'Approved $1.00 SANDBOX TEST EVENT').getByText('delivered').waitFor();
		const kind = page.getByRole('combobox', { name: `What to send to ${receiver.url}` });
		await kind.selectOption('declined');
		await refreshed(page, '/endpoints');
		await send.click();
		const declined = row(page, 'Declined $1.00 SANDBOX TEST EVENT');
		await declined.getByText('ignored: filtered', { exact: true }).waitFor();
		await refreshed(page, '/endpoints');
		expect(await kind.inputValue()).toBe('declined');
		await declined.getByRole('link').click();
		await page.locator('#delivery h2').getByText('ignored: filtered').waitFor();
		await page.getByText('does not match Trigger On or Filters').waitFor();
	}));

test('the page says before the payment that it will be declined', () =>
	onDashboard('simulate', async ({ page }) => {
		const forecast = page.getByText('The platform will decline this: card limit exceeded.');
		await page.getByRole('combobox', { name: 'Card' }).selectOption('Office supplies •• 0932');
		await chooseScenario(page, 'Large');
		await forecast.waitFor();
		await page.getByLabel('Amount').fill('12.00');
		await forecast.waitFor({ state: 'detached' });
	}));

test('the signature checker says what is wrong with a delivery', () =>
	onDashboard(
		'webhooks',
		async ({ sandbox, page, go }) => {
			const receiver = await startReceiver();
			const { id, signingSecret } = await sandbox.client.subscribe(1001, receiver.url);
			const { deliveries } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
			await receiver.waitFor(1);
			await go(`webhooks/deliveries/${deliveries[0]?.id ?? ''}`);
			await page.getByText('HTTP 200').waitFor();
			await page.getByText('Check the signature', { exact: true }).click();
			const secret = page.getByLabel('Signing secret');
			const check = async (text: RegExp | string) => {
				await button(page, 'Check').click();
				await page.locator('#verdict').getByText(text).waitFor();
			};
			await button(page, 'Check').click();
			await page.getByText('secret: paste the signing secret').waitFor();
			await secret.fill(signingSecret);
			await check('The signature matches the body and the secret.');
			await page.getByLabel('Body').press('ControlOrMeta+End');
			await page.getByLabel('Body').press('Enter');
			await check(/white space was added/);
			await page.getByLabel('Body').press('Backspace');
			await secret.fill('whsec_other');
			await check(/^Wrong secret\./);
			await secret.fill(signingSecret);
			await sandbox.client.rotateSecret(id);
			await sandbox.client.advanceClock(25 * 60 * 60);
			await check(/is the previous secret of .*, which expired at/);
			await check(/^The timestamp is too old/);
			await page.getByLabel('X-Webhook-Signature').fill('v1=00');
			await check(/^Malformed header: it begins with "v1="/);
		},
		{},
		[BAD_REQUEST],
	));

test('an endpoint is removed only after a confirmation', () =>
	onDashboard('webhooks', async ({ sandbox, page }) => {
		await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/hook');
		await button(page, 'Remove http://127.0.0.1:9/hook').click();
		await button(page, 'Cancel').click();
		await dialogGone(page);
		expect((await sandbox.control('GET', '/endpoints')).body).toMatchObject({ data: [{}] });
		await button(page, 'Remove http://127.0.0.1:9/hook').click();
		await button(page, 'Remove endpoint').click();
		await page.getByText('No endpoints yet.').waitFor();
		expect((await sandbox.control('GET', '/endpoints')).body).toEqual({ data: [] });
	}));

test('a card is frozen and archived, and shows what others do to it; the focus stays', () =>
	onDashboard('cards', async ({ sandbox, page }) => {
		const card = row(page, 'Team travel');
		await button(page, `Freeze ${CARD_OPTION}`).focus();
		await page.keyboard.press('Enter');
		await card.getByText('frozen', { exact: true }).waitFor();
		expect(await focused(page)).toBe('Unfreeze');
		await sandbox.api('POST', `/cards/${CARD}/unfreeze`);
		await card.getByText('active', { exact: true }).waitFor();
		await button(page, `Archive ${CARD_OPTION}`).click();
		await button(page, 'Archive card').click();
		await card.getByText('archived', { exact: true }).waitFor();
		expect(await card.getByRole('button').count()).toBe(0);
	}));

test('a payment is increased, cleared in part, reversed and refunded; a merchant’s name is escaped', () =>
	onDashboard('simulate', async ({ page, go }) => {
		const merchant = '<img src=x onerror=alert(1)>';
		await page.getByRole('combobox', { name: 'Card' }).selectOption(CARD_OPTION);
		await chooseScenario(page, 'Foreign');
		await page.getByRole('textbox', { name: 'Merchant' }).fill(merchant);
		await button(page, 'Authorize').click();
		await button(page, `Increase €189.90 at ${merchant}`).click();
		await page.getByRole('textbox', { name: 'Amount in EUR' }).fill('10.00');
		await button(page, 'Increase').click();
		await button(page, `Clear €199.90 at ${merchant}`).click();
		await page.getByRole('textbox', { name: 'Amount in EUR' }).fill('100.00');
		await button(page, 'Clear').click();
		await page.locator('#result').getByText('€100.00').waitFor();
		await button(page, `Refund €199.90 at ${merchant}`).waitFor();
		await button(page, `Reverse €199.90 at ${merchant}`).click();
		expect(await page.getByRole('textbox', { name: 'Amount in EUR' }).inputValue()).toBe('99.90');
		await button(page, 'Reverse').click();
		await page.locator('#result').getByText('reversed').waitFor();
		await button(page, `Refund €100.00 at ${merchant}`).click();
		await button(page, 'Refund').click();
		await page.locator('#result').getByText('refunded').waitFor();
		await button(page, `Refund €100.00 at ${merchant}`).waitFor({ state: 'detached' });
		await go('transactions');
		await page.getByRole('row').filter({ hasText: merchant }).getByText('+€100.00').waitFor();
	}));

test('a refused request is reported in the form, which keeps what was typed', () =>
	onDashboard(
		'webhooks',
		async ({ sandbox, page }) => {
			await sandbox.client.setFeatures(1001, { webhooks: false });
			await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:9/hook');
			await button(page, 'Add endpoint').click();
			const alert = page.locator('#endpoint-form [role=alert]');
			await alert.getByText('Webhooks are not enabled for this account').waitFor();
			expect(await page.getByLabel('Endpoint URL').inputValue()).toBe('http://127.0.0.1:9/hook');
			await page.getByRole('combobox', { name: 'Account' }).selectOption('Marketing (1002)');
			await button(page, 'Add endpoint').click();
			await shownSecret(page);
			expect(await alert.textContent()).toBe('');
		},
		{},
		['Failed to load resource: the server responded with a status of 403 (Forbidden)'],
	));

test('an unreachable sandbox is reported', () =>
	onDashboard(
		'cards',
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

test('the API reference is rendered by Redoc, and nothing of it is refused', () =>
	onDashboard('reference', async ({ page }) => {
		await page.getByRole('heading', { name: 'Card platform public API (1.0)' }).waitFor();
		await page
			.getByRole('heading', { name: /freezeCard Freeze a card/ })
			.first()
			.waitFor();
		const panel = page.locator('#redoc [role=menuitem]').first();
		await panel.waitFor();
		// Its styles are there: without them, the menu would not stand beside the text.
		const { width = 0 } = (await page.locator('#redoc .menu-content').boundingBox()) ?? {};
		expect(width).toBe(260);
		await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
		await page.getByRole('heading', { name: 'API', exact: true }).waitFor();
	}));

test.each(['light', 'dark'] as const)('the pages are accessible in the %s scheme', (colorScheme) =>
	onDashboard(
		'api',
		async ({ sandbox, page, go }) => {
			await button(page, 'Generate key').click();
			await dialogButton(page, 'Replace key').click();
			await page.getByText('Your new API key').waitFor();
			expect(await findViolations(page)).toEqual([]);
			await sandbox.client.subscribe(1001, 'http://127.0.0.1:1/');
			const { deliveries } = await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
			const delivery = `webhooks/deliveries/${deliveries[0]?.id ?? ''}`;
			for (const path of [...PAGES, delivery]) {
				await go(path);
				await page.getByRole('heading', { level: 1 }).waitFor();
				expect([path, await findViolations(page)]).toEqual([path, []]);
			}
		},
		{ colorScheme },
	),
);

/** Counts what reaches beyond the panel that it stands in. */
const outside = (
	selector: string,
) => `[...document.querySelectorAll('article :is(${selector})')].filter(
	(part) => part.getBoundingClientRect().right > part.closest('article').getBoundingClientRect().right,
).length`;

test.each([
	[1000, 'field', 'input, select, textarea'],
	[390, 'field, cell or button', 'input, select, textarea, td, button'],
	[320, 'field, cell or button', 'input, select, textarea, td, button'],
])(
	'nothing is wider than a window of %d pixels, and no %s wider than its panel, however long a name is',
	(width, _, parts) =>
		onDashboard(
			'api',
			async ({ sandbox, page, go }) => {
				const long = 'W'.repeat(200);
				await sandbox.client.subscribe(1001, `http://127.0.0.1:1/${long}`);
				await sandbox.send('PATCH', '/accounts/1002', { name: long });
				await sandbox.send('POST', '/cards', { name: long, type: 'recurring' });
				const { deliveries } = await sandbox.client.authorize({
					cardId: CARD,
					amount: '999999999.00',
					merchantName: long,
				});
				const delivery = `webhooks/deliveries/${deliveries[0]?.id ?? ''}`;
				for (const path of [...PAGES, delivery, 'reference']) {
					await go(path);
					await page.locator('main :is(h1, h2)').first().waitFor();
					const widest = await page.evaluate('document.documentElement.scrollWidth');
					expect([path, widest]).toEqual([path, width]);
					expect([path, await page.evaluate(outside(parts))]).toEqual([path, 0]);
				}
			},
			{ viewport: { width, height: 780 } },
		),
);
