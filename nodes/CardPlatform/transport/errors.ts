import type { ApiConfig } from '../api/config';
import { parseJson } from '../api/json';
import { readErrorBody } from '../api/schemas';
import { UserError } from '../api/userError';
import { describeNoResponse, HINT_ONCE, hintFor } from './hints';
import type { ApiRequest, ApiResponse } from './types';

const CONNECTION_FAILURES = new Set([
	'EAI_AGAIN',
	'ECONNABORTED',
	'ECONNREFUSED',
	'ECONNRESET',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EPIPE',
	// The response broke off midway.
	'ERR_BAD_RESPONSE',
	'ETIMEDOUT',
]);

const MAX_EXCERPT = 300;

const excerpt = (words: string, config: ApiConfig) => {
	const clean = config.redact(words).replace(/\s+/g, ' ').trim();
	return clean.length > MAX_EXCERPT ? `${clean.slice(0, MAX_EXCERPT)}…` : clean;
};

/** Whether a body is HTML, so that it did not come from the API. */
export const isWebPage = (body: string): boolean =>
	/^\s*<(!doctype|html|\?xml|head|body)/i.test(body);

/** What a body is, for a person. Never its content: that may be the token of sensitive details. */
function nameBody(body: string): string {
	if (body.trim() === '') return 'an empty body';
	if (isWebPage(body)) return 'a web page';
	return parseJson(body) === undefined ? 'a body that is not JSON' : 'unexpected JSON';
}

/** A string that a proxy sent in place of the API's error; broken JSON is one of the API's own. */
const isProxyMessage = (body: string): boolean =>
	nameBody(body) === 'a body that is not JSON' && !/^\s*[[{]/.test(body);

/** Makes the error for an error response (§7): the API's own message and code, our hint. */
export function errorResponse(
	{ status, body }: ApiResponse,
	request: ApiRequest,
	config: ApiConfig,
): UserError {
	const known = readErrorBody(parseJson(body));
	const shown = isProxyMessage(body) ? `"${excerpt(body, config)}"` : nameBody(body);
	const message = known
		? `${excerpt(known.message ?? 'The API rejected the request', config)} (${status} ${excerpt(known.code, config)})`
		: `The API returned ${status} with ${shown} instead of its error format`;
	return new UserError(message, hintFor(status, request, config), String(status), {
		// A redirect of a write may mean that it was done.
		outcomeUnknown: request.effect !== 'read' && (status < 400 || status === 408 || status >= 500),
	});
}

/**
 * Makes the error for a response of success that breaks the contract.
 *
 * @param expected what should have come, e.g. "a card"
 * @param fields that are missing or of the wrong type; their values stay out, as they may be secret
 */
export function unexpectedResponse(
	expected: string,
	{ status, body }: ApiResponse,
	{ method, path }: ApiRequest,
	fields: string[] = [],
): UserError {
	const named =
		fields.length === 0 ? '' : ` (missing or invalid: ${fields.slice(0, 5).join(', ')})`;
	return new UserError(
		`The API responded to ${method} ${path} with ${nameBody(body)} instead of ${expected}${named}`,
		method === 'GET'
			? 'Check Base URL in the Card Platform API credential: it must be the address of the API, not of its dashboard or of a proxy. If it is correct, report this to your provider.'
			: 'The change was probably made: check before you run it again. Then check Base URL in the Card Platform API credential.',
		String(status),
		{ outcomeUnknown: method !== 'GET' },
	);
}

/**
 * The system's or axios's code of an error, e.g. `ECONNREFUSED`, or of what caused it. n8n before 2.34
 * keeps it as `httpCode` only. A status there, of success or not, means that the response broke off:
 * we accept every status, so a complete response is no error.
 */
export function findCode(error: unknown): string | undefined {
	if (typeof error !== 'object' || error === null) return undefined;
	if ('code' in error && typeof error.code === 'string') return error.code;
	const code = 'cause' in error ? findCode(error.cause) : undefined;
	if (code !== undefined || !('httpCode' in error) || typeof error.httpCode !== 'string')
		return code;
	if (/^\d{3}$/.test(error.httpCode)) return 'ERR_BAD_RESPONSE';
	return /^[A-Z][A-Z\d_]+$/.test(error.httpCode) ? error.httpCode : undefined;
}

/** Whether a call is known to have failed before the request could leave. */
const isBeforeSending = (code: string | undefined) =>
	code !== undefined &&
	(['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND'].includes(code) ||
		/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code));

/** Tells whether a call failed on the way to the API or back, so that a retry may succeed. */
export function isConnectionFailure(error: unknown): boolean {
	const code = findCode(error);
	return code !== undefined && CONNECTION_FAILURES.has(code);
}

/**
 * Makes the error for a call without a response. n8n's own error holds the whole request, the key
 * included, so nothing but its message is taken over.
 */
export function failedCall(
	error: unknown,
	{ effect }: Pick<ApiRequest, 'effect'>,
	config: ApiConfig,
): UserError {
	const code = findCode(error);
	const outcomeUnknown = effect !== 'read' && !isBeforeSending(code);
	const words = error instanceof Error ? error.message : '';
	const { message, hint } =
		code === undefined
			? {
					message: `The request failed: ${excerpt(words, config)}`,
					hint: 'Check the Card Platform API credential and the network settings of your n8n.',
				}
			: describeNoResponse(code, effect, config.baseUrl);
	return new UserError(message, outcomeUnknown && effect === 'once' ? HINT_ONCE : hint, undefined, {
		outcomeUnknown,
	});
}
