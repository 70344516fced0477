import { readApiConfig } from '../../nodes/CardPlatform/api/config';
import {
	failedCall,
	findCode,
	isConnectionFailure,
} from '../../nodes/CardPlatform/transport/errors';

const config = readApiConfig({ baseUrl: 'https://api.example.com/v1/public', apiKey: 'k' });
test.each([undefined, null, 'EPIPE', new Error('EPIPE'), { code: 'ERR_INVALID_URL' }, { code: 7 }])(
	'%p is not a connection failure',
	(error) => expect(isConnectionFailure(error)).toBe(false),
);

interface Expected {
	message: string;
	retried: boolean;
	unclear: boolean;
}

const UNREACHED = { message: 'No connection to', retried: true, unclear: false };
const INTERRUPTED = { message: 'No complete response from', retried: true, unclear: true };
const UNTRUSTED = { message: 'No trusted TLS connection to', retried: false, unclear: false };

/** The codes of axios that were recorded from n8n 1.123.81, 2.8.4, 2.30.8 and 2.41.1, and what a write makes of them. */
const CODES: [string, Expected][] = [
	['ECONNREFUSED', UNREACHED],
	['ENOTFOUND', { ...UNREACHED, message: 'No server has the name' }],
	['EAI_AGAIN', UNREACHED],
	['ETIMEDOUT', INTERRUPTED],
	['ECONNABORTED', INTERRUPTED],
	['EHOSTUNREACH', INTERRUPTED],
	['ENETUNREACH', INTERRUPTED],
	['EPIPE', INTERRUPTED],
	['ECONNRESET', INTERRUPTED],
	['ERR_BAD_RESPONSE', INTERRUPTED],
	['HPE_INVALID_CONSTANT', { ...INTERRUPTED, retried: false }],
	['EPROTO', { ...UNTRUSTED, unclear: true }],
	['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
	['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
	['CERT_HAS_EXPIRED', UNTRUSTED],
	['ERR_TLS_CERT_ALTNAME_INVALID', UNTRUSTED],
];

test.each(CODES)('%s, as each n8n throws it', (code, { message, retried, unclear }) => {
	const axios = Object.assign(new Error(), { code });
	// Before 2.34, n8n has no cause; a response that broke off has its status as its code.
	const status = code === 'ERR_BAD_RESPONSE' ? '201' : code;
	const withoutCause = Object.assign(new Error(), { httpCode: status, cause: undefined });
	const withCause = Object.assign(new Error(), { httpCode: status, cause: axios });
	for (const error of [axios, withoutCause, withCause]) {
		expect(findCode(error)).toBe(code);
		expect(isConnectionFailure(error)).toBe(retried);
		for (const effect of ['repeatable', 'ordered', 'unrepeatable'] as const) {
			const failed = failedCall(error, { effect }, config);
			expect(failed.message).toBe(`${message} api.example.com (${code})`);
			expect(failed.outcomeUnknown).toBe(unclear);
		}
		expect(failedCall(error, { effect: 'read' }, config).outcomeUnknown).toBe(false);
	}
});

test.each([
	[{ httpCode: 'ERR_SSL_TLSV1_ALERT' }, 'ERR_SSL_TLSV1_ALERT'],
	[{ httpCode: null, cause: { code: 'EPIPE' } }, 'EPIPE'],
	[{ httpCode: null }, undefined],
	[{ httpCode: 200 }, undefined],
	[{ httpCode: '1200' }, undefined],
	[{ httpCode: '2000' }, undefined],
	[{ httpCode: 'the EPIPE' }, undefined],
	[{ httpCode: 'EPIPE, again' }, undefined],
	[{ httpCode: '1EPIPE' }, undefined],
	[{ httpCode: 'ETIMEDOUT', cause: { code: 'EPIPE' } }, 'EPIPE'],
	[{ code: 7, httpCode: 'ECONNRESET' }, 'ECONNRESET'],
])('the code of %j is %s', (error, code) => expect(findCode(error)).toBe(code));

test('a thrown value that is not an error has no message, and its outcome is unclear', () => {
	expect(failedCall('broken', { effect: 'unrepeatable' }, config)).toMatchObject({
		message: 'The request failed: ',
		outcomeUnknown: true,
	});
});

test.each([
	['http://localhost:4010/v1/public', 'ECONNREFUSED', true],
	['https://api.example.com/v1/public', 'ECONNREFUSED', false],
	['http://localhost:4010/v1/public', 'ENOTFOUND', false],
])('%s, %s: the hint names the sandbox and Docker: %s', (baseUrl, code, isLocal) => {
	const { hint } = failedCall(
		{ code },
		{ effect: 'read' },
		readApiConfig({ baseUrl, apiKey: 'k' }),
	);
	expect(hint).toMatch(/^Check Base URL in the Card Platform API credential for typos/);
	expect(/sandbox.*Docker/.test(hint)).toBe(isLocal);
});
