import { z } from 'zod';

import { eventually } from '../../harness/tools/waiting.ts';
import { OWN_FILES, PACKAGE_FILES } from '../../sandbox/dashboard/assets.ts';
import { startReceiver } from './support/receiver.ts';
import {
	cardId,
	createCard,
	startSandbox,
	type TestSandbox,
	UNKNOWN_ID,
} from './support/sandbox.ts';

const PAGES = ['api', 'webhooks', 'signature', 'simulate', 'cards', 'transactions', 'reference'];

const get = async ({ url }: TestSandbox, path: string, headers: Record<string, string> = {}) =>
	await fetch(`${url}/dashboard/${path}`, { headers });

const post = async (
	{ url }: TestSandbox,
	path: string,
	fields: Record<string, string>,
	headers: Record<string, string> = {},
) => {
	const body = new URLSearchParams(fields);
	return await fetch(`${url}/dashboard/${path}`, { method: 'POST', body, headers });
};

/** What htmx sends with a request for a fragment. */
const HTMX = { 'hx-request': 'true', 'hx-request-type': 'partial' };

test.each(['/', '/dashboard', '/dashboard/'])('%s leads to the API page', async (path) => {
	const sandbox = await startSandbox();
	const response = await fetch(sandbox.url + path);
	expect(response.url).toBe(`${sandbox.url}/dashboard/api`);
	expect(response.status).toBe(200);
});

test.each(PAGES)(
	'the page %s allows nothing inline and nothing of another origin',
	async (name) => {
		const sandbox = await startSandbox();
		const response = await get(sandbox, name);
		expect(response.status).toBe(200);
		const policy = response.headers.get('content-security-policy')?.split('; ');
		// Redoc has two constant styles; their hashes are allowed on its page only.
		const hashes =
			name === 'reference' ? /^style-src 'self'( 'sha256-\S+'){2}$/ : /^style-src 'self'$/;
		expect(policy).toEqual([
			"default-src 'none'",
			"script-src 'self'",
			expect.stringMatching(hashes),
			"img-src 'self' data:",
			"connect-src 'self'",
			"base-uri 'none'",
			"form-action 'self'",
			"frame-ancestors 'none'",
		]);
		expect(response.headers.get('x-content-type-options')).toBe('nosniff');
		const text = await response.text();
		expect(text).not.toMatch(
			/<style|\sstyle=|<script>|\son\w+=|hx-on|js:|(?:src|href)="(?:https?:)?\/\//,
		);
		expect(text).toContain('href="/dashboard/api"');
		if (name !== 'reference') expect(text).toContain('href="/dashboard/reference"');
	},
);

test('every file that a page names is there, with its content type, and no other file', async () => {
	const sandbox = await startSandbox();
	const types: Record<string, string> = {
		css: 'text/css; charset=utf-8',
		js: 'text/javascript; charset=utf-8',
		svg: 'image/svg+xml',
	};
	const pages = await Promise.all(PAGES.map(async (name) => (await get(sandbox, name)).text()));
	const named = new Set(pages.flatMap((text) => text.match(/(?<=assets\/)[\w.]+/g) ?? []));
	const offered = [...OWN_FILES, ...Object.keys(PACKAGE_FILES)];
	for (const name of named) expect(offered).toContain(name);
	expect(named.size).toBeGreaterThan(6);
	for (const name of offered) {
		const response = await get(sandbox, `assets/${name}`);
		expect([name, response.status]).toEqual([name, 200]);
		const [extension = ''] = /\w+$/.exec(name) ?? [];
		expect(response.headers.get('content-type')).toBe(types[extension]);
		expect((await response.text()).length).toBeGreaterThan(100);
	}
});

test('Redoc requests its logo from here', async () => {
	const sandbox = await startSandbox();
	const text = await (await get(sandbox, 'assets/redoc.js')).text();
	expect(text).toContain('src:"/dashboard/assets/icon.svg"');
	expect(text).not.toContain('cdn.redoc.ly');
});

test.each(['tsconfig.json', 'missing.js', '..%2Froutes.ts', '..%2F..%2Fapp.ts', 'constructor'])(
	'the asset %s is not given out',
	async (name) => {
		const sandbox = await startSandbox();
		expect((await get(sandbox, `assets/${name}`)).status).toBe(404);
	},
);

