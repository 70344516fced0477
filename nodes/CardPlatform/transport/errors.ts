import { type ApiConfig, LOOPBACK_HOSTS } from '../api/config';
import { errorBodySchema } from '../api/schemas';
import { UserError } from '../api/userError';
import { parseJson, toLine } from '../api/values';
import { hintFor, outcomeHint, PATH_PREFIX } from './hints';
import type { ApiRequest, ApiResponse } from './types';

/** Codes after which a retry may succeed; ERR_BAD_RESPONSE: the response broke off midway. */
const CONNECTION_FAILURE =
	/^(EAI_AGAIN|ECONN(ABORTED|REFUSED|RESET)|E(HOST|NET)UNREACH|ENOTFOUND|EPIPE|ERR_BAD_RESPONSE|ETIMEDOUT)$/;
/** Codes after which nothing was sent: no connection, or no trust in the other side. */
const NO_CONNECTION = /^(ECONNREFUSED|EAI_AGAIN|ENOTFOUND)$/;
const NO_TRUST = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;
/** The other side does not use TLS, or no version of it that n8n does. */
const NO_TLS = /EPROTO|ERR_SSL|ERR_TLS/;

const excerpt = (words: string, redact: ApiConfig['redact']) => toLine(redact(words), 300);

/** Whether a body is HTML, so that it did not come from the API. */
export const isWebPage = (body: string): boolean =>
	/^\s*<(!doctype|html|\?xml|head|body)/i.test(body);

/** What a body is, for a person. Never its content: that may be the token of sensitive details. */
function nameBody(body: string): string {
	if (body.trim() === '') return 'an empty body';
	if (isWebPage(body)) return 'a web page';
	return parseJson(body) === undefined ? 'a body that is not JSON' : 'unexpected JSON';
}

/** The status to act on. A 404 without the API's error body comes from what stands in front of the API: it fails like a 502. */
export const effectiveStatus = (status: number, isFromApi: boolean): number =>
	status === 404 && !isFromApi ? 502 : status;

const IN_FRONT_404 =
	'This 404 is not from the API but from a proxy or server in front of it, so the record may exist. Try again later. If it continues, check Base URL in the Card Platform API credential.';

const IN_FRONT =
	'This response is not from the API but from a firewall, proxy or server in front of it: ask the administrator of your network. If the API itself refused the request:';

type MessageAndHint = [message: string, hint: string];

