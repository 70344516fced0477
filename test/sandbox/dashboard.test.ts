import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod/v4';

import { workflowsFolder } from '../../dev/harness/tools/paths.ts';
import { eventually } from '../../dev/harness/tools/waiting.ts';
import { OWN_FILES } from '../../sandbox/dashboard/assets.ts';
import { namePages } from './support/pages.ts';
import { startReceiver } from './support/receiver.ts';
import { cardId, startSandbox, type TestSandbox, UNKNOWN_ID } from './support/sandbox.ts';

const CARD = `/cards/${cardId(3)}`;

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

const dollars = (amount = '') =>
	new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }).format(Number(amount));

const amountIn = (shown = '') => Number(shown.replaceAll(/[$,]/g, ''));

/** A paragraph in a paragraph: a browser ends the outer one. */
const NESTED = /<p\b((?!<\/p>)[^])*<p\b/;

/** What a page says, without its tags. */
const words = (page: string) => page.replaceAll(/<[^>]+>|\s+/g, ' ').replaceAll(/ +/g, ' ');

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
	const connect = await text(sandbox, '/connect');
	expect(connect).toContain(`data-copy="${sandbox.apiUrl}"`);
	// As n8n's credential names them.
	expect(words(connect)).toMatch(
		/For n8n .* Base URL .* API Key .* Key Scope Customer Default Account ID 1001/,
	);
});

