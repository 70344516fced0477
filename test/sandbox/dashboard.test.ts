import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { eventually } from '../../dev/harness/tools/waiting.ts';
import { OWN_FILES } from '../../sandbox/dashboard/assets.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId, startSandbox, type TestSandbox, UNKNOWN_ID } from './support/sandbox.ts';

const CARD = `/cards/${cardId(3)}`;

const PAGES = [
	'',
	'/cards',
	'/cards/new',
	CARD,
	'/transactions',
	'/payments',
	'/accounts',
	'/simulate',
	'/webhooks',
	'/requests',
	'/connect',
	'/workflows',
	'/controls',
	'/reference',
];

const get = async ({ url }: TestSandbox, path: string, headers: Record<string, string> = {}) =>
	await fetch(`${url}/dashboard${path}`, { headers });

const text = async (sandbox: TestSandbox, path: string) => await (await get(sandbox, path)).text();

const post = async (
	{ url }: TestSandbox,
	path: string,
	fields: Record<string, string>,
	headers: Record<string, string> = {},
) => {
	const body = new URLSearchParams(fields);
	return await fetch(`${url}/dashboard${path}`, { method: 'POST', body, headers });
};

/** What htmx sends with a request for a fragment. */
const HTMX = { 'hx-request': 'true', 'hx-request-type': 'partial' };

const ENDPOINT = { url: 'http://127.0.0.1:9/hook', accountId: '1001' };

/** The IDs of the rows of a list that are shown. */
const rows = async (sandbox: TestSandbox, path: string, noun: string) =>
	[...(await text(sandbox, path)).matchAll(new RegExp(`id="${noun}-([^"]+)"`, 'g'))].map(
		([, id]) => id,
	);

test.each(['/', '/dashboard/'])('%s leads to the overview', async (path) => {
	const sandbox = await startSandbox();
	const response = await fetch(sandbox.url + path);
	expect(response.url).toBe(`${sandbox.url}/dashboard`);
	expect(await response.text()).toMatch(/<h1[^>]*>Overview</);
	expect(await text(sandbox, '/connect')).toContain(`value="${sandbox.apiUrl}"`);
});

test('a previous secret is shown until it ends', async () => {
	const sandbox = await startSandbox();
	const { id } = await sandbox.client.subscribe(1001, ENDPOINT.url);
	await sandbox.client.rotateSecret(id);
	expect(await text(sandbox, '/webhooks')).toContain('Its previous secret is valid until');
	await sandbox.client.advanceClock(86_401);
	expect(await text(sandbox, '/webhooks')).not.toContain('previous secret');
});

test.each(PAGES)('the page %s allows no script of its own or of another origin', async (path) => {
	const sandbox = await startSandbox();
	const response = await get(sandbox, path);
	expect(response.status).toBe(200);
	// RapiDoc writes its styles into its elements.
	const inline = path === '/reference' ? " 'unsafe-inline'" : '';
	expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
		"default-src 'none'",
		"script-src 'self'",
		`style-src 'self'${inline}`,
		"img-src 'self' data:",
		"connect-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	]);
	expect(response.headers.get('x-content-type-options')).toBe('nosniff');
	expect(await response.text()).not.toMatch(
		/<style|\sstyle=|<script>|\son\w+=|hx-on|js:|(?:src|href)="(?:https?:)?\/\//,
	);
});

test('every file that a page names is there, with its content type, and no other file', async () => {
	const sandbox = await startSandbox();
	const types: Record<string, string> = {
		css: 'text/css; charset=utf-8',
		js: 'text/javascript; charset=utf-8',
		svg: 'image/svg+xml',
	};
	const pages = await Promise.all(PAGES.map((path) => text(sandbox, path)));
	const named = new Set(pages.flatMap((shown) => shown.match(/(?<=assets\/)[\w.]+/g) ?? []));
	const offered = [...OWN_FILES, 'bootstrap.css', 'htmx.js', 'rapidoc.js'];
	expect([...named].sort()).toEqual(offered.sort());
	for (const name of offered) {
		const response = await get(sandbox, `/assets/${name}`);
		const [extension = ''] = /\w+$/.exec(name) ?? [];
		expect([name, response.headers.get('content-type')]).toEqual([name, types[extension]]);
		expect((await response.text()).length).toBeGreaterThan(100);
	}
	for (const name of ['tsconfig.json', '..%2Froutes.ts', '..%2F..%2Fapp.ts', 'constructor']) {
		expect((await get(sandbox, `/assets/${name}`)).status).toBe(404);
	}
});

