import { readApiConfig } from '../../nodes/CardPlatform/api/config';
import {
	failedCall,
	findCode,
	isConnectionFailure,
} from '../../nodes/CardPlatform/transport/errors';

const config = readApiConfig({ baseUrl: 'https://api.example.com/v1/public', apiKey: 'k' });
const broken = 'No complete response from api.example.com';
const unreached = 'No connection to api.example.com';

test.each([
	['EAI_AGAIN', `${unreached} (EAI_AGAIN)`],
	['ENOTFOUND', `${unreached} (ENOTFOUND)`],
	['ETIMEDOUT', `${broken} (ETIMEDOUT)`],
	['ECONNABORTED', `${broken} (ECONNABORTED)`],
	['ECONNREFUSED', `${unreached} (ECONNREFUSED)`],
	['ECONNRESET', `${broken} (ECONNRESET)`],
	['EHOSTUNREACH', `${broken} (EHOSTUNREACH)`],
	['ENETUNREACH', `${broken} (ENETUNREACH)`],
	['EPIPE', `${broken} (EPIPE)`],
	['ERR_BAD_RESPONSE', `${broken} (ERR_BAD_RESPONSE)`],
])('after %s a retry may succeed, and the message says what happened', (code, message) => {
	const error = new Error('outer', { cause: Object.assign(new Error('inner'), { code }) });
	expect(isConnectionFailure(error)).toBe(true);
	expect(failedCall(error, { effect: 'read' }, config).message).toBe(message);
});

test.each([undefined, null, 'EPIPE', new Error('EPIPE'), { code: 'ERR_INVALID_URL' }, { code: 7 }])(
	'%p is not a connection failure',
	(error) => expect(isConnectionFailure(error)).toBe(false),
);

test.each(['ECONNRESET', 'ETIMEDOUT', 'EPIPE'])(
	'after %s the hint says that a write may have been made, and after ECONNREFUSED what to do',
	(code) => {
		const hint = (of: string) => failedCall({ code: of }, { effect: 'once' }, config).hint;
		expect(hint(code)).toMatch(/It is not known whether the change was made/);
		expect(hint('ECONNREFUSED')).not.toMatch(/It is not known whether the change was made/);
	},
);

/** An error of axios, and what the system reported to it. */
interface AxiosFailure {
	code: string;
	message: string;
	cause?: { code: string; message: string };
}

/** One way in which a call fails, and what n8n makes of it; host and port are changed. */
interface Failure {
	axios: AxiosFailure;
	/** The NodeApiError of `httpRequestWithAuthentication`: equal in all versions but for its `cause`. */
	n8n: { httpCode: string; message: string; description?: string };
	/** The same in n8n 2.8.4, whose axios does not keep the response, or never ends the call. */
	in28?: Failure['n8n'] | 'endless';
	/** What a write makes of it. */
	expected: { message: (code: string) => string; retried: boolean; unclear: boolean };
}

const system = (code: string, message: string): AxiosFailure => ({
	code,
	message,
	cause: { code, message },
});

const aborted: AxiosFailure = { code: 'ERR_BAD_RESPONSE', message: 'stream has been aborted' };
const abortedIn28 = { httpCode: 'ERR_BAD_RESPONSE', message: 'stream has been aborted' };

const interrupted = {
	message: (code: string) => `${broken} (${code})`,
	retried: true,
	unclear: true,
};
const untrusted = {
	message: (code: string) => `No trusted TLS connection to api.example.com (${code})`,
	retried: false,
	unclear: false,
};

const closed =
	'The connection to the server was closed unexpectedly, perhaps it is offline. You can retry the request immediately or wait and retry later.';

/** A failure where n8n keeps the message of axios. */
const unworded = (axios: AxiosFailure, expected: Failure['expected']): Failure => ({
	axios,
	n8n: { httpCode: axios.code, message: axios.message },
	expected,
});

