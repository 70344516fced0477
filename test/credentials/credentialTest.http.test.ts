import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { credentialsFor } from '../../dev/harness/core/credentials.ts';
import { type Answer, type HttpServer, json, startServer } from '../../dev/harness/httpServer';
import { testCredential } from '../../nodes/CardPlatform/transport/credentialTest';
import { startSandbox, type TestSandbox } from '../support/sandbox';

const servers: Pick<HttpServer, 'close'>[] = [];
afterEach(async () => {
	for (const server of servers.splice(0)) await server.close();
});

async function start(answer: Answer): Promise<HttpServer> {
	const server = await startServer(answer);
	servers.push(server);
	return server;
}

/** Runs the test of a credential as n8n does. */
async function check(baseUrl: string, more: ICredentialDataDecryptedObject = {}) {
	const data = credentialsFor(baseUrl, more).cardPlatformApi;
	const credential = { id: '1', name: 'test', type: 'cardPlatformApi', data };
	const result = await testCredential.call(new CredentialTestContext(), credential);
	expect(JSON.stringify(result)).not.toContain('secret-key-1234');
	return result;
}

const CUSTOMER = { keyScope: 'customer' };

const forPayments =
	(status: number, message: string): Answer =>
	({ url }, response) =>
		json(response, url.includes('payments') ? status : 200, { code: 'bad', message });

/** What stands in front of the API refuses payments. */
const notFromApi =
	(status: number): Answer =>
	({ url }, response) =>
		response.writeHead(url.includes('payments') ? status : 200).end('account?');

const replies: Answer = (_request, response) => json(response, 200, { status: 'ok' });

test('a key that the API accepts: two requests, with the key', async () => {
	const server = await start(replies);
	const apiKey = ' secret-key-1234\n';
	const { status } = await check(`${server.url}/v1/public/`, { apiKey, readOnly: true });
	expect(status).toBe('OK');
	const headers = { authorization: 'Bearer secret-key-1234' };
	expect(server.requests).toMatchObject([
		{ method: 'GET', headers, url: '/v1/public/health' },
		{
			method: 'GET',
			headers,
			url: expect.stringMatching(/^\/v1\/public\/payments\?from=[\d-]{10}&to=[\d-]{10}$/),
		},
	]);
});

test('a request ends after 15 seconds, as a proxy in front of n8n may wait for a minute only', async () => {
	const request = jest.fn().mockRejectedValue(Object.assign(new Error(), { code: 'ECONNABORTED' }));
	const data = credentialsFor('https://api.example.com').cardPlatformApi;
	const context = Object.assign(new CredentialTestContext(), { helpers: { request } });
	const result = await testCredential.call(context, {
		id: '1',
		name: 'x',
		type: 'cardPlatformApi',
		data,
	});
	expect(request).toHaveBeenCalledWith(expect.objectContaining({ timeout: 15_000 }));
	expect(result.message).toMatch(/^No complete response from api\.example\.com .*Try again later/);
});

describe('Key Scope and Default Account ID', () => {
	let sandbox: TestSandbox;
	beforeEach(async () => {
		sandbox = await startSandbox();
	});
	afterEach(async () => {
		await sandbox.close();
	});

	const NO_FIT =
		/^The API does not list payments with Key Scope: Account: accountId: required with .* If it covers several, set it to Customer/;
	const NOT_ACCEPTED =
		/^The API does not list payments with Default Account ID \d+: accountId: no account of this API key \(400 .*\)\. .* the credential is saved, so run Connection: Test API next\.$/;

	test.each<[string, number | undefined, ICredentialDataDecryptedObject, string | RegExp]>([
		['a key for one account', 1001, {}, 'Connection successful!'],
		['a customer key', undefined, { ...CUSTOMER, accountId: '1001' }, 'Connection successful!'],
		['a customer key with the scope of an account', undefined, {}, NO_FIT],
		['an account that does not exist', undefined, { ...CUSTOMER, accountId: '4711' }, NOT_ACCEPTED],
		['an account of which the key is not', 1001, { ...CUSTOMER, accountId: '1002' }, NOT_ACCEPTED],
		[
			'no account',
			undefined,
			{ ...CUSTOMER, accountId: '' },
			/ with Default Account ID \(empty\): /,
		],
	])('%s', async (_name, accountId, more, message) => {
		const apiKey = await sandbox.client.createKey(accountId);
		const { message: says } = await check(sandbox.apiUrl, { apiKey, ...more });
		expect(says).toMatch(message);
	});

	test('an API that names the account differently: never that the account was not set', async () => {
		const apiKey = await sandbox.client.createKey();
		await sandbox.client.setDialect('snake_case');
		const { message } = await check(sandbox.apiUrl, { apiKey, ...CUSTOMER, accountId: '1001' });
		expect(message).toMatch(
			/^The API does not list payments with Default Account ID 1001: .*run Connection: Test API next/,
		);
	});

	test.each([
		['/', /must include the path prefix, usually \/v1\/public\.$/],
		['/v1', /must include the path prefix, usually \/v1\/public\.$/],
		[
			'/dashboard',
			/^The API returned 404 with a web page .* lacks its prefix: try \S+\/v1\/public\. If this address has worked before: /,
		],
	])('a Base URL that ends in %s', async (path, message) => {
		expect((await check(`${sandbox.url}${path}`)).message).toMatch(message);
	});
});