test('a form that another site posts is refused, and changes nothing (CSRF)', async () => {
	const sandbox = await startSandbox();
	const key = { scope: 'customer', accountId: '1001', confirmed: 'yes' };
	const endpoint = { url: 'http://127.0.0.1:9/hook', accountId: '1001' };
	for (const origin of ['https://evil.example', 'null', sandbox.url.replace('http', 'https')]) {
		expect((await post(sandbox, 'api/key', key, { origin })).status).toBe(403);
		expect((await post(sandbox, 'webhooks/endpoints', endpoint, { origin })).status).toBe(403);
		const freeze = await post(sandbox, `cards/${cardId(3)}/freeze`, {}, { origin });
		expect(freeze.status).toBe(403);
	}
	expect((await sandbox.api('GET', `/cards/${cardId(3)}`)).body).toMatchObject({
		status: 'active',
	});
	expect((await sandbox.control('GET', '/endpoints')).body).toEqual({ data: [] });
	const own = await post(sandbox, 'webhooks/endpoints', endpoint, { origin: sandbox.url });
	expect(own.status).toBe(200);
});

test('an error of a form goes to its place in the form, with the status of the control plane', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.setFeatures(1001, { webhooks: false });
	const endpoint = { url: 'http://127.0.0.1:9/hook', accountId: '1001' };
	const response = await post(sandbox, 'webhooks/endpoints', endpoint, HTMX);
	expect(response.status).toBe(403);
	expect(response.headers.get('hx-retarget')).toBe('find [role=alert]');
	expect(await response.text()).toBe('Webhooks are not enabled for this account');
	const invalid = await post(sandbox, 'webhooks/endpoints', { ...endpoint, url: 'x' }, HTMX);
	expect(invalid.status).toBe(400);
	expect(await invalid.text()).toMatch(/^url: /);
});

test('a form that is sent before the scripts have loaded gets a whole page', async () => {
	const sandbox = await startSandbox();
	const endpoint = { url: 'http://127.0.0.1:9/hook', accountId: '1001' };
	const added = await (await post(sandbox, 'webhooks/endpoints', endpoint)).text();
	expect(added).toMatch(/^<!doctype html>/);
	expect(added).toMatch(/value="whsec_[\w-]{43}"/);
	const refused = await post(sandbox, 'webhooks/endpoints', { ...endpoint, accountId: '7' });
	expect(refused.status).toBe(404);
	expect(await refused.text()).toContain('No account has this accountId');
});

test('an unknown page, delivery, card or step is not found', async () => {
	const sandbox = await startSandbox();
	for (const path of [
		'nowhere',
		`webhooks/deliveries/${UNKNOWN_ID}`,
		`webhooks/endpoints/${UNKNOWN_ID}/rotate`,
		`cards/${UNKNOWN_ID}/archive`,
		`simulate/transactions/${UNKNOWN_ID}/clearing`,
	]) {
		const response = await get(sandbox, path);
		expect([path, response.status]).toEqual([path, 404]);
		expect(await response.text()).toContain('<h1>The request failed</h1>');
	}
	expect((await post(sandbox, `cards/${cardId(3)}/burn`, {}, HTMX)).status).toBe(404);
});

test.each([
	['that the card allows, if it is not chosen', {}, { category: 'airlines' }],
	[
		'that is chosen',
		{ category: 'books_and_newspapers' },
		{ category: 'books_and_newspapers', mcc: '5942' },
	],
])('a simulated payment has a category %s', async (_, chosen, expected) => {
	const sandbox = await startSandbox();
	const payment = { cardId: cardId(3), amount: '189.90', currency: 'EUR', scenario: 'foreign' };
	const fields = { ...payment, merchantName: 'QUAI', merchantCountry: 'FR', ...chosen };
	await post(sandbox, 'simulate/authorization', fields, HTMX);
	const { body } = await sandbox.api('GET', `/cards/${cardId(3)}/financial-events`);
	expect(body).toMatchObject({
		data: expect.arrayContaining([
			expect.objectContaining({ merchantName: 'QUAI', merchantCountry: 'FR', ...expected }),
		]),
	});
});

