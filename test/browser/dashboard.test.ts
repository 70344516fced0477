import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../../harness/tools/waiting.ts';
import { startReceiver } from '../sandbox/support/receiver.ts';
import { cardId, startSandbox, type TestSandbox } from '../sandbox/support/sandbox.ts';
import { sign } from '../../harness/signing.ts';
import { launchBrowser, measureContrast, openPage, tabTo } from '../support/browser.ts';

const TABS = ['api', 'webhooks', 'simulate', 'cards', 'transactions'];

/** A card of account 1001 without a limit: "Team travel". */
const CARD = cardId(3);
const CARD_OPTION = 'Team travel •• 7751';

let browser: Browser;

jest.setTimeout(180_000);

beforeAll(async () => {
	browser = await launchBrowser();
}, 180_000);

afterAll(() => browser.close());

interface Opened {
	sandbox: TestSandbox;
	page: Page;
	go: (tab: string) => Promise<unknown>;
}

/**
 * Does something on a page of a new sandbox's dashboard. Afterwards the console must hold only the
 * errors that are expected, and nothing may have been asked of another host.
 */
async function onDashboard(
	tab: string,
	use: (opened: Opened) => Promise<void>,
	options: BrowserContextOptions = {},
	expectedProblems: string[] = [],
): Promise<void> {
	const deliveries = { baseDelay: 1, maxDelay: 5, maxAttempts: 2 };
	const sandbox = await startSandbox({ deliveries });
	const address = (name: string) => `${sandbox.url}/dashboard/${name}`;
	const { page, problems } = await openPage(browser, address(tab), options);
	page.setDefaultTimeout(30_000);
	try {
		await use({ sandbox, page, go: (name) => page.goto(address(name)) });
	} finally {
		await page.context().close();
	}
	expect([...new Set(problems)]).toEqual(expectedProblems);
}

/** Reads the secret that the open dialog shows, once. */
const shownSecret = (page: Page) => page.getByRole('dialog').getByRole('textbox').inputValue();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The list item that holds a text. */
const item = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });

/** Holds back the answers to requests for a URL (a glob) until the function that it gives is called. */
async function holdBack(page: Page, url: string): Promise<() => void> {
	let release = (): void => undefined;
	const released = new Promise<void>((resolve) => (release = resolve));
	await page.route(url, async (route) => {
		await released;
		await route.continue();
	});
	return release;
}

test(
	'key, endpoint, decline, delivery, rotation and redelivery, by keyboard only',
	() =>
		onDashboard('api', async ({ sandbox, page }) => {
			const receiver = await startReceiver();
			const press = (key: string) => page.keyboard.press(key);

			await tabTo(page, '#key-form button');
			await press('Enter');
			const key = `Bearer ${await shownSecret(page)}`;
			expect((await sandbox.api('GET', '/health')).status).toBe(401);
			expect((await sandbox.api('GET', '/health', key)).status).toBe(200);
			await press('Enter');

			await tabTo(page, 'nav a[href$=webhooks]');
			await press('Enter');
			await tabTo(page, 'input[name=url]');
			await page.keyboard.type(receiver.url);
			await press('Enter');
			const secret = await shownSecret(page);
			await press('Escape');

			await tabTo(page, 'nav a[href$=simulate]');
			await press('Enter');
			await page.getByRole('option', { name: CARD_OPTION }).waitFor({ state: 'attached' });
			await tabTo(page, 'select[name=cardId]');
			const card = page.getByRole('combobox', { name: 'Card' });
			await eventually(async () => {
				const chosen = await card.inputValue();
				if (chosen !== CARD) await press('ArrowDown');
				expect(chosen).toBe(CARD);
			});
			await tabTo(page, 'input[name=scenario]');
			await press('ArrowRight');
			await tabTo(page, '#authorization-form button');
			await press('Enter');
			await page.locator('#result').getByText('suspected fraud (network)').waitFor();
			await page.locator('#result-deliveries').getByText('delivered').waitFor();
			await tabTo(page, '#result-deliveries summary');
			await press('Enter');
			await page.getByText('empty response').waitFor();
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
			await tabTo(page, '#endpoints button');
			await press('Enter');
			const rotated = await shownSecret(page);
			await press('Enter');
			await tabTo(page, '#deliveries summary');
			await press('Enter');
			await tabTo(page, '#deliveries button');
			await press('Enter');
			const [, second] = await receiver.waitFor(2);
			expect(second?.body).toEqual(body);
			expect(second?.headers['x-webhook-signature']).toBe(
				`${sign(body, rotated)},${sign(body, secret)}`,
			);
		}),
	240_000,
);

