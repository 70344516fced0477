import type { ApiConfig } from '../api/config';
import { parseJson } from '../api/json';
import { readErrorBody } from '../api/schemas';
import { UserError } from '../api/userError';
import { HINT_ONCE, hintFor } from './hints';
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

/** Makes the error for a response of success that breaks the contract. Values of fields stay out: they may be secret. */
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

/** No request can leave without a connection, or without trust in the other side. */
const NO_CONNECTION = /^(ECONNREFUSED|EAI_AGAIN|ENOTFOUND)$/;
const NO_TRUST = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;
/** The other side does not use TLS, or no version of it that n8n does. */
const NO_TLS = /EPROTO|ERR_SSL|ERR_TLS/;

/** Tells whether a call failed on the way to the API or back, so that a retry may succeed. */
export function isConnectionFailure(error: unknown): boolean {
	const code = findCode(error);
	return code !== undefined && CONNECTION_FAILURES.has(code);
}

/** What happened and what to do where there is no response at all. */
function describeNoResponse(
	code: string,
	{ baseUrl }: ApiConfig,
): { message: string; hint: string } {
	const { host, protocol } = new URL(baseUrl);
	if (NO_CONNECTION.test(code)) {
		return {
			message: `No connection to ${host} (${code})`,
			hint: 'Check Base URL in the Card Platform API credential for typos, and check that the API is running. For the sandbox: start it again, in the folder of the repository with "npm start" or "npm run sandbox". If n8n runs in Docker, localhost is the container itself: enter host.docker.internal instead.',
		};
	}
	if (NO_TRUST.test(code) || NO_TLS.test(code)) {
		return {
			message: `No trusted TLS connection to ${host} (${code})`,
			hint: 'n8n does not trust the certificate of the API or of a proxy in between: ask the administrator of your n8n to install the right certificate authority. If the API runs on this machine and uses http, as the sandbox does, start Base URL with http://.',
		};
	}
	const otherProtocol =
		protocol === 'http:' ? ' If the server uses https, start Base URL with https://.' : '';
	return {
		message: `No complete response from ${host} (${code})`,
		hint: `Try again later. If it keeps happening, check for a firewall or proxy between n8n and the API.${otherProtocol}`,
	};
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
	const isUnsent = code !== undefined && (NO_CONNECTION.test(code) || NO_TRUST.test(code));
	const outcomeUnknown = effect !== 'read' && !isUnsent;
	const words = error instanceof Error ? error.message : '';
	const { message, hint } =
		code === undefined
			? {
					message: `The request failed: ${excerpt(words, config)}`,
					hint: 'Check the Card Platform API credential and the network settings of your n8n.',
				}
			: describeNoResponse(code, config);
	return new UserError(message, outcomeUnknown && effect === 'once' ? HINT_ONCE : hint, undefined, {
		outcomeUnknown,
	});
}
