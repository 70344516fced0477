import type { IHttpRequestOptions } from 'n8n-workflow';

/**
 * Keeps plain http, which only this machine and a sandbox get, away from proxies, where the key would be
 * readable. n8n takes a proxy from its environment and has no option against that, but a proxy in the request
 * wins. So the API is its own proxy: every server accepts a request in that form (RFC 9112 §3.2.2).
 *
 * @returns what to add to the request: `proxy`, for http
 */
export const bypassProxy = (url: URL): Pick<IHttpRequestOptions, 'proxy'> =>
	url.protocol === 'http:'
		? { proxy: { protocol: 'http', host: url.hostname, port: Number(url.port || 80) } }
		: {};
