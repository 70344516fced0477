import { type ICredentialDataDecryptedObject, NodeHelpers } from 'n8n-workflow';

import { CardPlatformApi } from '../../credentials/CardPlatformApi.credentials';
import {
	DEFAULT_CONCURRENT_REQUESTS,
	QUERY_PARAMETER_NAMES,
} from '../../nodes/CardPlatform/api/assumptions';
import { parseBaseUrl, readApiConfig } from '../../nodes/CardPlatform/api/config';

const read = (more: object) =>
	readApiConfig({ baseUrl: 'https://api.example.com/v1/public', apiKey: 'key', ...more });

const values = { maxConcurrentRequests: 3, parameterNames: '{"page":"p"}' };

const defaults = {
	maxConcurrentRequests: DEFAULT_CONCURRENT_REQUESTS,
	parameterNames: QUERY_PARAMETER_NAMES,
};

test('with Advanced on, its fields apply', () => {
	expect(read({ advanced: true, ...values })).toMatchObject({
		maxConcurrentRequests: 3,
		parameterNames: { ...QUERY_PARAMETER_NAMES, page: 'p' },
	});
	expect(read({ advanced: true })).toMatchObject(defaults);
});

test.each<[string, object]>([
	['off', { advanced: false }],
	['missing, as in a credential that was made through the API of n8n', {}],
])('with Advanced %s, values that are left in its fields do not apply', (_name, advanced) => {
	expect(read({ ...advanced, ...values })).toMatchObject(defaults);
	const wrong = { maxConcurrentRequests: 'many', parameterNames: 7 };
	expect(read({ ...advanced, ...wrong })).toMatchObject(defaults);
	expect(() => read({ advanced: true, ...wrong })).toThrow('Max Concurrent Requests');
	const all = { readOnly: 1, keyScope: 2, accountId: {}, advanced: 'yes' };
	expect(() => read(all)).toThrow(': Key Scope, Default Account ID, Read Only, Advanced');
	expect(() => read({ apiKey: ' ' })).toThrow('The credential has no API key');
	for (const apiKey of ['sk_live_01\u200b', 'sk_live 01'])
		expect(() => read({ apiKey })).toThrow('contains white space or an unusual character');
});

test.each<[ICredentialDataDecryptedObject, string[]]>([
	[{}, []],
	[{ keyScope: 'customer' }, ['accountId']],
	[{ advanced: true }, ['parameterNames', 'maxConcurrentRequests']],
])('with %j, the dialog shows these fields, too: %j', (values, shown) => {
	const { properties } = new CardPlatformApi();
	const isShown = NodeHelpers.displayParameter.bind(undefined, { keyScope: 'account', ...values });
	const conditional = properties.filter(({ displayOptions }) => displayOptions !== undefined);
	const found = conditional.filter((property) => isShown(property, null, null));
	expect(found.map(({ name }) => name)).toEqual(shown);
});

describe('Base URL', () => {
	test.each([
		['https://api.example.com/v1/public', 'https://api.example.com/v1/public'],
		['https://api.example.com/v1/public///', 'https://api.example.com/v1/public'],
		['  https://api.example.com  ', 'https://api.example.com'],
		['http://localhost:4010/v1/public', 'http://localhost:4010/v1/public'],
		['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
		['http://[::1]:4010/v1', 'http://[::1]:4010/v1'],
	])('%j is read as %s', (value, expected) => {
		expect(parseBaseUrl(value, 'key')).toBe(expected);
	});

	test.each([
		[undefined, 'has no Base URL'],
		['', 'has no Base URL'],
		['   ', 'has no Base URL'],
		['api.example.com', 'Base URL must begin with https://'],
		['localhost:4010/v1/public', '(http:// only for a sandbox or this machine)'],
		['https:api.example.com', 'Base URL must begin with https://'],
		['ftp://api.example.com', 'Base URL must begin with https://'],
		['https://', 'must be a plain web address'],
		['http://api.example.com', 'must begin with https'],
		['http://127.0.0.1.example.com', 'must begin with https'],
		['http://localhost.example.com', 'must begin with https'],
		['https://user:pass@api.example.com', 'without user name, query or fragment'],
		['https://api.example.com?key=1', 'without user name, query or fragment'],
		['https://api.example.com/#top', 'without user name, query or fragment'],
	])('%j is refused: %s', (value, message) => {
		expect(() => parseBaseUrl(value, 'key')).toThrow(message);
	});

	test.each(['sandbox_abc', ' sandbox_abc\n'])('with %j, http is allowed to any host', (apiKey) => {
		const url = 'http://host.docker.internal:4010/v1/public';
		expect(parseBaseUrl(url, apiKey)).toBe(url);
	});

	test.each([
		...[undefined, 7, ''],
		...['live_abc', 'Sandbox_abc', 'sandbox', 'live_sandbox_abc', 'x sandbox_'],
	])('with %j, http is allowed on this machine only', (apiKey) => {
		expect(() => parseBaseUrl('http://host.docker.internal:4010', apiKey)).toThrow(
			'must begin with https',
		);
		expect(parseBaseUrl('http://localhost:4010', apiKey)).toBe('http://localhost:4010');
	});

	test.each(['http://user@sandbox:4010', 'http://sandbox:4010?key=1'])(
		'with the key of a sandbox, %j is refused anyway',
		(value) => {
			expect(() => parseBaseUrl(value, 'sandbox_abc')).toThrow('The Base URL in the credential');
		},
	);
});