/**
 * Recorded from n8n 1.123.81, 2.8.4, 2.30.8 and 2.41.1. EAI_AGAIN, ETIMEDOUT, EHOSTUNREACH and EPIPE were
 * provoked by giving Node.js's own error to the socket or to the lookup.
 */
const FAILURES: Record<string, Failure> = {
	'a connection refused': {
		axios: system('ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.1:443'),
		n8n: {
			httpCode: 'ECONNREFUSED',
			message: 'The service refused the connection - perhaps it is offline',
		},
		expected: {
			message: (code) => `${unreached} (${code})`,
			retried: true,
			unclear: false,
		},
	},
	'an unknown host': {
		axios: system('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example.com'),
		n8n: {
			httpCode: 'ENOTFOUND',
			message:
				'The connection cannot be established, this usually occurs due to an incorrect host (domain) value',
		},
		expected: { message: (code) => `${unreached} (${code})`, retried: true, unclear: false },
	},
	'a name server out of reach': {
		axios: system('EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example.com'),
		n8n: {
			httpCode: 'EAI_AGAIN',
			message: 'The DNS server returned an error, perhaps the server is offline',
		},
		expected: { message: (code) => `${unreached} (${code})`, retried: true, unclear: false },
	},
	'a connection that was not made in time': {
		axios: system('ETIMEDOUT', 'connect ETIMEDOUT 192.0.2.1:443'),
		n8n: {
			httpCode: 'ETIMEDOUT',
			message:
				"The connection timed out, consider setting the 'Retry on Fail' option in the node settings",
		},
		expected: { message: (code) => `${broken} (${code})`, retried: true, unclear: true },
	},
	'no response in time': {
		axios: { code: 'ECONNABORTED', message: 'timeout of 60000ms exceeded' },
		n8n: {
			httpCode: 'ECONNABORTED',
			message: 'The connection was aborted, perhaps the server is offline',
		},
		expected: { message: (code) => `${broken} (${code})`, retried: true, unclear: true },
	},
	'a host out of reach': {
		axios: system('EHOSTUNREACH', 'connect EHOSTUNREACH 192.0.2.1:443'),
		n8n: {
			httpCode: 'EHOSTUNREACH',
			message: 'The host is unreachable, perhaps the server is offline',
		},
		expected: interrupted,
	},
	'a write to a closed connection': unworded(system('EPIPE', 'write EPIPE'), interrupted),
	'a reset before or within the response': {
		axios: system('ECONNRESET', 'read ECONNRESET'),
		n8n: { httpCode: 'ECONNRESET', message: closed },
		expected: interrupted,
	},
	'a connection closed before the response': {
		axios: system('ECONNRESET', 'socket hang up'),
		n8n: { httpCode: 'ECONNRESET', message: closed },
		expected: interrupted,
	},
	'a connection closed during the TLS handshake': {
		axios: system(
			'ECONNRESET',
			'Client network socket disconnected before secure TLS connection was established',
		),
		n8n: { httpCode: 'ECONNRESET', message: closed },
		expected: interrupted,
	},
	'a truncated 201, by Content-Length or chunked': {
		axios: aborted,
		n8n: { httpCode: '201', message: aborted.message },
		in28: abortedIn28,
		expected: interrupted,
	},
	'a truncated 404': {
		axios: aborted,
		n8n: {
			httpCode: '404',
			message: 'The resource you are requesting could not be found',
			description: aborted.message,
		},
		in28: abortedIn28,
		expected: interrupted,
	},
	'a truncated 500': {
		axios: aborted,
		n8n: {
			httpCode: '500',
			message: 'The service was not able to process your request',
			description: aborted.message,
		},
		in28: abortedIn28,
		expected: interrupted,
	},
	'a truncated 200 that was compressed': {
		axios: system('ECONNRESET', 'aborted'),
		n8n: { httpCode: '200', message: 'aborted' },
		in28: 'endless',
		expected: interrupted,
	},
	'a response that is not HTTP': unworded(
		system('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/, RTSP/ or ICE/'),
		{ ...interrupted, retried: false },
	),
	'plain HTTP in place of TLS': unworded(
		system('EPROTO', 'write EPROTO 0A00010B:SSL routines:wrong version number'),
		{
			message: (code) => `No trusted TLS connection to api.example.com (${code})`,
			retried: false,
			unclear: true,
		},
	),
	'a self-signed certificate': unworded(
		system('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'),
		untrusted,
	),
	'a self-signed certificate in the chain': unworded(
		system('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'),
		untrusted,
	),
	'a certificate of an unknown authority': unworded(
		system('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'),
		untrusted,
	),
	'an expired certificate': unworded(
		system('CERT_HAS_EXPIRED', 'certificate has expired'),
		untrusted,
	),
	"another host's certificate": unworded(
		system(
			'ERR_TLS_CERT_ALTNAME_INVALID',
			"Hostname/IP does not match certificate's altnames: IP: 192.0.2.1 is not in the cert's list: ",
		),
		untrusted,
	),
};

