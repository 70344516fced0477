import { cardId, startSandbox, type TestSandbox } from './support/sandbox.ts';

const page = async ({ url }: TestSandbox, path: string) =>
	await (await fetch(`${url}/dashboard/requests${path}`)).text();

test('requests without a key, and those that a fault refuses or cuts off, are logged', async () => {
	const sandbox = await startSandbox();
	await sandbox.api('GET', '/balance', '');
	await sandbox.client.setFaults([{ kind: 'status', status: 429, times: 1 }]);
	await sandbox.send('POST', '/cards', { name: 'Unseen', type: 'recurring' });
	await sandbox.client.setFaults([{ kind: 'drop-before' }]);
	await expect(sandbox.api('GET', '/health')).rejects.toThrow('fetch failed');
	expect(await page(sandbox, '')).toMatch(
		/<code>POST +\/cards<[^]*<code>GET +\/balance<[^]*key: malformed/,
	);
	expect(await page(sandbox, '')).not.toContain('key: active');
	expect(await page(sandbox, '/2')).toContain('Unseen');
	for (const query of ['path=/health&method=', 'path=health', 'status=none']) {
		const filtered = await page(sandbox, `?${query}`);
		expect(filtered).toMatch(/GET +\/health/);
		expect(filtered).not.toMatch(/GET +\/balance/);
	}
	expect(await page(sandbox, '/3')).toContain('The connection was closed');
});

test('the newest 200 requests are kept, and only a part of a long body', async () => {
	const sandbox = await startSandbox();
	await sandbox.send('PATCH', `/cards/${cardId(3)}`, { note: `${'x'.repeat(20_000)}END` });
	expect(await page(sandbox, '/1')).toContain('x [cut off]<');
	expect(await page(sandbox, '/1')).not.toContain('END');
	for (let count = 0; count < 200; count++) await sandbox.api('GET', '/health');
	const list = await page(sandbox, '');
	expect(list.match(/id="request-/g)).toHaveLength(200);
	expect(list).not.toContain('id="request-1"');
	expect((await fetch(`${sandbox.url}/dashboard/requests/1`)).status).toBe(404);
});

test('what a client sends is escaped in the page', async () => {
	const sandbox = await startSandbox();
	const headers = { 'idempotency-key': '<i>' };
	await sandbox.send('POST', '/cards/[1-3]?<script>=1', { name: '<b>it' }, headers);
	const shown = await page(sandbox, '/1');
	expect(shown).not.toMatch(/<script>=|<b>it|<i>/);
	expect(shown).toContain('&quot;&lt;b&gt;it&quot;');
});

const health = async (sandbox: TestSandbox, path: string) => {
	const headers = { authorization: `Bearer ${sandbox.apiKey}` };
	return fetch(`${sandbox.apiUrl}${path}`, { headers });
};

test('what the API does not know is named in Sandbox-Warning and in the log, and ignored', async () => {
	const sandbox = await startSandbox();
	const warnings = [];
	for (const path of [
		'/cards?page_size=1&page=1',
		'/health?ä=1',
		'/cards?page=0&x=1',
		'/cards?sort=asc',
		'/cards?page=1&page=2&sort=asc',
		'/balance',
	]) {
		warnings.push((await health(sandbox, path)).headers.get('sandbox-warning'));
	}
	const card = { name: 'A', type: 'recurring', color: 'red' };
	const limit = { amount: '1.00', type: 'monthly', currency: 'USD' };
	await sandbox.send('POST', '/cards', { ...card, limit });
	const logged = await sandbox.client.requests();
	warnings.push(logged[0]?.warning);
	await sandbox.makeKey(1001);
	warnings.push((await health(sandbox, '/balance')).headers.get('sandbox-warning'));
	expect(warnings).toEqual([
		'unknown parameter page_size: ignored',
		'unknown parameter %C3%A4: ignored',
		null,
		null,
		'all values but the first of parameter page: ignored',
		'the balance of all 3 accounts of this key together',
		'unknown field color, unknown field limit.currency: ignored',
		null,
	]);
});

test('the log as JSON: filtered, and without keys', async () => {
	const sandbox = await startSandbox();
	await sandbox.send('PATCH', `/cards/${cardId(3)}`, { name: 'Trips' }, { 'x-mine': '1' });
	await sandbox.api('GET', '/cards?page=2');
	await sandbox.api('GET', '/cardsandmore', 'Bearer wrong');
	expect(await sandbox.client.requests({ path: '/cards' })).toMatchObject([
		{ method: 'GET', path: '/cards', query: 'page=2', status: 200, apiKey: 'active' },
		{
			method: 'PATCH',
			requestBody: '{"name":"Trips"}',
			requestHeaders: { 'x-mine': '1', authorization: '***' },
			responseBody: expect.stringContaining('"Trips"'),
		},
	]);
	expect(await sandbox.client.requests({ method: 'patch' })).toHaveLength(1);
	const count = async (query: string) => {
		const { body } = await sandbox.control('GET', `/requests?${query}`);
		return (body as { data: unknown[] }).data.length;
	};
	expect(await count('path=/v1/public/cards')).toBe(2);
	expect(
		await Promise.all(['200', '2xx', '4xx', 'none'].map((each) => count(`status=${each}`))),
	).toEqual([2, 2, 1, 0]);
});

test('no key is in the log or on the terminal, wherever a client sends it, nor what retrieves card numbers', async () => {
	const traced: string[] = [];
	const apiKey = 'own/key+for=tests';
	const sandbox = await startSandbox({ apiKey, trace: (line) => traced.push(line) });
	const headers = { 'x-api-key': 'of another service', 'x-mine': `key ${apiKey}` };
	const query = new URLSearchParams({
		key: apiKey,
		access_token: 'hush',
		page: '1',
		[apiKey]: '2',
	});
	await sandbox.send('PATCH', `/cards/${cardId(3)}?${query.toString()}`, { name: apiKey }, headers);
	await sandbox.api('GET', `/cards/${encodeURIComponent(apiKey)}`);
	await sandbox.api('GET', `/cards/${cardId(3)}/sensitive-details`);
	await sandbox.api('GET', `/cards/${cardId(3)}/sensitive%2Ddetails`);
	await sandbox.makeKey();
	await sandbox.api('GET', `/health?replaced=${encodeURIComponent(apiKey)}`);
	const log = await sandbox.client.requests();
	expect(log).toMatchObject([
		{ query: 'replaced=***' },
		{ status: 200, responseBody: '***' },
		{ status: 200, responseBody: '***' },
		{ path: '/cards/***', responseBody: expect.stringContaining('expected a uuid') },
		{
			query: 'key=***&access_token=***&page=1&***=2',
			requestHeaders: { 'x-api-key': '***', 'x-mine': 'key ***', authorization: '***' },
			requestBody: '{"name":"***"}',
			responseBody: expect.stringContaining('"name":"***"'),
		},
	]);
	const written = [
		JSON.stringify(log),
		traced.join(),
		await page(sandbox, ''),
		await page(sandbox, '/1'),
	];
	for (const text of written) {
		expect(text).not.toMatch(/own(\/|%2F)key|hush|of another service/);
	}
});
