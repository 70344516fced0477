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

test('a network out of reach is one', () => {
	expect(isConnectionFailure({ code: 'ENETUNREACH' })).toBe(true);
});

interface Fields {
	httpCode: string;
	message: string;
	description?: string;
}

/** One way in which a call fails, and what n8n makes of it; host and port are changed. */
interface Failure {
	/** The error of axios, and of the system where it has one as its cause. */
	axios: { code: string; message: string; cause?: { code: string; message: string } };
	/** The NodeApiError of `httpRequestWithAuthentication`: equal in all versions but for its `cause`. */
	n8n: Fields;
	/** The same in n8n 2.8.4, whose axios does not keep the response, or never ends the call. */
	in28?: Fields | 'endless';
	expected: Expected;
}

/** What a write makes of it. */
interface Expected {
	message: (code: string) => string;
	retried: boolean;
	unclear: boolean;
}

const NOT_FOUND: Expected = {
	message: (code) => `No connection to api.example.com (${code})`,
	retried: true,
	unclear: false,
};
const LATE: Expected = {
	message: (code) => `No complete response from api.example.com (${code})`,
	retried: true,
	unclear: true,
};
const NOT_LISTENING: Expected = {
	message: (code) => `No connection to api.example.com (${code})`,
	retried: true,
	unclear: false,
};
const INTERRUPTED: Expected = {
	message: (code) => `No complete response from api.example.com (${code})`,
	retried: true,
	unclear: true,
};
const NO_HTTPS: Expected = {
	message: (code) => `No trusted TLS connection to api.example.com (${code})`,
	retried: false,
	unclear: true,
};
const UNTRUSTED: Expected = {
	message: (code) => `No trusted TLS connection to api.example.com (${code})`,
	retried: false,
	unclear: false,
};

/** A failure that the system reports. n8n keeps its message, or has its own. */
const system = (code: string, message: string, expected: Expected, n8n = message): Failure => ({
	axios: { code, message, cause: { code, message } },
	n8n: { httpCode: code, message: n8n },
	expected,
});

const ABORTED = 'stream has been aborted';

/** A response with this status that breaks off. */
const truncated = (httpCode: string, message: string, description?: string): Failure => ({
	axios: { code: 'ERR_BAD_RESPONSE', message: ABORTED },
	n8n: { httpCode, message, ...(description !== undefined && { description }) },
	in28: { httpCode: 'ERR_BAD_RESPONSE', message: ABORTED },
	expected: INTERRUPTED,
});

const CLOSED =
	'The connection to the server was closed unexpectedly, perhaps it is offline. You can retry the request immediately or wait and retry later.';

/**
 * Recorded from n8n 1.123.81, 2.8.4, 2.30.8 and 2.41.1. EAI_AGAIN, ETIMEDOUT, EHOSTUNREACH and EPIPE were
 * provoked by giving Node.js's own error to the socket or to the lookup.
 */
const FAILURES: Failure[] = [
	system(
		'ECONNREFUSED',
		'connect ECONNREFUSED 192.0.2.1:443',
		NOT_LISTENING,
		'The service refused the connection - perhaps it is offline',
	),
	system(
		'ENOTFOUND',
		'getaddrinfo ENOTFOUND api.example.com',
		NOT_FOUND,
		'The connection cannot be established, this usually occurs due to an incorrect host (domain) value',
	),
	system(
		'EAI_AGAIN',
		'getaddrinfo EAI_AGAIN api.example.com',
		NOT_FOUND,
		'The DNS server returned an error, perhaps the server is offline',
	),
	system(
		'ETIMEDOUT',
		'connect ETIMEDOUT 192.0.2.1:443',
		LATE,
		"The connection timed out, consider setting the 'Retry on Fail' option in the node settings",
	),
	{
		axios: { code: 'ECONNABORTED', message: 'timeout of 60000ms exceeded' },
		n8n: {
			httpCode: 'ECONNABORTED',
			message: 'The connection was aborted, perhaps the server is offline',
		},
		expected: LATE,
	},
	system(
		'EHOSTUNREACH',
		'connect EHOSTUNREACH 192.0.2.1:443',
		INTERRUPTED,
		'The host is unreachable, perhaps the server is offline',
	),
	system('EPIPE', 'write EPIPE', INTERRUPTED),
	system('ECONNRESET', 'read ECONNRESET', INTERRUPTED, CLOSED),
	truncated('201', ABORTED),
	truncated('404', 'The resource you are requesting could not be found', ABORTED),
	truncated('500', 'The service was not able to process your request', ABORTED),
	// It was compressed.
	{
		axios: {
			code: 'ECONNRESET',
			message: 'aborted',
			cause: { code: 'ECONNRESET', message: 'aborted' },
		},
		n8n: { httpCode: '200', message: 'aborted' },
		in28: 'endless',
		expected: INTERRUPTED,
	},
	system('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/, RTSP/ or ICE/', {
		...INTERRUPTED,
		retried: false,
	}),
	system('EPROTO', 'write EPROTO 0A00010B:SSL routines:wrong version number', NO_HTTPS),
	system('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', UNTRUSTED),
	system('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', UNTRUSTED),
	system('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', UNTRUSTED),
	system('CERT_HAS_EXPIRED', 'certificate has expired', UNTRUSTED),
	system(
		'ERR_TLS_CERT_ALTNAME_INVALID',
		"Hostname/IP does not match certificate's altnames",
		UNTRUSTED,
	),
];

const toError = (name: string, { message, ...fields }: { message: string; cause?: unknown }) =>
	Object.assign(new Error(message), { name, ...fields });

/** What each version throws for a failure, and the code to be found in it. */
function errorsOf({ axios, n8n, in28 = n8n }: Failure): [string, Error, string][] {
	const cause = toError('AxiosError', {
		...axios,
		cause: axios.cause && toError('Error', axios.cause),
	});
	const withoutCause = (version: string, fields: Fields): [string, Error, string] => [
		version,
		toError('NodeApiError', { ...fields, cause: undefined }),
		/^\d/.test(fields.httpCode) ? 'ERR_BAD_RESPONSE' : fields.httpCode,
	];
	return [
		withoutCause('n8n 1.123.81 and 2.30.8', n8n),
		...(in28 === 'endless' ? [] : [withoutCause('n8n 2.8.4', in28)]),
		['n8n 2.41.1', toError('NodeApiError', { ...n8n, cause }), axios.code],
		['httpRequest of each of them', cause, axios.code],
	];
}

test.each(
	FAILURES.flatMap((failure) =>
		errorsOf(failure).map(([version, error, code]) => ({
			name: `${failure.axios.code}: ${failure.n8n.message}`,
			version,
			error,
			code,
			...failure.expected,
		})),
	),
)('$name, as thrown by $version', ({ error, code, message, retried, unclear }) => {
	expect(findCode(error)).toBe(code);
	expect(isConnectionFailure(error)).toBe(retried);
	for (const effect of ['repeatable', 'ordered', 'once'] as const) {
		const failed = failedCall(error, { effect }, config);
		expect([failed.message, failed.outcomeUnknown]).toEqual([message(code), unclear]);
	}
	expect(failedCall(error, { effect: 'read' }, config).outcomeUnknown).toBe(false);
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
	expect(failedCall('broken', { effect: 'once' }, config)).toMatchObject({
		message: 'The request failed: ',
		outcomeUnknown: true,
	});
});