const toError = (name: string, { message, ...fields }: { message: string; cause?: unknown }) =>
	Object.assign(new Error(message), { name, ...fields });

const toAxiosError = ({ cause, ...fields }: AxiosFailure) =>
	toError('AxiosError', { ...fields, cause: cause && toError('Error', cause) });

/** The code that is left where n8n has lost the cause. */
const codeWithoutCause = ({ httpCode }: Failure['n8n']) =>
	/^\d/.test(httpCode) ? 'ERR_BAD_RESPONSE' : httpCode;

/** What each version throws for a failure, and the code to be found in it. */
function errorsOf({ axios, n8n, in28 = n8n }: Failure): [string, Error, string][] {
	const cause = toAxiosError(axios);
	const withoutCause = (version: string, fields: Failure['n8n']): [string, Error, string] => [
		version,
		toError('NodeApiError', { ...fields, cause: undefined }),
		codeWithoutCause(fields),
	];
	return [
		withoutCause('n8n 1.123.81 and 2.30.8', n8n),
		...(in28 === 'endless' ? [] : [withoutCause('n8n 2.8.4', in28)]),
		['n8n 2.41.1', toError('NodeApiError', { ...n8n, cause }), axios.code],
		['httpRequest of each of them', cause, axios.code],
	];
}

test.each(
	Object.entries(FAILURES).flatMap(([name, failure]) =>
		errorsOf(failure).map(([version, error, code]) => ({
			name,
			version,
			error,
			code,
			...failure.expected,
		})),
	),
)('$name, as thrown by $version', ({ error, code, message, retried, unclear }) => {
	expect(findCode(error)).toBe(code);
	expect(isConnectionFailure(error)).toBe(retried);
	const failed = failedCall(error, { effect: 'once' }, config);
	expect(failed.message).toBe(message(code));
	expect(failed.outcomeUnknown).toBe(unclear);
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

const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'];
const PERHAPS_SENT = ['ECONNRESET', 'ETIMEDOUT', 'ERR_BAD_RESPONSE', 'EPROTO', undefined];

test.each([
	...NEVER_SENT.map((code) => [code, false] as const),
	...PERHAPS_SENT.map((code) => [code, true] as const),
])('after %s it is unclear whether a write was done: %s', (code, outcomeUnknown) => {
	for (const effect of ['repeatable', 'ordered', 'once'] as const) {
		expect(failedCall({ code }, { effect }, config).outcomeUnknown).toBe(outcomeUnknown);
	}
	expect(failedCall({ code }, { effect: 'read' }, config).outcomeUnknown).toBe(false);
});

test('a thrown value that is not an error has no message', () => {
	expect(failedCall('broken', { effect: 'read' }, config).message).toBe('The request failed: ');
});
