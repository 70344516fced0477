import type { Page } from 'playwright-core';

import { sign } from '../../dev/harness/signing.ts';
import { eventually } from '../../dev/harness/tools/waiting.ts';
import { BAD_REQUEST, button, findViolations, tabTo, useDashboard } from '../support/dashboard.ts';
import { namePages } from './support/pages.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId } from './support/sandbox.ts';

/** A card of account 1001 without a limit: "Team travel". */
const CARD = cardId(3);

const CARD_PAGE = `/cards/${CARD}`;

const onDashboard = useDashboard();

/** Reads the secret that the open dialog shows, once. */
const shownSecret = (page: Page) => page.getByRole('dialog').getByRole('textbox').inputValue();

const dialogGone = (page: Page) => page.locator('#dialog dialog').waitFor({ state: 'detached' });

const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');

/** Three ticks of the main part's own clock. */
const TICKS = `new Promise((resolve) => {
	let ticks = 0;
	document.addEventListener('every', () => ++ticks === 3 && resolve(), true);
})`;

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

test(
	'key, endpoint, decline, delivery, rotation and redelivery, by keyboard only',
	() =>
		onDashboard(
			'/connect',
			async ({ sandbox, page }) => {
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

				/** The page asks; its red button says what it does. */
				const confirm = async (question: RegExp, label: string) => {
					await page.getByRole('dialog').getByText(question).waitFor();
					await tabTo(page, '#question .btn-danger');
					expect(await focused(page)).toBe(label);
					await press('Enter');
				};

				await enterAt('#key-form button');
				await confirm(/stops working immediately/, 'Generate key');
				const key = await copyAndClose();
				expect(await focused(page)).toBe('Generate key');
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
				await page.locator('#result-events').getByText('delivered').waitFor();
				await enterAt('#result-events td:last-child a');
				await page.getByText('Empty.').waitFor();
				const [first] = await receiver.waitFor(1);
				const body = first?.body ?? '';
				expect(JSON.parse(body)).toMatchObject({ cardId: CARD, amount: '649.00' });
				const copied = page.getByLabel('Copy the exact bytes');
				expect(await copied.getAttribute('data-copy')).toBe(body);
				expect(first?.headers['x-webhook-signature']).toBe(sign(body, secret));

				await enterAt('nav a[href$=webhooks]');
				await enterAt('[aria-label^=Rotate]');
				await confirm(/for 24 hours/, 'Rotate secret');
				await page.getByText('New signing secret').first().waitFor();
				const rotated = await copyAndClose();
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

test('an event that nobody received leads to where an endpoint is added; a phone scrolls to it', () =>
	onDashboard(
		'/simulate?scenario=decline-abroad',
		async ({ page }) => {
			await page
				.getByRole('combobox', { name: 'Card' })
				.selectOption('Client dinners •• 7318 · Marketing');
			await button(page, 'Authorize').click();
			await page.getByText('No webhook endpoint for account Marketing').waitFor();
			await eventually(async () => {
				const { y = -1, height = 0 } = (await page.locator('#result').boundingBox()) ?? {};
				expect(y).toBeGreaterThanOrEqual(0);
				expect(y + height).toBeLessThanOrEqual(780);
			});
			await page.getByRole('link', { name: 'Add an endpoint' }).click();
			await page.getByLabel('Endpoint URL').waitFor();
		},
		{ viewport: { width: 390, height: 780 } },
	));

test('what is refused is marked, and said once, beside its field', () =>
	onDashboard(
		CARD_PAGE,
		async ({ sandbox, page, go }) => {
			const purchase = { cardId: CARD, amount: '30.00', merchantName: 'DEPOT' };
			const { transaction } = await sandbox.client.authorize(purchase);
			await go(`/transactions/${transaction.id}`);
			const amount = page.getByLabel('Amount in USD');
			await amount.fill('30.01');
			await amount.press('Enter');
			await page.getByText('Only 30.00 is held.').waitFor();
			expect(await amount.getAttribute('aria-invalid')).toBe('true');
			await amount.fill('10.00');
			await amount.press('Enter');
			await page.locator('summary').getByText('Cleared $10.00').waitFor();
			await button(page, 'Release hold').click();
			await page.locator('#facts-heading').getByText('settled').waitFor();
			await button(page, 'Settle (clear)').waitFor({ state: 'detached' });

			await go('/cards/new');
			await page.getByLabel('Name').fill('Team travel');
			await page.getByLabel('Limit in USD (optional)').fill('ten');
			await button(page, 'Create card').click();
			const alerts = page.getByRole('alert').filter({ visible: true });
			const refused = (words: RegExp) => alerts.filter({ hasText: words }).waitFor();
			await refused(/^\s*Enter an amount .* such as "12.50"\.\s*$/);
			expect(await page.evaluate('document.activeElement.name')).toBe('limit.amount');
			await page.getByLabel('Limit in USD (optional)').fill('10');
			await button(page, 'Create card').click();
			await refused(/^\s*Already used by another card\.\s*$/);
			expect(await alerts.count()).toBe(1);
		},
		{},
		[BAD_REQUEST],
	));

test('a card is archived only if its question is answered with Archive; categories are searched', () =>
	onDashboard(CARD_PAGE, async ({ sandbox, page, go }) => {
		const archive = button(page, 'Archive Team travel •• 7751');
		const status = page.locator('#facts-heading .badge');
		await archive.click();
		await page.getByText('Archive Team travel •• 7751?').waitFor();
		await button(page, 'Cancel').click();
		await button(page, 'Freeze Team travel •• 7751').click();
		await page.getByText('Team travel •• 7751 is frozen.').waitFor();
		expect(await status.textContent()).toBe('frozen');
		await go(`/cards/${CARD}/edit`);
		await page.getByLabel('Search categories').fill('cloud');
		const categories = page.locator('#categories').getByRole('checkbox');
		expect(await categories.filter({ visible: true }).count()).toBe(1);
		await page.getByLabel('cloud computing').check();
		await button(page, 'Save').click();
		await page
			.locator('dd')
			.getByText(/cloud computing/)
			.waitFor();
		await archive.click();
		await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
		await page.getByText('Team travel •• 7751 is archived.').waitFor();
		await archive.waitFor({ state: 'detached' });
		expect((await sandbox.api('GET', `/cards/${CARD}`)).body).toMatchObject({ status: 'archived' });
	}));

test('a feature is switched, and the page shows what others switch', () =>
	onDashboard('/accounts', async ({ sandbox, page }) => {
		await page.getByRole('switch', { name: 'Card management of Marketing' }).uncheck();
		await page.getByText('Features of Marketing updated.').waitFor();
		const features = async () => (await sandbox.client.accounts())[1]?.features;
		expect(await features()).toMatchObject({ cardManagement: false, webhooks: true });
		await sandbox.client.setFeatures(1002, { cardManagement: true, webhooks: false });
		const switchOf = (name: string, checked: boolean) =>
			page.getByRole('switch', { name: `${name} of Marketing`, checked });
		await switchOf('Card management', true).waitFor();
		await switchOf('Webhooks', false).waitFor();
	}));

test('filters apply while typing; a page asks only for what is new, and for nothing while it is hidden', () =>
	onDashboard('/cards', async ({ sandbox, page }) => {
		await page.getByRole('searchbox').pressSequentially('7751');
		await page.getByText('1 card', { exact: true }).waitFor();
		expect(page.url()).toMatch(/search=7751/);
		expect((await page.waitForResponse(/search=7751/)).status()).toBe(304);
		await sandbox.api('POST', `/cards/${CARD}/freeze`);
		await page.getByRole('row').getByText('frozen').waitFor();

		await page.evaluate(
			"Object.defineProperty(document, 'hidden', { value: true, configurable: true })",
		);
		let requests = 0;
		page.on('request', () => requests++);
		await sandbox.api('POST', `/cards/${CARD}/unfreeze`);
		// The page's own ticks go on: each would have been a request.
		await page.evaluate(TICKS);
		expect(requests).toBe(0);
		await page.evaluate('delete document.hidden');
		await page.getByRole('row').getByText('active').waitFor();
	}));

test('a workflow is found, its JSON is copied, and its address', () =>
	onDashboard(
		'/workflows',
		async ({ sandbox, page }) => {
			const copied = async (name: string) => {
				await button(page, `${name} of Freeze and ask`).click();
				await page.getByText('Copied to the clipboard.').waitFor();
				return String(await page.evaluate('navigator.clipboard.readText()'));
			};
			await page.getByRole('searchbox').fill('and ask');
			await page.getByRole('heading', { name: 'Auto-freeze' }).waitFor({ state: 'hidden' });
			expect(JSON.parse(await copied('Copy JSON'))).toMatchObject({ name: 'Freeze and ask' });
			const url = `${sandbox.url}/dashboard/workflows/freeze-and-ask.json`;
			await eventually(async () => expect(await copied('Copy URL')).toBe(url));
		},
		CLIPBOARD,
	));

test('a request is opened in the log, with its response, and stays open', () =>
	onDashboard('/requests', async ({ sandbox, page }) => {
		await page.getByText('No requests yet.').waitFor();
		await sandbox.api('GET', '/cards?page=1', 'Bearer wrong-key-1234');
		await page.getByText('key: unknown').click();
		await page.getByText('"The API key is not valid"').waitFor();
		await sandbox.api('GET', '/cards?color=red');
		await page.getByText('color=red').click();
		await page.getByText('unknown parameter color: ignored').waitFor();
		expect(await page.getByText('"The API key is not valid"').isVisible()).toBe(true);
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

/** Words, and one that does not break. */
const LONG = `INTERNATIONAL CONFERENCE AND EXHIBITION CENTRE OF LUXEMBOURG S.A. ${'W'.repeat(150)}`;

/** Cells of a phone that are too narrow to read, and what ends beyond the edge of the window, on the page that is shown. */
const MISFITS = `[...document.querySelectorAll('#main :is(td, dd, summary, .btn, .badge, input, select)')]
	.map((each) => [each, each.getBoundingClientRect()])
	.filter(([each, { width, right }]) =>
		right > innerWidth || (innerWidth < 400 && each.matches('td') && width > 0 && width < 80))
	.map(([each, { width, right }]) => [each.outerHTML.slice(0, 200), width, right])`;

/** By how much the content of an open dialog, or of its secret, is wider and higher than it. */
const EXCESS = `[...document.querySelectorAll('dialog[open], dialog[open] textarea')]
	.map((each) => [each.scrollWidth - each.clientWidth, each.scrollHeight - each.clientHeight])`;

test.each([
	['light', 390],
	['dark', 1280],
] as const)(
	'every page is accessible, and can be read however long names are: %s, %i px',
	(...look) =>
		onDashboard(
			'',
			async ({ sandbox, page, go }) => {
				const paths = await namePages(sandbox, LONG);
				await eventually(async () => {
					const attempts = (await sandbox.client.deliveries()).flatMap((each) => each.attempts);
					expect(attempts.map(({ error }) => error)).toEqual(
						Array(8).fill(expect.stringContaining('ECONNREFUSED')),
					);
				});
				await sandbox.client.setFaults([{ kind: 'status', status: 503, path: `/cards/${LONG}` }]);
				await sandbox.client.advanceClock(60);
				for (const path of [...paths, '/nowhere', '/reference?of=control']) {
					await go(path);
					await page.waitForLoadState('networkidle');
					await page.locator('#banner > .alert').last().waitFor();
					await page.evaluate(
						"for (const each of document.querySelectorAll('#main details')) each.open = true;",
					);
					const width: number = await page.evaluate('document.documentElement.scrollWidth');
					const misfits: unknown = await page.evaluate(MISFITS);
					expect([path, width, misfits]).toEqual([path, look[1], []]);
					// Apart from colors, both looks have the same elements.
					const violations = await findViolations(page, look[0] === 'dark');
					expect([path, violations]).toEqual([path, []]);
				}
				// The dialogs: a question about a long URL, and a secret.
				await go('/webhooks');
				await page
					.getByLabel(/^Rotate secret/)
					.first()
					.click();
				expect(await page.evaluate(EXCESS)).toEqual([[0, 0]]);
				await button(page, 'Rotate secret').click();
				await page.getByRole('dialog').getByRole('textbox').waitFor();
				expect(await page.evaluate(EXCESS)).toEqual([
					[0, 0],
					[0, 0],
				]);
			},
			{ colorScheme: look[0], viewport: { width: look[1], height: 780 }, reducedMotion: 'reduce' },
			['Failed to load resource: the server responded with a status of 404 (Not Found)'],
		),
	600_000,
);

test('a wide window shows a page in its middle', () =>
	onDashboard(
		'/cards',
		async ({ page }) => {
			const sidebar = await page.locator('header').boundingBox();
			const main = await page.locator('#main').boundingBox();
			const left = (main?.x ?? 0) - (sidebar?.width ?? 0);
			expect(left).toBeGreaterThan(100);
			expect(1920 - (main?.x ?? 0) - (main?.width ?? 0)).toBeCloseTo(left, 0);
		},
		{ viewport: { width: 1920, height: 1080 } },
	));
