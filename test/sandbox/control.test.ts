import { request } from 'undici';

import {
	cardId,
	errorAnswer,
	startSandbox,
	type TestSandbox,
	UNKNOWN_ID,
} from './support/sandbox.ts';

/** Sends headers that fetch would not let us set. */
async function withHeaders(
	sandbox: TestSandbox,
	headers: Record<string, string>,
	path = '/sandbox',
) {
	const { statusCode, body } = await request(sandbox.url + path, { headers });
	return { status: statusCode, body: await body.json() };
}

test('the overview tells time, accounts and counts', async () => {
	const now = new Date('2026-03-15T12:00:00Z');
	const sandbox = await startSandbox({ now: () => now });
	const features = { cardManagement: true, accountManagement: true, webhooks: true };
	expect(await sandbox.control('GET', '')).toEqual({
		status: 200,
		body: {
			name: 'card-platform-sandbox',
			version: '1.0.0',
			now: '2026-03-15T12:00:00.000Z',
			accounts: [
				{ id: 1001, name: 'Operating', features },
				{ id: 1002, name: 'Marketing', features },
			],
			counts: {
				activeApiKeys: 1,
				cards: 13,
				transactions: 44,
				events: 47,
				payments: 8,
				endpoints: 0,
				deliveries: 0,
			},
		},
	});
});

test('the sandbox answers under its own names', async () => {
	const sandbox = await startSandbox();
	const { port } = new URL(sandbox.url);
	for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`]) {
		expect((await withHeaders(sandbox, { host })).status).toBe(200);
	}
	expect((await withHeaders(sandbox, { origin: sandbox.url })).status).toBe(200);
});

test('a foreign Host (DNS rebinding) or Origin (a web page) is refused', async () => {
	const sandbox = await startSandbox();
	const { port } = new URL(sandbox.url);
	const refused = errorAnswer(403, 'forbidden');
	const foreign: Record<string, string>[] = [
		{ host: `evil.example:${port}` },
		{ host: '127.0.0.1:1' },
		{ host: '127.0.0.1' },
		{ origin: 'https://evil.example' },
		{ origin: 'http://127.0.0.1:1' },
		{ origin: `https://127.0.0.1:${port}` },
		{ origin: 'null' },
	];
	for (const headers of foreign) {
		expect(await withHeaders(sandbox, headers)).toEqual(refused);
		expect(await withHeaders(sandbox, headers, '/sandbox/deliveries')).toEqual(refused);
	}
});

test('a sandbox that listens everywhere is still controlled from its own machine', async () => {
	const sandbox = await startSandbox({ host: '0.0.0.0' });
	expect((await sandbox.control('GET', '')).status).toBe(200);
});

test('the control plane is not below the API, and the API is not below the control plane', async () => {
	const sandbox = await startSandbox();
	expect(await sandbox.api('GET', '/sandbox')).toEqual(errorAnswer(404, 'not-found'));
	expect(await sandbox.control('GET', '/payments')).toEqual(errorAnswer(404, 'not-found'));
});

test('reset wipes keys, endpoints and changes, and seeds again', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.subscribe(1001, 'http://127.0.0.1:9/');
	await sandbox.api('POST', `/cards/${cardId(1)}/archive`);
	expect(await sandbox.control('POST', '/reset', { seed: 'small' })).toMatchObject({
		status: 200,
		body: { counts: { cards: 13, activeApiKeys: 0, endpoints: 0 } },
	});
	expect(await sandbox.api('GET', '/health')).toEqual(errorAnswer(401, 'unauthorized'));
	await sandbox.makeKey();
	expect((await sandbox.api('GET', `/cards/${cardId(1)}`)).body).toMatchObject({
		status: 'active',
	});
});

test('reset to nothing leaves the two accounts', async () => {
	const sandbox = await startSandbox();
	await sandbox.client.reset('none');
	expect((await sandbox.control('GET', '')).body).toMatchObject({
		accounts: [{ id: 1001 }, { id: 1002 }],
		counts: { cards: 0, transactions: 0, events: 0, payments: 0 },
	});
});

test('a reset with no body seeds the small company', async () => {
	const sandbox = await startSandbox({ seed: 'none' });
	expect((await sandbox.control('POST', '/reset')).body).toMatchObject({ counts: { cards: 13 } });
});

test.each([
	['POST', '/keys', { scope: 'account', accountId: 7 }],
	['PUT', '/accounts/7/features', { webhooks: true }],
	['POST', '/endpoints', { accountId: 7, url: 'http://127.0.0.1/' }],
	['POST', `/endpoints/${UNKNOWN_ID}/rotate`, undefined],
	['DELETE', `/endpoints/${UNKNOWN_ID}`, undefined],
])('%s %s %j: 404 for what does not exist', async (method, path, body) => {
	const sandbox = await startSandbox();
	expect(await sandbox.control(method, path, body)).toEqual(errorAnswer(404, 'not-found'));
});

test.each([
	['POST', '/reset', { seed: 'huge' }, 'seed'],
	['POST', '/keys', {}, 'scope'],
	['POST', '/keys', { scope: 'account' }, 'accountId'],
	['PUT', '/accounts/1001/features', { webhook: true }, 'webhook'],
	['PUT', '/accounts/1001/features', { webhooks: 'yes' }, 'webhooks'],
	['POST', '/endpoints', { accountId: 1001, url: 'ftp://127.0.0.1/' }, 'url'],
	['POST', '/endpoints', { accountId: 1001 }, 'url'],
	[
		'POST',
		'/endpoints',
		{ accountId: 1001, url: 'http://127.0.0.1/', retryTimestamp: 'old' },
		'retryTimestamp',
	],
])('%s %s %j: 400 that names the field', async (method, path, body, field) => {
	const sandbox = await startSandbox();
	expect(await sandbox.control(method, path, body)).toEqual({
		status: 400,
		body: { code: 'bad-request', message: expect.stringContaining(field) },
	});
});

test('a body that is no JSON is refused with 400', async () => {
	const sandbox = await startSandbox();
	const response = await fetch(`${sandbox.url}/sandbox/keys`, { method: 'POST', body: '{' });
	expect({ status: response.status, body: await response.json() }).toEqual(
		errorAnswer(400, 'bad-request'),
	);
});
