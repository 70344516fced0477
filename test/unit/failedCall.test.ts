import { readApiConfig } from '../../nodes/CardPlatform/api/config';
import {
	failedCall,
	findCode,
	isConnectionFailure,
} from '../../nodes/CardPlatform/transport/errors';

const config = readApiConfig({ baseUrl: 'https://api.example.com/v1/public', apiKey: 'k' });
const broken = 'The connection to api.example.com was interrupted';
const notFound = 'The host api.example.com was not found';
const late = 'api.example.com did not respond in time';

test.each([
	['EAI_AGAIN', notFound],
	['ENOTFOUND', notFound],
	['ETIMEDOUT', late],
	['ECONNABORTED', late],
	['ECONNREFUSED', 'No server is listening at api.example.com (connection refused)'],
	['ECONNRESET', `${broken} (ECONNRESET)`],
	['EHOSTUNREACH', `${broken} (EHOSTUNREACH)`],
	['ENETUNREACH', `${broken} (ENETUNREACH)`],
	['EPIPE', `${broken} (EPIPE)`],
	['ERR_BAD_RESPONSE', `${broken} (ERR_BAD_RESPONSE)`],
])('after %s another try may succeed, and the message says what happened', (code, message) => {
	const error = new Error('outer', { cause: Object.assign(new Error('inner'), { code }) });
	expect(isConnectionFailure(error)).toBe(true);
	expect(failedCall(error, { effect: 'read' }, config).message).toBe(message);
});

test.each([undefined, null, 'EPIPE', new Error('EPIPE'), { code: 'ERR_INVALID_URL' }, { code: 7 }])(
	'%p is no failure of a connection',
	(error) => expect(isConnectionFailure(error)).toBe(false),
);

test.each(['ECONNRESET', 'ETIMEDOUT', 'EPIPE'])(
	'after %s a write that may have happened says so, and where nothing answered it says what to do',
	(code) => {
		const hint = (of: string) => failedCall({ code: of }, { effect: 'once' }, config).hint;
		expect(hint(code)).toMatch(/It is not known whether the change was made/);
		expect(hint('ECONNREFUSED')).not.toMatch(/It is not known whether the change was made/);
	},
);

test.each([
	[{ httpCode: 'ECONNRESET' }, 'ECONNRESET'],
	// The status of a response that broke off midway.
	[{ httpCode: '201' }, 'ERR_BAD_RESPONSE'],
	[{ httpCode: null, cause: { code: 'EPIPE' } }, 'EPIPE'],
	[{ httpCode: '404' }, undefined],
	[{ httpCode: null }, undefined],
	[{ httpCode: 200 }, undefined],
	[{ httpCode: '1200' }, undefined],
	[{ httpCode: '2000' }, undefined],
	[{ httpCode: 'THE_EPIPE' }, undefined],
	[{ httpCode: 'EPIPE1' }, undefined],
	[{ httpCode: 'ETIMEDOUT', cause: { code: 'EPIPE' } }, 'EPIPE'],
	[{ code: 7, httpCode: 'ECONNRESET' }, 'ECONNRESET'],
])('n8n before 2.34 gives a failed call as %j: its code is %s', (error, code) =>
	expect(findCode(error)).toBe(code),
);

const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'];
const PERHAPS_SENT = ['ECONNRESET', 'ETIMEDOUT', 'ERR_BAD_RESPONSE', 'EPROTO', undefined];

test.each([
	...NEVER_SENT.map((code) => [code, false] as const),
	...PERHAPS_SENT.map((code) => [code, true] as const),
])('after %s it is unclear whether a write was done: %s', (code, isUnclear) => {
	for (const effect of ['repeatable', 'ordered', 'once'] as const) {
		expect(failedCall({ code }, { effect }, config).isUnclear).toBe(isUnclear);
	}
	expect(failedCall({ code }, { effect: 'read' }, config).isUnclear).toBe(false);
});

test('what is thrown without being an error has no words', () => {
	expect(failedCall('broken', { effect: 'read' }, config).message).toBe('The request failed: ');
});
