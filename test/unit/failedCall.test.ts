import { readConnection } from '../../nodes/CardPlatform/api/connection';
import { describeFailedCall, isConnectionFailure } from '../../nodes/CardPlatform/transport/errors';

const connection = readConnection({ baseUrl: 'https://api.example.com/v1/public', apiKey: 'k' });
const broken = 'The connection to api.example.com broke';
const notFound = 'The address api.example.com was not found';
const late = 'api.example.com did not answer in time';

test.each([
	['EAI_AGAIN', notFound],
	['ENOTFOUND', notFound],
	['ETIMEDOUT', late],
	['ECONNABORTED', late],
	['ECONNREFUSED', 'Nothing answers at api.example.com (connection refused)'],
	['ECONNRESET', `${broken} (ECONNRESET)`],
	['EHOSTUNREACH', `${broken} (EHOSTUNREACH)`],
	['ENETUNREACH', `${broken} (ENETUNREACH)`],
	['EPIPE', `${broken} (EPIPE)`],
	['ERR_BAD_RESPONSE', `${broken} (ERR_BAD_RESPONSE)`],
])('after %s another try may succeed, and the message says what happened', (code, message) => {
	const error = new Error('outer', { cause: Object.assign(new Error('inner'), { code }) });
	expect(isConnectionFailure(error)).toBe(true);
	expect(describeFailedCall(error, connection, 'read').message).toBe(message);
});

test.each([undefined, null, 'EPIPE', new Error('EPIPE'), { code: 'ERR_INVALID_URL' }, { code: 7 }])(
	'%p is no failure of a connection',
	(error) => expect(isConnectionFailure(error)).toBe(false),
);

test.each(['ECONNRESET', 'ETIMEDOUT', 'EPIPE'])(
	'after %s a write that may have happened says so, and where nothing answered it says what to do',
	(code) => {
		const hint = (of: string) => describeFailedCall({ code: of }, connection, 'once').hint;
		expect(hint(code)).toMatch(/Whether it was done is not known/);
		expect(hint('ECONNREFUSED')).not.toMatch(/Whether it was done is not known/);
	},
);