test.each([
	['approved', { isSuccess: true, isReversal: false, amountDirection: 'debit' }],
	['declined', { isSuccess: false, isReversal: false, amountDirection: 'debit' }],
	['refunded', { isSuccess: true, isReversal: false, amountDirection: 'credit' }],
	['reversed', { isSuccess: true, isReversal: true, amountDirection: 'credit' }],
])(
	'a test event that is %s goes to its endpoint only, without those before it',
	async (kind, markers) => {
		const sandbox = await startSandbox();
		const receiver = await startReceiver();
		const one = await sandbox.client.subscribe(1001, receiver.url);
		await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/two');
		const response = await post(sandbox, `webhooks/endpoints/${one.id}/test`, { kind }, HTMX);
		expect(response.headers.get('hx-trigger')).toBe('refresh');
		const deliveries = await sandbox.client.deliveries();
		expect(deliveries.map(({ endpointId }) => endpointId)).toEqual([one.id]);
		const [delivery] = await receiver.waitFor(1);
		expect(JSON.parse(String(delivery?.body))).toMatchObject(markers);
	},
);

test('an approved test event needs an active card, a declined one does not', async () => {
	const sandbox = await startSandbox({ seed: 'none' });
	const { id } = await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/hook');
	const send = async (kind: string) =>
		await post(sandbox, `webhooks/endpoints/${id}/test`, { kind }, HTMX);
	expect((await send('declined')).status).toBe(400);
	const card = await createCard(sandbox);
	expect((await send('approved')).status).toBe(200);
	await sandbox.api('POST', `/cards/${card}/freeze`);
	expect(await (await send('approved')).text()).toContain('The account has no active card');
	expect((await send('declined')).status).toBe(200);
});

test('the secret of a URL that was added before comes with a warning, which stays in the list', async () => {
	const sandbox = await startSandbox();
	const endpoint = { url: 'http://127.0.0.1:9/hook', accountId: '1001' };
	const add = async (url: string) =>
		await (await post(sandbox, 'webhooks/endpoints', { ...endpoint, url }, HTMX)).text();
	const warning = 'This URL was added more than once';
	expect(await add('http://127.0.0.1:9/hook')).not.toContain(warning);
	expect(await add('http://127.0.0.1:9/other')).not.toContain(warning);
	expect(await add('http://127.0.0.1:9/hook')).toContain(warning);
	const listed = await (await get(sandbox, 'webhooks/endpoints', HTMX)).text();
	expect(listed.split(warning)).toHaveLength(3);
});

test('endpoints are shown by name, and test URLs of n8n are marked', async () => {
	const sandbox = await startSandbox();
	const url = 'http://127.0.0.1:9/webhook-test/8b3b/webhook';
	await post(sandbox, 'webhooks/endpoints', { accountId: '1001', url, name: 'Freeze' }, HTMX);
	await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/webhook/8b3b/webhook');
	await sandbox.client.authorize({ cardId: cardId(3), amount: '1.00' });
	expect((await sandbox.control('GET', '/endpoints')).body).toMatchObject({
		data: [{ name: 'Freeze' }, { name: null }],
	});
	const shown = await (await get(sandbox, 'webhooks')).text();
	const rows = shown.match(/<tr id.*?<\/tr>/gs) ?? [];
	const isMarked = rows.map((row) => [row.includes('Freeze'), row.includes('test URL')]);
	expect(isMarked).toHaveLength(4);
	for (const [isNamed, isTest] of isMarked) expect(isNamed).toBe(isTest);
	expect(shown).toContain('>Freeze</option>');
});

test('clearings and increments are named where events are listed', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/hook');
	const purchase = { cardId: cardId(3), amount: '20.00', merchantName: 'INN' };
	const { transaction } = await sandbox.client.authorize(purchase);
	await sandbox.client.simulateStep('increment', transaction.id, '5.00');
	await sandbox.client.simulateStep('clearing', transaction.id, '15.00');
	await sandbox.client.simulateStep('release', transaction.id);
	for (const path of ['webhooks', `cards/${cardId(3)}`]) {
		const shown = await (await get(sandbox, path)).text();
		const events = shown.match(/\w+ \S+ INN( \(\w+\))?/g)?.slice(0, 4);
		expect([path, events]).toEqual([
			path,
			[
				'Reversed $10.00 INN (release)',
				'Approved $15.00 INN (clearing)',
				'Approved $5.00 INN (increment)',
				'Approved $20.00 INN',
			],
		]);
	}
});

