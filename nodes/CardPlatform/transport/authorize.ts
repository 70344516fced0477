import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { readApiConfig, refuseSensitiveDetails } from '../api/config';
import { UserError } from '../api/userError';
import { quoteValue } from '../api/values';

/**
 * The headers that a request may have. Any other could change, for a server behind the Base URL, where the
 * request goes or what it does: `Host`, `X-Original-URL`, `X-Forwarded-Host`, `X-HTTP-Method-Override`.
 */
const ALLOWED_HEADERS = [
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
];

const notSent = (why: string, hint: string) =>
	new UserError(`The API key was not sent: ${why}`, hint);

/** Finds out where a request goes. Parsed first: a path such as /v1/public/../admin would leave the Base URL. */
function toUrl(baseUrl: string, request: IHttpRequestOptions): URL {
	const base = (request.baseURL ?? '').trim().replace(/(?<!\/)\/+$/, '');
	const path = 'uri' in request && typeof request.uri === 'string' ? request.uri : request.url;
	const url = URL.canParse(`${base}${path}`) ? new URL(`${base}${path}`) : undefined;
	if (url !== undefined && isBelow(url, baseUrl)) return url;
	throw notSent(
		'the URL is not below the Base URL of the credential, or its path has encoded characters such as %2f',
		`This credential can only be used for ${baseUrl}.`,
	);
}

/** No letter, slash or dot of a path need be encoded (§4); a server that decodes "..%2f" would leave the Base URL. */
function isBelow({ href }: URL, baseUrl: string): boolean {
	const [path = ''] = href.slice(baseUrl.length).split('?');
	const isEncoded = /%(2[5-9a-f]|[3-7])|\\|\.\./i.test(path);
	return (href === baseUrl || href.startsWith(`${baseUrl}/`)) && !isEncoded;
}

/** Refuses a request whose server could be an impostor. Plain http has no certificate. */
function refuseInterception(url: URL, request: IHttpRequestOptions): void {
	if (request.proxy) {
		throw notSent(
			'the request has its own proxy, which could read the key',
			'Remove the proxy from the node. The proxies in the environment of n8n (HTTPS_PROXY) are used.',
		);
	}
	const { skipSslCertificateValidation, agentOptions } = request;
	const isUnchecked =
		skipSslCertificateValidation === true ||
		('rejectUnauthorized' in request && request.rejectUnauthorized === false);
	if (url.protocol === 'https:' && (isUnchecked || agentOptions !== undefined)) {
		throw notSent(
			'the request ignores SSL issues, or has its own SSL certificates',
			'Turn both off in the node. If n8n does not trust the certificate of the API, ask the administrator of your n8n to install the right certificate authority.',
		);
	}
}

/**
 * Puts the key into a request (§5.1). These rules hold for every node that uses the credential, such as HTTP Request:
 * the key is sent to the Base URL only, and no header, proxy, certificate or redirect leads it elsewhere; a read-only
 * credential only reads; sensitive details (§4.7) need their switch.
 *
 * @param request to an absolute `url`, or to a `url` below `baseURL`; older nodes give a `uri`
 * @throws UserError if the credential is incomplete or does not allow the request
 */
export function authorize(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const config = readApiConfig(credential);
	const url = toUrl(config.baseUrl, request);
	const authorization = `Bearer ${config.apiKey}`;
	const { method = 'GET', headers = {} } = request;
	const refused = Object.entries(headers).find(
		([name, value]) =>
			!ALLOWED_HEADERS.includes(name.toLowerCase()) &&
			// After a 401, n8n may give a request again that has the key already.
			!(name === 'Authorization' && value === authorization),
	);
	if (refused !== undefined) {
		throw notSent(
			`the request has the header ${quoteValue(refused[0])}`,
			`With this credential, a request can have these headers only: ${ALLOWED_HEADERS.join(', ')}.`,
		);
	}
	refuseInterception(url, request);
	if (config.readOnly && !['GET', 'HEAD'].includes(method.toUpperCase())) {
		throw new UserError(
			'The credential is read-only, so the request was not sent. Only GET and HEAD are allowed. Turn off Read Only in the Card Platform API credential, or use another credential',
			'Read Only applies to every node that uses the credential.',
		);
	}
	if (url.pathname.toLowerCase().includes('sensitive-details')) refuseSensitiveDetails(config);
	return {
		...request,
		baseURL: undefined,
		url: url.href,
		...('uri' in request && { uri: url.href }),
		// A redirect would take the key along. n8n's older request function has other names for this.
		disableFollowRedirect: true,
		...{ followRedirect: false, followAllRedirects: false },
		headers: { ...headers, Authorization: authorization },
	};
}
