import type { Connection } from '../api/connection';
import { readErrorBody } from '../api/errorBody';
import { parseJson } from '../api/json';
import { Problem } from '../api/problem';
import { describeNoAnswer, HINT_ONCE, hintFor, type RequestLine } from './hints';
import type { Effect } from './retry';

const CONNECTION_FAILURES = new Set([
	'EAI_AGAIN',
	'ECONNABORTED',
	'ECONNREFUSED',
	'ECONNRESET',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EPIPE',
	// The answer broke off midway.
	'ERR_BAD_RESPONSE',
	'ETIMEDOUT',
]);

const MAX_QUOTE = 300;

const quote = (text: string, connection: Connection) => {
	const clean = connection.redact(text).replace(/\s+/g, ' ').trim();
	return clean.length > MAX_QUOTE ? `${clean.slice(0, MAX_QUOTE)}…` : clean;
};

/** What a body is, for a person: a web page, a text, or nothing. */
function nameBody(text: string, connection: Connection): string {
	if (text.trim() === '') return 'an empty body';
	if (/^\s*<(!doctype|html|\?xml|head|body)/i.test(text)) return 'a web page';
	// JSON may hold what is not for an error message, such as the token of sensitive details.
	if (parseJson(text) !== undefined) return 'unexpected JSON';
	return `"${quote(text, connection)}"`;
}

/**
 * Puts an error answer (§7) into words: the API's own message and code, our hint.
 *
 * @param answer status and body text
 */
export function describeErrorAnswer(
	answer: { status: number; text: string },
	request: RequestLine,
	connection: Connection,
	effect: Effect,
): Problem {
	const { status, text } = answer;
	const body = readErrorBody(parseJson(text));
	const message = body
		? `${quote(body.message ?? 'The API rejected the request', connection)} (${status} ${quote(body.code, connection)})`
		: `The API returned ${status} with ${nameBody(text, connection)} instead of its error format`;
	return new Problem(message, hintFor(status, request, connection, effect), String(status), {
		// A redirect of a write may mean that it was done.
		isUnclear: effect !== 'read' && (status < 400 || status === 408 || status >= 500),
	});
}

/**
 * Puts an answer that breaks the contract into words.
 *
 * @param expected what should have come, e.g. "a card"
 * @param fields that are missing or of the wrong form; their values stay out, as they may be secret
 */
export function describeBrokenAnswer(
	expected: string,
	answer: { status: number; text: string },
	request: RequestLine,
	connection: Connection,
	fields: string[] = [],
): Problem {
	const named =
		fields.length === 0 ? '' : ` (missing or invalid: ${fields.slice(0, 5).join(', ')})`;
	return new Problem(
		`The API responded to ${request.method} ${request.path} with ${nameBody(answer.text, connection)} instead of ${expected}${named}`,
		request.method === 'GET'
			? 'Check Base URL in the Card Platform API credential: it must be the address of the API, not of its dashboard or of a proxy. If it is correct, report this to your provider.'
			: 'The change was probably made: check before you run it again. Then check Base URL in the Card Platform API credential.',
		String(answer.status),
		{ isUnclear: request.method !== 'GET' },
	);
}

/**
 * The system's or axios's code of an error, e.g. `ECONNREFUSED`, or of what caused it. n8n before 2.34
 * keeps it as `httpCode` only, and of a response that broke off the status.
 */
export function findCode(error: unknown): string | undefined {
	if (typeof error !== 'object' || error === null) return undefined;
	if ('code' in error && typeof error.code === 'string') return error.code;
	const code = 'cause' in error ? findCode(error.cause) : undefined;
	if (code !== undefined || !('httpCode' in error) || typeof error.httpCode !== 'string')
		return code;
	if (/^2\d\d$/.test(error.httpCode)) return 'ERR_BAD_RESPONSE';
	return /^E[A-Z_]+$/.test(error.httpCode) ? error.httpCode : undefined;
}

/** Whether a call is known to have failed before the request could leave. */
const isBeforeSending = (code: string | undefined) =>
	code !== undefined &&
	(['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND'].includes(code) ||
		/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code));

/** Tells whether a call failed on the way to the API or back, so that another try may succeed. */
export function isConnectionFailure(error: unknown): boolean {
	return CONNECTION_FAILURES.has(findCode(error) ?? '');
}

/**
 * Puts a call that brought no answer into words. n8n's own error holds the whole request, the key
 * included, so nothing but its text is taken over.
 */
export function describeFailedCall(
	error: unknown,
	connection: Connection,
	effect: Effect,
): Problem {
	const code = findCode(error);
	const isUnclear = effect !== 'read' && !isBeforeSending(code);
	const text = error instanceof Error ? error.message : '';
	const { message, hint } =
		code === undefined
			? {
					message: `The request failed: ${quote(text, connection)}`,
					hint: 'Check the Card Platform API credential and the network settings of your n8n.',
				}
			: describeNoAnswer(code, new URL(connection.baseUrl).host);
	return new Problem(message, isUnclear && effect === 'once' ? HINT_ONCE : hint, undefined, {
		isUnclear,
	});
}