test.each([
	'/connect/key',
	'/webhooks/endpoints',
	'/cards/new',
	`${CARD}/freeze`,
	'/accounts/transfers',
	'/accounts/1001/features',
	'/simulate/authorization',
	'/controls/clock',
	'/controls/faults',
	'/controls/reset',
])('a foreign web page cannot post to %s (CSRF)', async (path) => {
	const sandbox = await startSandbox();
	for (const origin of ['https://evil.example', 'null', sandbox.url.replace('http', 'https')]) {
		expect((await post(sandbox, path, ENDPOINT, { origin })).status).toBe(403);
	}
	expect((await post(sandbox, path, {}, { origin: sandbox.url })).status).not.toBe(403);
});

test('an error of a form goes to its place in the form, or else makes a page', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.setFeatures(1001, { webhooks: false });
	const refused = await post(sandbox, '/webhooks/endpoints', ENDPOINT, HTMX);
	expect(refused.status).toBe(403);
	expect(refused.headers.get('hx-reswap')).toBe('none');
	expect(refused.headers.get('content-type')).toMatch('text/plain');
	expect(await refused.text()).toBe('Webhooks are not enabled for this account');
	const payment = { cardId: cardId(3), amount: '1.00', currency: 'USD' };
	const paid = await (await post(sandbox, '/simulate/authorization', payment, HTMX)).text();
	expect(paid).toContain('webhooks are not enabled for account Operating');
	// A form that is sent before the scripts have loaded.
	const other = { ...ENDPOINT, accountId: '1002' };
	const added = await (await post(sandbox, '/webhooks/endpoints', other)).text();
	expect(added).toMatch(/^<!doctype html>[^]*value="whsec_[\w-]{43}"/);
	const unknown = await post(sandbox, '/webhooks/endpoints', { ...ENDPOINT, accountId: '7' });
	expect(unknown.status).toBe(404);
	expect(await unknown.text()).toContain('No account has this accountId');
});

test('an account-scoped key is for the account that is chosen', async () => {
	const sandbox = await startSandbox();
	const key = { scope: 'account', accountId: '1002' };
	const made = await (await post(sandbox, '/connect/key', key, HTMX)).text();
	const [, shown = ''] = /value="(sandbox_[^"]+)"/.exec(made) ?? [];
	const { body } = await sandbox.api('GET', '/cards?pageSize=1', `Bearer ${shown}`);
	expect(body).toMatchObject({ totalItemCount: 6 });
	expect(await text(sandbox, '/connect')).toMatch(/active<[^]*Marketing \(1002\)</);
});

test.each([
	'/nowhere',
	'/cards/x',
	`/cards/${UNKNOWN_ID}/edit`,
	`/transactions/${UNKNOWN_ID}`,
	`/webhooks/deliveries/${UNKNOWN_ID}`,
	'/requests/1',
])('%s is not found', async (path) => {
	const response = await get(await startSandbox(), path);
	expect(response.status).toBe(404);
	expect(await response.text()).toMatch(/<h1[^>]*>The request failed/);
});

test('names are escaped on every page', async () => {
	const sandbox = await startSandbox();
	const evil = '<img src=x onerror=alert(1)>';
	await sandbox.send('PATCH', '/accounts/1001', { name: evil });
	await sandbox.send('PATCH', `/cards/${cardId(3)}`, { name: evil });
	await post(sandbox, '/webhooks/endpoints', { ...ENDPOINT, name: evil });
	const purchase = { cardId: cardId(3), amount: '1.00', merchantName: evil };
	const { transaction, deliveries } = await sandbox.client.authorize(purchase);
	for (const path of [
		'',
		'/webhooks',
		`/webhooks/deliveries/${deliveries[0]?.id ?? ''}`,
		'/simulate',
		'/cards',
		`/cards/${cardId(3)}/edit`,
		`/cards?search=${encodeURIComponent(evil)}`,
		'/transactions',
		`/transactions/${transaction.id}`,
		'/accounts',
	]) {
		expect([path, (await text(sandbox, path)).includes(evil)]).toEqual([path, false]);
	}
});