test.each<[string, Answer]>([
	['an empty body', (_request, response) => response.writeHead(204).end()],
	['a word', (_request, response) => response.end('OK')],
	['a 403 of payments', forPayments(403, 'No payments for this account')],
	['a 404 of payments that is not from the API', notFromApi(404)],
	['a 400 of payments that is not from the API', notFromApi(400)],
])('%s is accepted', async (_name, answer) => {
	const server = await start(answer);
	for (const more of [{}, { ...CUSTOMER, accountId: '1001' }])
		expect(await check(server.url, more)).toMatchObject({ status: 'OK' });
});

// The words of the API are undocumented: what they mean, a person has to read.
test.each([400, 404])('a %d of payments is an error, in whatever words', async (status) => {
	const server = await start(forPayments(status, 'Falsches Konto'));
	expect(await check(server.url)).toEqual({
		status: 'Error',
		message: expect.stringMatching(
			/^The API does not list payments with Key Scope: Account: Falsches Konto \(4\d\d bad\)\. If the key covers one/,
		),
	});
	expect(await check(server.url, { ...CUSTOMER, accountId: '1001' })).toEqual({
		status: 'Error',
		message: expect.stringMatching(
			/^The API does not list payments with Default Account ID 1001: Falsches Konto \(4\d\d bad\)\. If the key/,
		),
	});
});

const refuse =
	(status: number, code: string, message: string): Answer =>
	(_request, response) =>
		json(response, status, { code, message });

test.each<[Answer, string]>([
	[
		refuse(401, 'unauthorized', 'Key secret-key-1234 is unknown'),
		'The API key is not valid (401). Paste the newest one: generating a key stops the older one.',
	],
	// A dashboard.
	[
		(_request, response) => response.end('<!doctype html><title>Cards</title>'),
		'The API responded to GET /health with a web page instead of a health status. Check Base URL',
	],
	[
		refuse(400, 'unauthorized', 'Key secret-key-1234 is unknown'),
		'Key [API key] is unknown (400 unauthorized). Check Base URL',
	],
	[refuse(429, 'limit', 'Slow down'), 'Slow down (429 limit). Too many requests. Wait a minute,'],
	[refuse(400, 'bad', 'Bad'), 'Bad (400 bad). Check Base URL in the Card Platform API credential'],
])('an answer that is wrong: %#', async (answer, message) => {
	const server = await start(answer);
	const result = await check(server.url);
	expect(result.status).toBe('Error');
	expect(result.message.slice(0, message.length)).toBe(message);
	expect(server.requests).toHaveLength(1);
});

test('a redirect is not followed, so the key is not sent', async () => {
	const other = await start(replies);
	const server = await start((_request, response) =>
		response.writeHead(302, { location: `${other.url}/health` }).end(),
	);
	expect(await check(server.url)).toEqual({
		status: 'Error',
		message: expect.stringMatching(
			/^The API returned 302 with an empty body instead of its error format\. The API redirected the request\./,
		),
	});
	expect(other.requests).toEqual([]);
});

const NOT_SENT: [string, ICredentialDataDecryptedObject, string][] = [
	['no Base URL', { baseUrl: '' }, 'The credential has no Base URL. Open'],
	['no key', { apiKey: ' ' }, 'The credential has no API key. Open'],
	['an unknown name', { parameterNames: '{"x":"y"}' }, 'has an unknown name: x. Open'],
];

test.each(NOT_SENT)('%s: nothing is sent', async (_name, more, message) => {
	const server = await start(replies);
	const result = await check(server.url, more);
	expect(result).toEqual({ status: 'Error', message: expect.stringContaining(message) });
	expect(server.requests).toEqual([]);
});

test('no response: a refused port', async () => {
	const gone = await startServer(replies);
	await gone.close();
	const { host } = new URL(gone.url);
	expect(await check(gone.url)).toEqual({
		status: 'Error',
		message: expect.stringMatching(
			`^No connection to ${host} \\(ECONNREFUSED\\)\\. .* check that the API is running`,
		),
	});
});