test('an account-scoped key is made for the account that is chosen', () =>
	onDashboard('api', async ({ sandbox, page }) => {
		await page.getByRole('radio', { name: /^Account/ }).check();
		await page.getByRole('combobox', { name: 'Account' }).selectOption('Marketing (1002)');
		await button(page, 'Generate key').click();
		const key = `Bearer ${await shownSecret(page)}`;
		const { body } = await sandbox.api('GET', '/cards?pageSize=1', key);
		expect(body).toMatchObject({ totalItemCount: 6 });
	}));

test('an endpoint that is sent before the accounts are known is added when they are', () =>
	onDashboard('webhooks', async ({ sandbox, page, go }) => {
		const release = await holdBack(page, '**/sandbox');
		await go('webhooks');
		await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:9/hook');
		await page.keyboard.press('Enter');
		release();
		await shownSecret(page);
		expect((await sandbox.control('GET', '/endpoints')).body).toMatchObject({
			data: [{ accountId: 1001, url: 'http://127.0.0.1:9/hook' }],
		});
	}));

test('so is an account-scoped key', () =>
	onDashboard('api', async ({ sandbox, page, go }) => {
		const release = await holdBack(page, '**/sandbox');
		await go('api');
		await page.getByRole('radio', { name: /^Account/ }).check();
		await button(page, 'Generate key').click();
		release();
		const key = `Bearer ${await shownSecret(page)}`;
		expect((await sandbox.api('GET', '/balance', key)).status).toBe(200);
	}));

test('a form that is sent before its script has run is left as it is, and works afterwards', () =>
	onDashboard('api', async ({ page, go }) => {
		const release = await holdBack(page, '**/assets/api.js');
		const loaded = go('api');
		await button(page, 'Generate key').waitFor();
		await button(page, 'Generate key').focus();
		await page.keyboard.press('Enter');
		release();
		await loaded;
		await tabTo(page, '#key-form button');
		await page.keyboard.press('Enter');
		await shownSecret(page);
	}));

test('a secret can be copied, and is gone from the page when its dialog is closed', () =>
	onDashboard(
		'api',
		async ({ page }) => {
			await button(page, 'Generate key').click();
			const key = await shownSecret(page);
			await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
			await button(page, 'Copied').waitFor();
			expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
			await button(page, 'Done').click();
			await page.locator('dialog').waitFor({ state: 'detached' });
			expect(await page.content()).not.toContain(key);
		},
		{ permissions: ['clipboard-read', 'clipboard-write'] },
	));

test('a failed delivery shows its attempts and what the receiver answered', () =>
	onDashboard('webhooks', async ({ sandbox, page }) => {
		const receiver = await startReceiver((response) => {
			response.statusCode = 503;
			response.end('<b>closed</b>');
		});
		await sandbox.client.subscribe(1001, receiver.url);
		await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
		const delivery = page.locator('#deliveries').getByRole('listitem').first();
		await delivery.getByText(/^HTTP 503 · \d+ ms · 2 attempts/).click();
		expect(await delivery.getByLabel('Response').allTextContents()).toEqual([
			'<b>closed</b>',
			'<b>closed</b>',
		]);
		await delivery.getByText('failed').waitFor();
	}));

test('an endpoint is removed only after a confirmation', () =>
	onDashboard('webhooks', async ({ sandbox, page }) => {
		await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/hook');
		await button(page, 'Remove http://127.0.0.1:9/hook').click();
		await button(page, 'Cancel').click();
		await page.locator('dialog').waitFor({ state: 'detached' });
		expect((await sandbox.control('GET', '/endpoints')).body).toMatchObject({ data: [{}] });
		await button(page, 'Remove http://127.0.0.1:9/hook').click();
		await button(page, 'Remove endpoint').click();
		await page.getByText('No endpoints yet.').waitFor();
		expect((await sandbox.control('GET', '/endpoints')).body).toEqual({ data: [] });
	}));

test('a card is frozen and archived, and shows what others do to it; the focus stays', () =>
	onDashboard('cards', async ({ sandbox, page }) => {
		const card = item(page, 'Team travel');
		await button(page, `Freeze ${CARD_OPTION}`).focus();
		await page.keyboard.press('Enter');
		await card.getByText('frozen', { exact: true }).waitFor();
		await expect(page.locator(':focus').textContent()).resolves.toBe('Unfreeze');
		await sandbox.client.changeCard(CARD, 'unfreeze');
		await card.getByText('active', { exact: true }).waitFor();
		await button(page, `Archive ${CARD_OPTION}`).click();
		await button(page, 'Archive card').click();
		await card.getByText('archived', { exact: true }).waitFor();
		expect(await card.getByRole('button').count()).toBe(0);
	}));

