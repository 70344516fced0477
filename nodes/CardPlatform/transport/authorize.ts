import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { type ApiConfig, readApiConfig, refuseSensitiveDetails } from '../api/config';
import { UserError } from '../api/userError';
import { quoteValue } from '../api/values';
import { bypassProxy } from './plainHttp';

/**
 * The headers that a request may have. Any other could change, for a server behind the Base URL, where the
 * request goes or what it does: `Host`, `X-Original-URL`, `X-Forwarded-Host`, `X-HTTP-Method-Override`.
 */
const ALLOWED_HEADERS = new Set([
	'accept',
	'accept-encoding',
	'accept-language',
	'cache-control',
	'content-type',
	'idempotency-key',
	'traceparent',
	'tracestate',
	'user-agent',
	'x-correlation-id',
	'x-request-id',
]);

const READING = new Set(['GET', 'HEAD']);

function refuseWrite({ method = 'GET' }: IHttpRequestOptions): void {
	if (READING.has(method.toUpperCase())) return;
	throw new UserError(
		'The credential is read-only, so the request was not sent. Only GET and HEAD are allowed. Turn off Read Only in the Card Platform API credential, or use another credential',
		'Read Only applies to every node that uses the credential.',
	);
}

function refuseHeaders({ headers = {} }: IHttpRequestOptions, authorization: string): void {
	const refused = Object.entries(headers).find(
		([name, value]) =>
			!ALLOWED_HEADERS.has(name.toLowerCase()) &&
			// After a 401, n8n may give a request again that has the key already.
			!(name === 'Authorization' && value === authorization),
	);
	if (refused === undefined) return;
	throw new UserError(
		`The API key was not sent: the request has the header ${quoteValue(refused[0])}`,
		`With this credential, a request can have these headers only: ${[...ALLOWED_HEADERS].join(', ')}.`,
	);
}

/**
 * A proxy of the request may pass for the API: with certificate checks off, with an authority that comes
 * along, or where Base URL is an IP address, as n8n then compares the certificate with the proxy's name.
 */
function refuseProxy({ protocol }: URL, { proxy }: IHttpRequestOptions): void {
	if (protocol === 'http:' || !proxy) return;
	throw new UserError(
		'The API key was not sent: the request has its own proxy, which could read the key',
		'Remove the proxy from the node. The proxies in the environment of n8n (HTTPS_PROXY) are used.',
	);
}

/** Undoes all encoding of a path, even repeated: a server may decode more than once. */
function decode(path: string): string {
	for (let encoded = path; ;) {
		const decoded = encoded.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
			String.fromCharCode(Number.parseInt(hex, 16)),
		);
		if (decoded === encoded) return decoded;
		encoded = decoded;
	}
}

/** Whether a server that decodes the path would leave it, as in "..%2f": a URL itself has no ".." any more. */
const climbs = ({ pathname }: URL): boolean => /[/\\]\.\.|\\/.test(decode(pathname));

function toUrl({ baseUrl }: ApiConfig, request: IHttpRequestOptions): URL {
	const base = request.baseURL === undefined ? '' : request.baseURL.trim().replace(/\/+$/, '');
	const address = `${base}${'uri' in request && typeof request.uri === 'string' ? request.uri : request.url}`;
	// Parsed first: a path such as /v1/public/../admin would leave the Base URL.
	const url = URL.canParse(address) ? new URL(address) : undefined;
	const isBelow = url?.href === baseUrl || url?.href.startsWith(`${baseUrl}/`);
	if (url !== undefined && isBelow && !climbs(url)) return url;
	throw new UserError(
		'The API key was not sent: the URL is not below the Base URL of the credential',
		`This credential can only be used for ${baseUrl}.`,
	);
}

/** A redirect would take the key along. n8n's older request function has other names for this. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/**
 * Puts the key into a request (§5.1), and holds every user of the credential to it, e.g. an HTTP
 * Request node that borrows it: the key is sent to the Base URL only, and no header, proxy or redirect
 * leads it elsewhere; a read-only credential only reads; sensitive details (§4.7) need their switch; plain
 * http avoids proxies.
 *
 * @param credential the decrypted Card Platform API credential
 * @param request to an absolute `url`, or to a `url` below `baseURL`; older nodes give a `uri`
 * @returns the request with its `Authorization` header
 * @throws UserError where the credential is incomplete or does not allow the request
 */
export function authorize(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const config = readApiConfig(credential);
	const url = toUrl(config, request);
	const authorization = `Bearer ${config.apiKey}`;
	refuseHeaders(request, authorization);
	refuseProxy(url, request);
	if (config.readOnly) refuseWrite(request);
	if (decode(url.pathname).toLowerCase().includes('sensitive-details')) {
		refuseSensitiveDetails(config);
	}
	return {
		...request,
		baseURL: undefined,
		url: url.href,
		...('uri' in request && { uri: url.href }),
		...NO_REDIRECTS,
		...bypassProxy(url),
		headers: { ...request.headers, Authorization: authorization },
	};
}
