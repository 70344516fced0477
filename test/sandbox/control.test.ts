import { errorAnswer, startSandbox, UNKNOWN_ID } from './support/sandbox.ts';

test('the overview has the time, the accounts and the counts', async () => {
	const now = new Date('2026-03-15T12:00:00Z');
	const sandbox = await startSandbox({ now: () => now });
	const features = { cardManagement: true, accountManagement: true, webhooks: true };
	expect(await sandbox.control('GET', '')).toEqual({
		status: 200,
		body: {
			name: 'card-platform-sandbox',
			version: '1.0',
			now: '2026-03-15T12:00:00.000Z',
			accounts: [
				{ id: 1001, name: 'Operating', features },
				{ id: 1002, name: 'Marketing', features },
				{ id: 1003, name: 'New projects', features },
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
			routes: expect.objectContaining({ 'PUT /clock': expect.any(String) }),
		},
	});
});

test('the API has no paths of the control plane, and the other way round', async () => {
	const sandbox = await startSandbox();
	expect(await sandbox.api('GET', '/sandbox')).toEqual(errorAnswer(404, 'not-found'));
	expect(await sandbox.control('GET', '/payments')).toEqual(errorAnswer(404, 'not-found'));
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

test('a body that is not JSON is refused with 400', async () => {
	const sandbox = await startSandbox();
	const response = await fetch(`${sandbox.url}/sandbox/keys`, { method: 'POST', body: '{' });
	expect({ status: response.status, body: await response.json() }).toEqual(
		errorAnswer(400, 'bad-request'),
	);
});