test.each([
	['the country of the scenario', 'FR', { merchantCountry: 'FR', merchantCity: 'Paris' }],
	['another country', 'RO', { merchantCountry: 'RO', merchantCity: undefined }],
	['no country', '', { merchantCountry: undefined, merchantCity: undefined }],
])('a simulated payment has %s', async (_, merchantCountry, expected) => {
	const sandbox = await startSandbox();
	const fields = { amount: '9.00', currency: 'EUR', scenario: 'foreign', cardId: cardId(3) };
	const form = { ...fields, merchantName: 'QUAI', merchantCountry };
	const result = await (await post(sandbox, 'simulate/authorization', form, HTMX)).text();
	expect(result.includes('Merchant country')).toBe(merchantCountry !== '');
	const { body } = await sandbox.api('GET', `/cards/${cardId(3)}/financial-events`);
	const events = z.object({ data: z.array(z.record(z.unknown())) }).parse(body).data;
	const event = events.find(({ merchantName }) => merchantName === 'QUAI');
	expect(event).toBeDefined();
	expect({ merchantCity: undefined, merchantCountry: undefined, ...event }).toMatchObject(expected);
});

test.each([
	['the limit is too low', { amount: '18500.00', cardId: cardId(2) }, 'card limit exceeded'],
	['the card is frozen', { amount: '1.00', cardId: cardId(6) }, 'card frozen'],
	['it is approved', { amount: '1.00', cardId: cardId(2) }, undefined],
	['the amount is missing', { amount: '', cardId: cardId(6) }, undefined],
])('before a payment, the page says why it is declined: %s', async (_, fields, reason) => {
	const sandbox = await startSandbox();
	const query = new URLSearchParams({ currency: 'USD', scenario: 'large', ...fields });
	const shown = await (await get(sandbox, `simulate/forecast?${query.toString()}`, HTMX)).text();
	if (reason === undefined) expect(shown).toBe('');
	else expect(shown).toContain(`The platform will decline this: ${reason}.`);
});

test('a delivery that is tried again shows when, and what to do', async () => {
	const sandbox = await startSandbox({ deliveries: { baseDelay: 600_000, maxDelay: 600_000 } });
	const receiver = await startReceiver((response) => {
		response.writeHead(401).end('{"code": "unauthorized", "message": "signature-mismatch"}');
	});
	await sandbox.client.subscribe(1001, receiver.url);
	const { deliveries } = await sandbox.client.authorize({ cardId: cardId(3), amount: '1.00' });
	const page = `webhooks/deliveries/${deliveries[0]?.id ?? ''}`;
	const shown = await eventually(async () => {
		const text = await (await get(sandbox, page)).text();
		expect(text).toContain('HTTP 401');
		return text;
	});
	expect(shown).toMatch(/class="badge waiting">retrying, next \d\d:\d\d:\d\d</);
	expect(shown).toContain('into Signing Secret of the trigger');
	const list = await (await get(sandbox, 'webhooks', HTMX)).text();
	expect(list).toMatch(/class="badge waiting">retrying, next \d\d:\d\d:\d\d</);
	const at = (await sandbox.client.deliveries())[0]?.attempts[0]?.at ?? '';
	expect(list).toContain(`datetime="${at}"`);
});

test('deliveries are filtered by endpoint, status and what the event reports', async () => {
	const sandbox = await startSandbox();
	const one = await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/one');
	await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/two');
	const merchantName = 'BOUGHT';
	await sandbox.client.authorize({ cardId: cardId(3), amount: '1.00', merchantName });
	const decline = { reason: 'suspected_fraud' };
	await sandbox.client.authorize({
		cardId: cardId(3),
		amount: '980.00',
		merchantName: 'REFUSED',
		decline,
	});
	const rows = async (query: string) => {
		const text = await (await get(sandbox, `webhooks?${query}`, HTMX)).text();
		return [...text.matchAll(/(Approved|Declined) \S+ \w+/g)].map(([found]) => found);
	};
	expect(await rows('')).toEqual([
		...Array<string>(2).fill('Declined $980.00 REFUSED'),
		...Array<string>(2).fill('Approved $1.00 BOUGHT'),
	]);
	expect(await rows('kind=declined')).toHaveLength(2);
	expect(await rows(`kind=approved&endpointId=${one.id}`)).toEqual(['Approved $1.00 BOUGHT']);
	expect(await rows('kind=refunded')).toEqual([]);
	expect(await rows('status=delivered&kind=')).toEqual([]);
	expect(await rows('pageSize=3&page=2')).toEqual(['Approved $1.00 BOUGHT']);
});
