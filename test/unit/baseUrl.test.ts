import { parseBaseUrl } from '../../nodes/CardPlatform/api/baseUrl';

test.each([
	['https://api.example.com/v1/public', 'https://api.example.com/v1/public'],
	['https://api.example.com/v1/public///', 'https://api.example.com/v1/public'],
	['  https://api.example.com  ', 'https://api.example.com'],
	['http://localhost:4010/v1/public', 'http://localhost:4010/v1/public'],
	['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
	['http://[::1]:4010/v1', 'http://[::1]:4010/v1'],
])('%j is taken as %s', (value, expected) => {
	expect(parseBaseUrl(value)).toBe(expected);
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
	expect(() => parseBaseUrl(value)).toThrow(message);
});
