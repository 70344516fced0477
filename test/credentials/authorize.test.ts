import type { IHttpRequestOptions } from 'n8n-workflow';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials';
import { credentialsFor } from '../../dev/harness/core/credentials.ts';

const BASE = 'https://api.example.com/v1/public';
const url = `${BASE}/cards`;

const authenticate = async (request: IHttpRequestOptions, more = {}) =>
	await new CardPlatformApi().authenticate(
		credentialsFor(`${BASE}/`, more).cardPlatformApi,
		request,
	);

describe('Card Platform API', () => {
	test.each<[string, IHttpRequestOptions]>([
		['an absolute address', { url }],
		['a base with blanks and slashes', { baseURL: ` ${BASE}// `, url: '/cards' }],
		['a uri that is not set', Object.assign({ url }, { uri: undefined })],
		['a base and a path', { baseURL: `${BASE}/`, url: '/cards' }],
	])('sends the key below its Base URL: %s', async (_name, request) => {
		expect(await authenticate({ ...request, headers: { 'X-Request-ID': '1' } })).toMatchObject({
			url,
			headers: { Authorization: 'Bearer secret-key-1234', 'X-Request-ID': '1' },
		});
	});

	test('sends the key to its Base URL itself', async () => {
		expect(await authenticate({ url: BASE })).toMatchObject({ url: BASE });
	});

	test('an address as the HTTP Request node gives it', async () => {
		const request = { url: '', uri: 'https://api.example.com/v1/./public/cards' };
		const headers = { Authorization: 'Bearer secret-key-1234' };
		const noRedirects = { followRedirect: false, followAllRedirects: false };
		expect(await authenticate(request)).toMatchObject({ uri: url, ...noRedirects, headers });
		const ours = await authenticate({ url });
		expect(ours).toMatchObject({ disableFollowRedirect: true, followRedirect: false });
		expect(ours).not.toHaveProperty('uri');
		const elsewhere = { url: '', uri: 'https://evil.example/' };
		await expect(authenticate(elsewhere)).rejects.toThrow('not sent');
		// Of two addresses, it goes to the one that was checked.
		const two = { url: 'https://evil.example/', uri: url };
		expect(await authenticate(two)).toMatchObject({ url, uri: url });
	});

	test.each([
		'https://evil.example/v1/public/cards',
		'https://api.example.com.evil.example/v1/public/cards',
		'http://api.example.com/v1/public/cards',
		'https://api.example.com/v1/other',
		`${BASE}ity`,
		`${BASE}/../../admin`,
		`${BASE}/%2e%2e/%2e%2e/admin`,
		`${BASE}/..%2f..%2fadmin`,
		`${BASE}/cards/%252e%252e%252fadmin`,
		`${BASE}/..%5cadmin`,
		`${BASE}/..;/admin`,
		// Encoded: a server may decode it, even twice.
		`${BASE}/cards/1/sensitive%2Ddetails`,
		`${BASE}/cards/1%2Fx`,
		`${BASE}/cards/%73ensitive-details`,
		'/cards',
	])('sends the key nowhere else: %s', async (url) => {
		await expect(authenticate({ url })).rejects.toThrow(
			'not sent: the URL is not below the Base URL',
		);
	});

	test('over http, the key of a sandbox only leaves for another machine', async () => {
		const baseUrl = 'http://10.0.0.1:4010/v1/public';
		const sendKey = async (apiKey: string) =>
			await authenticate({ url: baseUrl }, { baseUrl, apiKey });
		await expect(sendKey('live_key-123456')).rejects.toThrow('Base URL must begin with https');
		expect(await sendKey('sandbox_123456')).toMatchObject({ disableFollowRedirect: true });
	});

	describe('Read Only', () => {
		test.each<Partial<IHttpRequestOptions>>([
			...([
				{},
				{ method: 'GET' },
				{ method: 'HEAD' },
				{ headers: { 'X-Request-Id': '1' } },
			] as const),
		])('%j passes', async (more) => {
			expect(await authenticate({ url, ...more }, { readOnly: true })).toMatchObject({ url });
		});

		test.each(['POST', 'OPTIONS', 'post', ''])('%j is refused', async (method) => {
			// n8n's types have no method in lower case, but an expression may return one.
			const request: IHttpRequestOptions = { url };
			Object.assign(request, { method });
			await expect(authenticate(request, { readOnly: true })).rejects.toThrow(
				/read-only, so the request was not sent.*Read Only in the Card Platform API credential/,
			);
			expect(await authenticate(request)).toMatchObject({ url });
		});
	});

	test.each([
		...['Host', ' Host', 'X-Original-URL', 'authorization', 'X-HTTP-Method-Override', 'Accept '],
	])('a header that is not in the list is refused: %j', async (name) => {
		await expect(authenticate({ url, headers: { Accept: '*/*', [name]: 'x' } })).rejects.toThrow(
			`The API key was not sent: the request has the header ${JSON.stringify(name)}`,
		);
	});

	test('a Base URL may be encoded, and so may a query, and blanks', async () => {
		const baseUrl = 'https://api.example.com/v1%20public';
		const encoded = { url: `${baseUrl}/cards/a%20b?name=a%2Fb..` };
		expect(await authenticate(encoded, { baseUrl })).toMatchObject(encoded);
	});

	test.each([BASE, 'http://[::1]:4010/v1/public'])(
		'a proxy of the request is refused: it could pass for the API, or read the key (%s)',
		async (baseUrl) => {
			const request = { url: `${baseUrl}/cards` };
			const proxied = { ...request, proxy: { host: 'proxy.example', port: 3128 } };
			await expect(authenticate(proxied, { baseUrl })).rejects.toThrow(
				'The API key was not sent: the request has its own proxy',
			);
			// As the HTTP Request node gives it where no proxy is set.
			const sent = await authenticate({ ...request, proxy: undefined }, { baseUrl });
			expect([sent.url, sent.proxy]).toEqual([request.url, undefined]);
		},
	);

	test.each<[string, object]>([
		['Ignore SSL Issues', { rejectUnauthorized: false }],
		['Ignore SSL Issues of a declarative node', { skipSslCertificateValidation: true }],
		['SSL Certificates', { agentOptions: { ca: 'a certificate' } }],
		['both in one option', { agentOptions: { rejectUnauthorized: false } }],
	])(
		'%s: refused with https, as whoever reroutes the request could read the key',
		async (_, more) => {
			const local = 'http://localhost:4010';
			await expect(authenticate({ url, ...more })).rejects.toThrow(
				'The API key was not sent: the request ignores SSL issues, or has its own SSL certificates',
			);
			expect(await authenticate({ url: local, ...more }, { baseUrl: local })).toMatchObject(more);
			// As the HTTP Request node gives it with the option off.
			const checked = { rejectUnauthorized: true, skipSslCertificateValidation: false };
			expect(await authenticate({ url, ...checked })).toMatchObject({ url });
		},
	);

	test('a request that n8n gives again after a 401 has the key already', async () => {
		const signed = await authenticate({ url });
		expect(await authenticate(signed)).toMatchObject({ url });
		const headers = { Authorization: 'Bearer another-key' };
		await expect(authenticate({ url, headers })).rejects.toThrow('has the header');
		const copy = { 'X-Copy': 'Bearer secret-key-1234' };
		await expect(authenticate({ url, headers: copy })).rejects.toThrow('has the header "X-Copy"');
	});

	test.each([
		'/cards/1/Sensitive-Details?x=1#y',
		'/cards/1/x/../sensitive-details/.',
		'/cards/1/sensitive-details;v=1',
		'\\cards\\1\\sensitive-\ndetails',
	])('sensitive details need their switch: %s', async (path) => {
		const details = { url: BASE + path };
		await expect(authenticate(details, { sensitiveDetails: undefined })).rejects.toThrow(
			/nothing was sent.*Allow Sensitive Details/,
		);
		expect(await authenticate(details, { sensitiveDetails: true })).toHaveProperty('headers');
	});

	test('the name in a search is not a path', async () => {
		const search = { url: `${url}?name=sensitive-details` };
		expect(await authenticate(search, { sensitiveDetails: false })).toMatchObject(search);
	});
});