test('a payment is cleared in part, reversed and refunded; a merchant’s name is text, whatever it holds', () =>
	onDashboard('simulate', async ({ page, go }) => {
		const merchant = '<img src=x onerror=alert(1)>';
		await page.getByRole('combobox', { name: 'Card' }).selectOption(CARD_OPTION);
		await page.getByText('Foreign').click();
		await page.getByRole('textbox', { name: 'Merchant' }).fill(merchant);
		await button(page, 'Authorize').click();
		await button(page, `Clear €189.90 at ${merchant}`).click();
		await page.getByRole('textbox', { name: 'Amount in EUR' }).fill('100.00');
		await button(page, 'Clear').click();
		await page.locator('#result').getByText('€100.00').waitFor();
		// The list shows the clearing a little later than the result.
		await button(page, `Refund €189.90 at ${merchant}`).waitFor();
		await button(page, `Reverse €189.90 at ${merchant}`).click();
		expect(await page.getByRole('textbox', { name: 'Amount in EUR' }).inputValue()).toBe('89.90');
		await button(page, 'Reverse').click();
		await page.locator('#result').getByText('reversed').waitFor();
		await button(page, `Refund €100.00 at ${merchant}`).click();
		await button(page, 'Refund').click();
		await page.locator('#result').getByText('refunded').waitFor();
		await button(page, `Refund €100.00 at ${merchant}`).waitFor({ state: 'detached' });
		await go('transactions');
		await page.getByRole('row').filter({ hasText: merchant }).getByText('+€100.00').waitFor();
	}));

test('an authorization is released after a confirmation', () =>
	onDashboard('simulate', async ({ page }) => {
		await button(page, 'Release $38.50 at YELLOWLINE CABS').click();
		await button(page, 'Release').click();
		await page.locator('#result').getByText('reversed').waitFor();
		await button(page, 'Release $38.50 at YELLOWLINE CABS').waitFor({ state: 'detached' });
	}));

test('a refused request is told in the form', () =>
	onDashboard(
		'webhooks',
		async ({ sandbox, page }) => {
			await sandbox.client.setFeatures(1001, { webhooks: false });
			await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:9/hook');
			await page.getByRole('option', { name: 'Operating' }).waitFor({ state: 'attached' });
			await button(page, 'Add endpoint').click();
			const alert = page.locator('form').getByRole('alert');
			expect(await alert.textContent()).toBe('Webhooks are not enabled for this account');
		},
		{},
		['Failed to load resource: the server responded with a status of 403 (Forbidden)'],
	));

test('a sandbox that has gone is told', () =>
	onDashboard(
		'cards',
		async ({ page }) => {
			await page.context().setOffline(true);
			await page.getByText('The sandbox does not respond. Is it still running?').waitFor();
		},
		{},
		['Failed to load resource: net::ERR_INTERNET_DISCONNECTED'],
	));

test('transactions are filtered and leafed through', () =>
	onDashboard('transactions', async ({ page }) => {
		const rows = page.locator('#transactions tr');
		await page.getByText('Page 1 of 2 · 44 transactions').waitFor();
		expect(await rows.count()).toBe(25);
		await button(page, 'Older').click();
		await page.getByText('Page 2 of 2').waitFor();
		expect(await rows.count()).toBe(19);
		await page.getByLabel('Status').selectOption('released');
		await page.getByText('Page 1 of 1').waitFor();
		expect(await rows.getByText('released').count()).toBe(await rows.count());
	}));

test.each(['light', 'dark'] as const)('every text is readable in the %s scheme', (colorScheme) =>
	onDashboard(
		'api',
		async ({ sandbox, page, go }) => {
			await button(page, 'Generate key').click();
			await shownSecret(page);
			expect(await measureContrast(page)).toMatchObject({ low: [] });
			await sandbox.client.subscribe(1001, 'http://127.0.0.1:1/');
			await sandbox.client.authorize({ cardId: CARD, amount: '1.00' });
			for (const tab of TABS) {
				await go(tab);
				await page.locator('option, .badge').first().waitFor({ state: 'attached' });
				const { count, low } = await measureContrast(page);
				expect(low).toEqual([]);
				expect(count).toBeGreaterThan(10);
			}
		},
		{ colorScheme },
	),
);

test('nothing is wider than a phone', () =>
	onDashboard(
		'api',
		async ({ page, go }) => {
			for (const tab of TABS) {
				await go(tab);
				await page.locator('option, .badge').first().waitFor({ state: 'attached' });
				expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
			}
		},
		{ viewport: { width: 390, height: 780 } },
	));
