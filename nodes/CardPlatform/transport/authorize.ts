import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { type ApiConfig, readApiConfig, refuseSensitiveDetails } from '../api/config';
import { UserError } from '../api/userError';
import { bypassProxy } from './plainHttp';

/** Some servers take the method from such a header. n8n trims names, and CGI reads "_" as "-". */
const METHOD_HEADER = /^\s*x[-_](http[-_])?method([-_]override)?\s*$/i;

const READING = new Set(['GET', 'HEAD']);

function refuseWrite({ method = 'GET', headers = {} }: IHttpRequestOptions): void {
	const isReading = READING.has(method.toUpperCase());
	if (isReading && !Object.keys(headers).some((name) => METHOD_HEADER.test(name))) return;
	throw new UserError(
		'The credential is read-only, so the request was not sent. Only GET and HEAD are allowed, without a header that overrides the method. Turn off Read Only in the Card Platform API credential, or use another credential',
		'Read Only applies to every node that uses the credential.',
	);
}

/** Undoes all encoding of a path, even repeated: a server may decode more than once. */
function decode(path: string): string {
	const decoded = path.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
		String.fromCharCode(Number.parseInt(hex, 16)),
	);
	return decoded === path ? path : decode(decoded);
}

function toUrl({ baseUrl }: ApiConfig, request: IHttpRequestOptions): URL {
	const base = request.baseURL === undefined ? '' : request.baseURL.trim().replace(/\/+$/, '');
	const address = `${base}${'uri' in request && typeof request.uri === 'string' ? request.uri : request.url}`;
	// Parsed first: a path such as /v1/public/../admin would leave the Base URL.
	const url = URL.canParse(address) ? new URL(address) : undefined;
	if (url?.href === baseUrl || url?.href.startsWith(`${baseUrl}/`)) return url;
	throw new UserError(
		'The API key was not sent: the URL is not below the Base URL of the credential',
		`This credential can only be used for ${baseUrl}.`,
	);
}

/**
 * Puts the key into a request (§5.1), and holds every user of the credential to it, e.g. an HTTP
 * Request node that borrows it: the key is sent to the Base URL only, a read-only credential
 * only reads, sensitive details (§4.7) need their switch, and plain http avoids proxies.
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
	if (config.readOnly) refuseWrite(request);
	if (decode(url.pathname).toLowerCase().includes('sensitive-details')) {
		refuseSensitiveDetails(config);
	}
	return {
		...request,
		baseURL: undefined,
		url: url.href,
		...('uri' in request && { uri: url.href, followRedirect: false, followAllRedirects: false }),
		// A redirect would take the key along.
		disableFollowRedirect: true,
		...bypassProxy(url, request),
		headers: { ...request.headers, Authorization: `Bearer ${config.apiKey}` },
	};
}
