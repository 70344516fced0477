import { type Reason, RESPONSES } from '../../nodes/CardPlatform/webhook/rejections';
import { adviceFor, ignoredBecause } from '../../sandbox/webhooks/explain.ts';

const PRODUCTION = 'http://localhost:5678/webhook/8b3b/webhook';
/** Of no n8n: nothing is said about it. */
const OTHER = 'http://localhost:8000/hook';
const TEST = 'http://localhost:5678/webhook-test/8b3b/webhook';

const isReason = (name: string): name is Reason => name in RESPONSES;
const REASONS = Object.keys(RESPONSES).filter(isReason);

/** What the trigger responds for a reason. */
function responseOf(reason: Reason) {
	const { status } = RESPONSES[reason];
	const body = status === 200 ? { ignored: reason } : { code: 'any', message: reason };
	return { httpStatus: status, error: null, responseBody: JSON.stringify(body) };
}

const withStatus = (httpStatus: number, responseBody = '') => ({
	httpStatus,
	error: null,
	responseBody,
});

const withError = (error: string) => ({ httpStatus: null, error, responseBody: '' });

test.each(REASONS)(
	'the response %s has its own advice, and means ignored exactly with a 200',
	(reason) => {
		const outcome = responseOf(reason);
		const other = { ...outcome, responseBody: '{"message": "unknown", "ignored": "unknown"}' };
		expect(adviceFor(PRODUCTION, outcome)).toMatch(/^[A-Z].+\.$/s);
		expect(adviceFor(PRODUCTION, outcome)).not.toBe(adviceFor(PRODUCTION, other));
		expect(ignoredBecause(outcome)).toBe(outcome.httpStatus === 200 ? reason : undefined);
	},
);

test.each([
	['a duplicate', PRODUCTION, responseOf('duplicate'), /^Nothing to do: /],
	['another secret', PRODUCTION, responseOf('signature-mismatch'), /into Signing Secret of/],
	['no secret for a test URL', TEST, responseOf('no-secret'), /into Test URL Signing Secret of/],
	['an old timestamp', PRODUCTION, responseOf('timestamp-too-old'), /reset it. Otherwise, correct/],
	['a test URL', TEST, withStatus(404), /works only while the editor listens/],
	['a production URL', PRODUCTION, withStatus(404), /not published/],
	['another URL', 'http://localhost/hook', withStatus(404), /nothing at this URL/],
	['an unknown 401', OTHER, withStatus(401, '<html>'), /signing secret must be that of this/],
	['another 4xx', OTHER, withStatus(410), /^The receiver refused the delivery: its response/],
	['a redirect', PRODUCTION, withStatus(301), /redirects/],
	[
		'an error of n8n',
		PRODUCTION,
		withStatus(500),
		/^The workflow failed: open it under Executions/,
	],
	['an error', OTHER, withStatus(500), /^The receiver failed/],
	...[502, 504].map((status): [string, string, ReturnType<typeof withStatus>, RegExp] => [
		`a gateway's ${status}`,
		PRODUCTION,
		withStatus(status),
		/is starting/,
	]),
	[
		'nobody listening',
		PRODUCTION,
		withError('connect ECONNREFUSED 127.0.0.1:5678'),
		/^Nothing listens at localhost:5678: start the receiver/,
	],
	[
		'an unknown host',
		'http://n8m:5678/webhook/a',
		withError('getaddrinfo ENOTFOUND n8m'),
		/No host is named n8m:/,
	],
	['a timeout', PRODUCTION, withError('no response within 10 s'), /respond first/],
	['a certificate', PRODUCTION, withError('self-signed certificate'), /its certificate/],
	['a broken connection', OTHER, withError('socket hang up'), /broke off: .* receiver is running/],
])('advice for %s', (_, url, outcome, expected) => {
	expect(adviceFor(url, outcome)).toMatch(expected);
});

test.each(['', 'ok', '{"message": "Workflow was started"}', '{"ignored": true}', 'null'])(
	'nothing is said about a delivery that was accepted with %j',
	(body) => {
		expect(adviceFor(PRODUCTION, withStatus(200, body))).toBeUndefined();
		expect(ignoredBecause(withStatus(200, body))).toBeUndefined();
	},
);