test('pages have no inline script and none of another origin, even in a name; every file that they load exists', async () => {
	const sandbox = await startSandbox();
	const evil = '<img src=x onerror=alert(1)>';
	const named = new Set<string>();
	for (const path of await namePages(sandbox, evil)) {
		const response = await get(sandbox, path);
		// RapiDoc writes its styles into its elements.
		const inline = path === '/reference' ? " 'unsafe-inline'" : '';
		expect([path, response.headers.get('content-security-policy')]).toEqual([
			path,
			`default-src 'none'; script-src 'self'; style-src 'self'${inline}; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
		]);
		expect(response.headers.get('x-content-type-options')).toBe('nosniff');
		const shown = await response.text();
		expect([path, shown.includes(evil)]).toEqual([path, false]);
		expect([path, NESTED.exec(shown)?.[0]]).toEqual([path, undefined]);
		expect(shown.replaceAll('src=x onerror=', '')).not.toMatch(
			/<style|\sstyle=|<script>|\son\w+=|hx-on|js:|(?:src|href)="(?:https?:)?\/\//,
		);
		for (const name of shown.match(/(?<=assets\/)[\w.]+/g) ?? []) named.add(name);
	}
	const types: Record<string, string> = {
		css: 'text/css; charset=utf-8',
		js: 'text/javascript; charset=utf-8',
		svg: 'image/svg+xml',
	};
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
	expect(paid).toContain('Webhooks are not enabled for account Operating');
	// A form that is sent before the scripts have loaded.
	const other = { ...ENDPOINT, accountId: '1002' };
	const added = await (await post(sandbox, '/webhooks/endpoints', other)).text();
	expect(added).toMatch(/^<!doctype html>[^]*>\s*whsec_[\w-]{43}<\/textarea/);
	const unknown = await post(sandbox, '/webhooks/endpoints', { ...ENDPOINT, accountId: '7' });
	expect(unknown.status).toBe(404);
	expect(await unknown.text()).toContain('No account has this accountId');
});

test('an account-scoped key is for the account that is chosen', async () => {
	const sandbox = await startSandbox();
	const key = { scope: 'account', accountId: '1002' };
	const made = await (await post(sandbox, '/connect/key', key, HTMX)).text();
	const [, shown = ''] = />\s*(sandbox_[^<]+)<\/textarea/.exec(made) ?? [];
	const { body } = await sandbox.api('GET', '/cards?pageSize=1', `Bearer ${shown}`);
	expect(body).toMatchObject({ totalItemCount: 6 });
	expect(await text(sandbox, '/connect')).toMatch(/active<[^]*Marketing \(1002\)</);
});

test.each([
	'/nowhere',
	'/cards/x',
	`/transactions/${UNKNOWN_ID}`,
	`/webhooks/deliveries/${UNKNOWN_ID}`,
])('%s is not found', async (path) => {
	const response = await get(await startSandbox(), path);
	expect(response.status).toBe(404);
	expect(await response.text()).toMatch(/<h1[^>]*>Not found</);
});

test('a page that has not changed is not sent again; htmx gets its main part only', async () => {
	const sandbox = await startSandbox();
	const whole = await text(sandbox, CARD);
	const [, etag = ''] = /data-etag="(\w+)"/.exec(whole) ?? [];
	const shown = { ...HTMX, 'if-none-match': etag };
	expect((await get(sandbox, CARD, shown)).status).toBe(304);
	expect((await get(sandbox, `${CARD}?x=1`, shown)).status).toBe(200);
	await sandbox.api('POST', `${CARD}/freeze`);
	const changed = await (await get(sandbox, CARD, shown)).text();
	expect(changed).toMatch(/^<title>Team travel [^]*<main[^]*>frozen</);
	expect(changed).not.toMatch(/id="menu"|<script/);
});

test('the overview shows what the balance says, and last what happened last', async () => {
	const sandbox = await startSandbox();
	const { body } = await sandbox.api('GET', '/balance', `Bearer ${await sandbox.makeKey()}`);
	const { last30DaysSpend, last24HoursSpend, availableCreditLimit } = z
		.record(z.string(), z.string())
		.parse(body);
	const shown = await text(sandbox, '');
	const bars = [...shown.matchAll(/<title>(\S+) in 24 hours until/g)].map(([, amount]) => amount);
	expect(bars).toHaveLength(30);
	const sum = bars.reduce((total, bar) => total + Math.round(amountIn(bar) * 100), 0);
	expect(sum).toBe(Math.round(Number(last30DaysSpend) * 100));
	for (const amount of [last30DaysSpend, availableCreditLimit, last24HoursSpend]) {
		expect(shown).toContain(`>${dollars(amount)}<`);
	}
	expect(bars[0]).toBe(dollars(last24HoursSpend));
	expect(words(await text(sandbox, '/accounts'))).toContain(' in 30 days ');
	// An old purchase that is cleared now is the newest event.
	const purchases = await rows(sandbox, '/transactions?status=pending', 'transaction');
	const oldest = String(purchases.at(-1));
	const { event } = await sandbox.client.simulateStep('clearing', oldest);
	expect((await rows(sandbox, '', 'event'))[0]).toBe(event.id);
	expect(await text(sandbox, '')).toMatch(/Cleared [^]*?just now/);
});

test('each place says why nobody received an event', async () => {
	const sandbox = await startSandbox();
	const { transaction, event } = await sandbox.client.authorize({
		cardId: cardId(10),
		amount: '1.00',
	});
	for (const path of [
		'/webhooks',
		`/transactions/${transaction.id}`,
		`/simulate?events=${event.id}`,
	]) {
		const shown = await text(sandbox, path);
		expect(shown).not.toMatch(NESTED);
		expect(words(shown)).toContain(
			'No webhook endpoint for account Marketing, so nothing was sent. A polling trigger finds this event at its next poll.',
		);
	}
});

test('a card is created, and edited: name, limit, and the categories that replace a deprecated one (§2)', async () => {
	const sandbox = await startSandbox();
	const send = (path: string, fields: Record<string, string>) => post(sandbox, path, fields, HTMX);
	const fields = { name: 'Drawing tools', 'categories[]': 'electronics', 'limit.type': 'monthly' };
	const limited = { ...fields, 'limit.amount': '75.00' };
	const created = await send('/cards/new', { ...limited, type: 'single-use', accountId: '1002' });
	const [, id = ''] =
		/^\/dashboard\/cards\/(.+)$/.exec(created.headers.get('hx-redirect') ?? '') ?? [];
	const expected = { categories: ['electronics'], limit: { amount: '75.00', type: 'monthly' } };
	const { body } = await sandbox.api('GET', `/cards/${id}`);
	expect(body).toMatchObject({ ...expected, name: 'Drawing tools', type: 'single-use' });
	await sandbox.client.authorize({ cardId: id, amount: '30.00' });
	const shown = await text(sandbox, `/cards/${id}`);
	expect(shown).toContain('Marketing (1002)');
	// Words and bar say the same.
	expect(words(shown)).toContain('$30.00 used of $75.00, monthly');
	expect(shown).toMatch(/max="7500"[^>]+value="3000"/);

	const path = `/cards/${cardId(9)}`;
	expect((await sandbox.api('GET', path)).body).toHaveProperty('category');
	expect((await send(`${path}/edit`, { ...limited, name: 'Drawing' })).status).toBe(200);
	const edited = (await sandbox.api('GET', path)).body;
	expect(edited).toMatchObject({ ...expected, name: 'Drawing' });
	expect(edited).not.toHaveProperty('category');
	await send(`${path}/edit`, { ...fields, name: 'Drawing' });
	expect((await sandbox.api('GET', path)).body).not.toHaveProperty('limit');
});

test('an account is renamed, and funded by a transfer, which is listed', async () => {
	const sandbox = await startSandbox();
	const send = async (path: string, fields: Record<string, string>) =>
		await (await post(sandbox, `/accounts${path}`, fields, HTMX)).text();
	expect(await send('/name', { accountId: '1003', name: 'Labs' })).toContain('now called Labs');
	expect((await sandbox.client.accounts())[2]).toMatchObject({ name: 'Labs' });
	const transfer = { fromAccountId: '1001', toAccountId: '1003', amount: '12.50' };
	expect(await send('/transfers', transfer)).toContain('$12.50 moved');
	expect(await rows(sandbox, '/accounts', 'transfer')).toHaveLength(1);
	expect(await send('/transfers', { ...transfer, amount: '99999999' })).toMatch(/^amount: insuff/);
	expect(await send('/transfers', { ...transfer, toAccountId: '1001' })).toMatch(/^toAccountId: /);
});

test('clock and faults are described on every page, until they are reset', async () => {
	const sandbox = await startSandbox();
	const send = (path: string, fields: Record<string, string> = {}) =>
		post(sandbox, `/controls${path}`, fields, HTMX);
	await sandbox.client.setClock(new Date('2031-05-06T07:08:00'));
	await send('/clock', { advanceSeconds: String(30 * 86_400) });
	expect(await (await send('/faults', { fault: '0', times: '0' })).text()).toBe(
		'times: enter 1 or more',
	);
	await send('/faults', { fault: '0', times: '9' });
	await send('/faults', { fault: '3' });
	const shown = (await text(sandbox, '/cards')).replaceAll(/\s+/g, ' ');
	expect(shown).toContain('it shows Jun 5, 07:08.');
	expect(shown).toContain(
		'429, retry after 2 s, 9 times at most; Responses 3 s late, until turned off.',
	);
	expect((await sandbox.api('GET', '/cards')).status).toBe(429);
	await send('/clock', { frozen: 'true' });
	const controls = words(await text(sandbox, '/controls'));
	expect(controls).toContain('it is stopped at Jun 5, 07:08.');
	expect(controls).toContain('Clock stopped');
	expect(controls).toContain('retry after 2 s 1 of 9 times active');
	await send('/faults/reset');
	await send('/clock/reset');
	expect(await text(sandbox, '/cards')).not.toContain('alert-warning');
	expect((await sandbox.api('GET', '/cards')).status).toBe(200);
	expect((await sandbox.control('GET', '/clock')).body).toMatchObject({ adjusted: false });
});

test('every ready-made workflow has a picture, a sentence and its row of the index, and its file is served', async () => {
	const sandbox = await startSandbox();
	const shown = await text(sandbox, '/workflows');
	const files = readdirSync(workflowsFolder).filter((file) => file.endsWith('.json'));
	const readme = readFileSync(join(workflowsFolder, 'README.md'), 'utf8');
	const groups = readme.split(/^## /m).filter((group) => group.includes('\n### '));
	expect([...shown.matchAll(/<h2 class="h4[^>]*>(.+?)</g)].map(([, group]) => group)).toEqual(
		groups.map((group) => group.split('\n')[0]),
	);
	for (const file of files) {
		const [panel = ''] =
			new RegExp(`aria-labelledby="${file}-heading"[^]*?</section>`).exec(shown) ?? [];
		expect([file, panel]).toEqual([
			file,
			expect.stringMatching(/<p class="my-2">\w[^<]{9,200}[.?!]</),
		]);
		const [, startsWith] =
			new RegExp(`^\\| \\[.+?\\) \\| (.+?) \\|.+/${file}\\)`, 'm').exec(readme) ?? [];
		expect(panel).toMatch(/<dt>Starts with<\/dt>/);
		expect(panel).toContain(`<dd class="m-0">${startsWith}</dd>`);
		expect(panel).not.toContain('–');
		expect(panel).toContain(`data-copy="${sandbox.url}/dashboard/workflows/${file}"`);
		const served = await get(sandbox, `/workflows/${file}`);
		expect(served.headers.get('content-type')).toBe('application/json');
		expect(await served.text()).toBe(readFileSync(join(workflowsFolder, file), 'utf8'));
		const [, picture = ''] = /src="\/dashboard(.*?)"/.exec(panel) ?? [];
		expect((await get(sandbox, picture)).headers.get('content-type')).toBe('image/png');
	}
	const [, csv = ''] = /href="\/dashboard(\S+\.csv)"/.exec(shown) ?? [];
	expect((await get(sandbox, csv)).status).toBe(200);
	for (const name of ['README.md', '..%2Fpackage.json', 'nothing.json']) {
		expect((await get(sandbox, `/workflows/${name}`)).status).toBe(404);
	}
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
	expect(await text(sandbox, '/cards?search=zzz')).toContain('Nothing matches.');
	expect(await text(sandbox, '/requests?method=')).toContain('No requests yet.');
	const shown = [1, 2].map((page) => rows(sandbox, `/transactions?page=${page}`, 'transaction'));
	expect(new Set((await Promise.all(shown)).flat()).size).toBe(44);
	const ofCard = `/transactions?search=${cardId(3)}&status=pending`;
	expect(await text(sandbox, ofCard)).toMatch(/hx-get="[^"]*search=[^"]*status=pending/);
	expect(await rows(sandbox, ofCard, 'transaction')).toHaveLength(2);
});

test('transactions say when they were made, and why they were declined', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.setClock(new Date('2031-05-07T00:00'));
	const decline = { reason: 'expired_card' };
	await sandbox.client.authorize({ cardId: cardId(3), amount: '1.00', decline });
	await sandbox.client.advanceClock(7_200);
	const shown = await text(sandbox, '/transactions');
	expect(shown).toContain('expired card (network)');
	expect(shown).toMatch(/title="May 7, 2031, 00:00:00 [^<]+">2 h ago</);
	await sandbox.client.advanceClock(6 * 86_400);
	expect(await text(sandbox, '/transactions')).toContain('>6 d ago<');
	await sandbox.client.advanceClock(2 * 86_400);
	expect(await text(sandbox, '/transactions')).toContain('>May 7, 00:00<');
});

test('one click makes several declines, and shows what became of each, when it is tried again, what to do, and the card', async () => {
	const sandbox = await startSandbox({ deliveries: { baseDelay: 600_000, maxDelay: 600_000 } });
	const receiver = await startReceiver((response) => response.writeHead(404).end('<b>'));
	await sandbox.client.subscribe(1001, receiver.url);
	const form = words(await text(sandbox, '/simulate'));
	expect(form).toMatch(/Outcome Approve Decline: insufficient funds .* Repeat Merchant /);
	const merchant = {
		merchantName: 'QUAI',
		merchantCountry: 'FR',
		mcc: '5942',
		category: 'airlines',
	};
	const payment = { cardId: cardId(3), amount: '1.00', currency: 'EUR', ...merchant };
	const send = (times: string) =>
		post(sandbox, '/simulate/authorization', { ...payment, reason: 'do_not_honor', times }, HTMX);
	const { url } = await send('3');
	await sandbox.api('POST', `${CARD}/freeze`);
	const [sent] = await receiver.waitFor(3);
	expect(JSON.parse(sent?.body ?? '')).toMatchObject({ currency: 'EUR', ...merchant });
	await eventually(async () => {
		const shown = words(await (await fetch(url)).text());
		expect(shown).toContain('3 declined. Deliveries: 3 pending');
		expect(shown.match(/Declined €1\.00 QUAI/g)).toHaveLength(3);
		expect(shown.match(/The receiver has nothing at this URL/g)).toHaveLength(1);
		expect(shown).toContain('Team travel is now frozen.');
	});
	const [delivery] = await sandbox.client.deliveries();
	const shown = words(await text(sandbox, `/webhooks/deliveries/${delivery?.id ?? ''}`));
	expect(shown).toMatch(/retrying .* Next attempt \w+ \d+, \d{4}, \d\d:\d\d:\d\d /);
	expect(shown).toContain('The receiver has nothing at this URL: correct it.');
	expect(shown).toContain('Response &lt;b&gt; Body');
	expect(await (await send('21')).text()).toBe('times: enter 20 or less');
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
