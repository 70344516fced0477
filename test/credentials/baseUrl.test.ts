import { parseBaseUrl } from '../../nodes/CardPlatform/api/baseUrl';

test.each([
	['https://api.example.com/v1/public', 'https://api.example.com/v1/public'],
	['https://api.example.com/v1/public///', 'https://api.example.com/v1/public'],
	['  https://api.example.com  ', 'https://api.example.com'],
	['http://localhost:4010/v1/public', 'http://localhost:4010/v1/public'],
	['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
	['http://[::1]:4010/v1', 'http://[::1]:4010/v1'],
])('%j is taken as %s', (value, expected) => {
	expect(parseBaseUrl(value, 'key')).toBe(expected);
});

test.each([
	[undefined, 'has no Base URL'],
	['', 'has no Base URL'],
	['   ', 'has no Base URL'],
	['api.example.com', 'not a valid web address'],
	['ftp://api.example.com', 'not a valid web address'],
	['http://api.example.com', 'not encrypted'],
	['http://127.0.0.1.example.com', 'not encrypted'],
	['http://localhost.example.com', 'not encrypted'],
	['https://user:pass@api.example.com', 'more than an address'],
	['https://api.example.com?key=1', 'more than an address'],
	['https://api.example.com/#top', 'more than an address'],
])('%j is refused: %s', (value, message) => {
	expect(() => parseBaseUrl(value, 'key')).toThrow(message);
});

test.each(['sandbox_abc', ' sandbox_abc\n'])('with %j, http is allowed to any host', (apiKey) => {
	const url = 'http://host.docker.internal:4010/v1/public';
	expect(parseBaseUrl(url, apiKey)).toBe(url);
});

test.each([
	undefined,
	7,
	'',
	'live_abc',
	'Sandbox_abc',
	'sandbox',
	'live_sandbox_abc',
	'x sandbox_',
])('with %j, http is allowed on this machine only', (apiKey) => {
	expect(() => parseBaseUrl('http://host.docker.internal:4010', apiKey)).toThrow('not encrypted');
	expect(parseBaseUrl('http://localhost:4010', apiKey)).toBe('http://localhost:4010');
});

test.each(['ftp://sandbox:4010', 'http://user@sandbox:4010', 'http://sandbox:4010?key=1'])(
	'with the key of a sandbox, %j is refused anyway',
	(value) => {
		expect(() => parseBaseUrl(value, 'sandbox_abc')).toThrow('The Base URL in the credential');
	},
);