test('a card is edited: name, limit, and the categories that replace a deprecated one (§2)', async () => {
	const sandbox = await startSandbox();
	const path = `/cards/${cardId(9)}`;
	expect((await sandbox.api('GET', path)).body).toHaveProperty('category');
	const refused = await post(sandbox, `${path}/edit`, { name: 'A', 'limit.amount': 'x' }, HTMX);
	expect(await refused.text()).toMatch(/^limit\.amount: .* such as "12\.50"/);
	const fields = { name: 'Drawing tools', 'categories[]': 'electronics' };
	const limited = { ...fields, 'limit.amount': '75.00', 'limit.type': 'monthly' };
	expect((await post(sandbox, `${path}/edit`, limited, HTMX)).status).toBe(200);
	const { body } = await sandbox.api('GET', path);
	expect(body).toMatchObject({
		name: 'Drawing tools',
		categories: ['electronics'],
		limit: { amount: '75.00', type: 'monthly' },
	});
	expect(body).not.toHaveProperty('category');
	await post(sandbox, `${path}/edit`, fields, HTMX);
	expect((await sandbox.api('GET', path)).body).not.toHaveProperty('limit');
});

test('lists show what matches all filters; a page of one has no pager', async () => {
	const sandbox = await startSandbox();
	const count = async (query: string) => (await rows(sandbox, `/cards?${query}`, 'card')).length;
	expect(await count('')).toBe(13);
	expect(await count('status=archived')).toBe(3);
	expect(await count('status=archived&search=CATERING')).toBe(1);
	expect(await count('status=active&search=catering')).toBe(0);
	expect(await count('search=7751')).toBe(1);
	expect(await text(sandbox, '/cards')).not.toContain('aria-label="Pages"');
	const shown = [1, 2].map((page) => rows(sandbox, `/transactions?page=${page}`, 'transaction'));
	expect(new Set((await Promise.all(shown)).flat()).size).toBe(44);
	const ofCard = `/transactions?search=${cardId(3)}&status=pending`;
	expect(await text(sandbox, ofCard)).toMatch(/hx-get="[^"]*search=[^"]*status=pending/);
	expect(await rows(sandbox, ofCard, 'transaction')).toHaveLength(2);
});

test('transactions are filtered by local days, and say why they were declined', async () => {
	const sandbox = await startSandbox();
	const decline = { reason: 'expired_card' };
	for (const now of ['2031-05-06T23:59:50', '2031-05-07T00:00', '2031-05-07T23:59:50']) {
		await sandbox.client.setClock(new Date(now));
		await sandbox.client.authorize({ cardId: cardId(3), amount: '1.00', decline });
	}
	const days = '/transactions?from=2031-05-07&to=2031-05-07';
	expect(await rows(sandbox, days, 'transaction')).toHaveLength(2);
	expect(await text(sandbox, days)).toContain('expired card (network)');
	expect(await text(sandbox, days)).toMatch(/>May 7, 2031, 00:00:00 [^<]+</);
	expect(await rows(sandbox, '/transactions?from=2031-05-08', 'transaction')).toEqual([]);
});

test('a simulated payment has the merchant of the form', async () => {
	const sandbox = await startSandbox();
	const payment = { cardId: cardId(3), amount: '189.90', currency: 'EUR', scenario: 'foreign' };
	const merchant = {
		merchantName: 'QUAI',
		merchantCountry: 'FR',
		mcc: '5942',
		category: 'airlines',
	};
	await post(sandbox, '/simulate/authorization', { ...payment, ...merchant }, HTMX);
	const { body } = await sandbox.api('GET', `/cards/${cardId(3)}/financial-events`);
	expect((body as { data: object[] }).data[0]).toMatchObject({ currency: 'EUR', ...merchant });
});

test('one click makes several declines', async () => {
	const sandbox = await startSandbox();
	const before = (await sandbox.client.overview()).counts.transactions;
	const payment = { cardId: cardId(3), amount: '1.00', currency: 'USD', reason: 'do_not_honor' };
	await post(sandbox, '/simulate/authorization', { ...payment, times: '5' }, HTMX);
	expect((await sandbox.client.overview()).counts.transactions).toBe(before + 5);
	const refused = await post(sandbox, '/simulate/authorization', { ...payment, times: '21' }, HTMX);
	expect(await refused.text()).toMatch(/^times: /);
});

test('an endpoint is shown by its name, and a test URL of n8n is marked', async () => {
	const sandbox = await startSandbox();
	const url = 'http://127.0.0.1:9/webhook-test/8b3b/webhook';
	await post(sandbox, '/webhooks/endpoints', { accountId: '1001', url, name: 'Report' }, HTMX);
	const shown = await text(sandbox, '/webhooks');
	expect(shown).toContain('test URL');
	expect(shown).toMatch(/>\s*Report </);
});

test('a delivery that is tried again shows when, and what to do', async () => {
	const sandbox = await startSandbox({ deliveries: { baseDelay: 600_000, maxDelay: 600_000 } });
	const receiver = await startReceiver((response) => {
		response.writeHead(401).end('{"code": "unauthorized", "message": "signature-mismatch"}');
	});
	await sandbox.client.subscribe(1001, receiver.url);
	const { deliveries } = await sandbox.client.authorize({ cardId: cardId(3), amount: '1.00' });
	const shown = await eventually(async () => {
		const page = await text(sandbox, `/webhooks/deliveries/${deliveries[0]?.id ?? ''}`);
		expect(page).toContain('HTTP 401');
		return page;
	});
	expect(shown).toMatch(/>retrying, next \w+ \d+, \d{4}, \d\d:\d\d:\d\d [^<]+</);
	expect(shown).toContain('into Signing Secret of the trigger');
});

test('deliveries are filtered by status; each step of a purchase is named', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/one');
	const purchase = { cardId: cardId(3), amount: '20.00', merchantName: 'INN' };
	const { transaction } = await sandbox.client.authorize(purchase);
	await sandbox.client.simulateStep('increment', transaction.id, '5.00');
	await sandbox.client.simulateStep('clearing', transaction.id, '15.00');
	await sandbox.client.simulateStep('release', transaction.id);
	const listed = async (query: string) =>
		[...(await text(sandbox, `/webhooks?${query}`)).matchAll(/>(\w+ \S+ INN)</g)].map(
			([, name]) => name,
		);
	expect(await listed('status=')).toEqual([
		'Released $10.00 INN',
		'Cleared $15.00 INN',
		'Increased $5.00 INN',
		'Approved $20.00 INN',
	]);
	expect(await listed('status=delivered')).toEqual([]);
	expect(await listed('pageSize=3&page=2')).toEqual(['Approved $20.00 INN']);
	const deliveries = await rows(sandbox, `/transactions/${transaction.id}`, 'delivery');
	expect(deliveries).toHaveLength(4);
});

test.each([
	['its secret', (secret: string) => secret, 'valid'],
	['another secret', () => 'whsec_other', 'invalid'],
])('the signature of a delivery is checked with %s', async (_, secretOf, verdict) => {
	const sandbox = await startSandbox();
	const receiver = await startReceiver();
	const { signingSecret } = await sandbox.client.subscribe(1001, receiver.url);
	const { deliveries } = await sandbox.client.authorize({ cardId: cardId(3), amount: '1.00' });
	const [delivery] = await receiver.waitFor(1);
	const body = String(delivery?.body);
	const header = String(delivery?.headers['x-webhook-signature']);
	const fields = { body, header, secret: secretOf(signingSecret) };
	const path = `/webhooks/deliveries/${deliveries[0]?.id ?? ''}/check`;
	expect(await (await post(sandbox, path, fields, HTMX)).text()).toContain(`>${verdict}<`);
});