/** What happened, and what to do, where what stands in front of the API refused a request. */
function describeRefusalInFront(
	{ status, body }: ApiResponse,
	request: ApiRequest,
	config: ApiConfig,
): MessageAndHint {
	// Broken JSON comes from the API: only its name is shown.
	const isText = nameBody(body) === 'a body that is not JSON' && !/^\s*[[{]/.test(body);
	const isPage = isWebPage(body);
	const shown = isText ? `"${excerpt(body, config.redact)}"` : nameBody(body);
	// With the usual prefix, what answers in the place of the API stands in front of it.
	const isElsewhere = status === 404 || (isPage && status < 500);
	const hints = [
		isElsewhere &&
			!config.baseUrl.endsWith(PATH_PREFIX) &&
			`Base URL probably lacks its prefix: try ${new URL(config.baseUrl).origin}${PATH_PREFIX}. If this address has worked before:`,
		(isText || isPage) && [400, 401, 403].includes(status) && IN_FRONT,
		status === 404 ? IN_FRONT_404 : hintFor(status, request, config),
	];
	return [
		`The API returned ${status} with ${shown} instead of its error format`,
		hints.filter(Boolean).join(' '),
	];
}

/** Makes the error for an error response (§7): the API's own message and code, our hint. */
export function errorResponse(
	response: ApiResponse,
	request: ApiRequest,
	config: ApiConfig,
): UserError {
	const { status, body } = response;
	const quote = (words: string) => excerpt(words, config.redact);
	const { data: known } = errorBodySchema.safeParse(parseJson(body));
	const isFromApi = known !== undefined;
	const [message, hint] = isFromApi
		? [
				`${quote(known.message ?? 'The API rejected the request')} (${status} ${quote(known.code)})`,
				hintFor(status, request, config),
			]
		: describeRefusalInFront(response, request, config);
	return new UserError(message, hint, String(status), {
		isFromApi,
		outcomeUnknown: request.effect !== 'read' && mayBeDone(effectiveStatus(status, isFromApi)),
	});
}

/** Whether a write may have been carried out: a redirect may mean that it was done, and a conflict that it is in progress. */
const mayBeDone = (status: number) =>
	status < 400 || status === 408 || status === 409 || status >= 500;

/** Makes the error for a response of success that breaks the contract. Values of fields stay out: they may be secret. */
export function unexpectedResponse(
	expected: string,
	{ status, body }: ApiResponse,
	{ method, path, effect }: ApiRequest,
	fields: string[] = [],
): UserError {
	const named =
		fields.length === 0 ? '' : ` (missing or invalid: ${fields.slice(0, 5).join(', ')})`;
	return new UserError(
		`The API responded to ${method} ${path} with ${nameBody(body)} instead of ${expected}${named}`,
		method === 'GET'
			? `Check Base URL in the Card Platform API credential: it must be the address of the API, which usually ends in ${PATH_PREFIX}, not of its dashboard or of a proxy. If it is correct, report this to your provider.`
			: `${outcomeHint(effect)} Then check Base URL in the Card Platform API credential.`,
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
	const httpCode = 'httpCode' in error ? error.httpCode : undefined;
	if (code !== undefined || typeof httpCode !== 'string') return code;
	if (/^\d{3}$/.test(httpCode)) return 'ERR_BAD_RESPONSE';
	return /^[A-Z][A-Z\d_]+$/.test(httpCode) ? httpCode : undefined;
}

/** Tells whether a call failed on the way to the API or back, so that a retry may succeed. */
export const isConnectionFailure = (error: unknown): boolean =>
	CONNECTION_FAILURE.test(findCode(error) ?? '');

/** What happened and what to do where there is no response at all. */
function describeNoResponse(code: string, baseUrl: string): MessageAndHint {
	const { host, hostname } = new URL(baseUrl);
	const typos = 'Check Base URL in the Card Platform API credential for typos';
	if (code === 'ENOTFOUND') return [`No server has the name ${host} (${code})`, `${typos}.`];
	if (NO_CONNECTION.test(code)) {
		const local =
			' For the sandbox: start it again, in the folder of the repository with "npm start" or "npm run sandbox". If n8n runs in Docker, localhost is the container itself: enter host.docker.internal instead.';
		return [
			`No connection to ${host} (${code})`,
			`${typos}, and check that the API is running.${LOOPBACK_HOSTS.has(hostname) ? local : ''}`,
		];
	}
	if (NO_TRUST.test(code) || NO_TLS.test(code)) {
		return [
			`No trusted TLS connection to ${host} (${code})`,
			'n8n does not trust the certificate of the API or of a proxy in between: ask the administrator of your n8n to install the right certificate authority. If the API runs on this machine and uses http, as the sandbox does, start Base URL with http://.',
		];
	}
	const hint =
		'Try again later. If it keeps happening, check for a firewall or proxy between n8n and the API.';
	return [`No complete response from ${host} (${code})`, hint];
}

/** Makes the error for a call without a response. n8n's own holds the key, so only its message is taken over. */
export function failedCall(
	error: unknown,
	{ effect }: Pick<ApiRequest, 'effect'>,
	{ baseUrl, redact }: ApiConfig,
): UserError {
	const code = findCode(error) ?? '';
	const outcomeUnknown = effect !== 'read' && !NO_CONNECTION.test(code) && !NO_TRUST.test(code);
	const [message, hint] =
		code === ''
			? [
					`The request failed: ${excerpt(error instanceof Error ? error.message : '', redact)}`,
					'Check the Card Platform API credential and the network settings of your n8n.',
				]
			: describeNoResponse(code, baseUrl);
	return new UserError(message, hint, undefined, { outcomeUnknown });
}
