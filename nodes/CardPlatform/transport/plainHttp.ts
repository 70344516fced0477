import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ApiConfig } from '../api/config';
import { withTimeout } from '../api/withTimeout';
import type { ApiContext } from './request';

type Proxy = NonNullable<IHttpRequestOptions['proxy']>;

/** States that n8n has no proxy for this request; n8n ignores a proxy without a host. */
const NONE: Proxy = { host: '', port: 0 };

/** A firewall may drop the probe without an answer; without a proxy it is refused at once. */
const PROBE_TIMEOUT_MS = 1_000;

const proxies = new WeakMap<ApiConfig, Promise<Proxy>>();

/**
 * The API as its own proxy. n8n takes a proxy from its environment and has no option against that,
 * but a proxy in the request wins; a server has to accept a request in a proxy's form (RFC 9112
 * §3.2.2).
 */
const itself = (url: URL): Proxy => ({
	protocol: 'http',
	host: url.hostname,
	port: Number(url.port || 80),
});

/**
 * Keeps plain http, which only this machine and a sandbox get, away from a proxy, where the key
 * would be readable.
 *
 * @param request that is to get the key
 * @returns what to add to it: `proxy`, unless n8n is known to have none
 */
export function bypassProxy(url: URL, { proxy }: IHttpRequestOptions): { proxy?: Proxy } {
	return url.protocol === 'http:' && proxy !== NONE ? { proxy: itself(url) } : {};
}

async function findProxy({ helpers }: ApiContext, url: URL): Promise<Proxy> {
	try {
		const { hostname } = url;
		await withTimeout(
			PROBE_TIMEOUT_MS,
			async (): Promise<unknown> => await helpers.httpRequest({ url: `http://${hostname}:1/` }),
		);
	} catch (error) {
		// Refused by that very port: a proxy that is down is named with its own.
		const message = error instanceof Error ? error.message : '';
		if (/(ECONNREFUSED|EADDRNOTAVAIL) \S+:1(?!\d)/.test(message)) return NONE;
	}
	return itself(url);
}

/**
 * The proxy of a request of ours. A node cannot read n8n's environment, so once per run a request
 * without the key goes to a port where nothing listens: where it is not simply refused, a proxy has
 * got it. Then {@link bypassProxy} holds; otherwise the API gets its requests in the usual form.
 *
 * @returns undefined for https, which n8n sends as its environment says
 */
export async function proxyFor(context: ApiContext, config: ApiConfig): Promise<Proxy | undefined> {
	const url = new URL(config.baseUrl);
	if (url.protocol !== 'http:') return undefined;
	const proxy = proxies.get(config) ?? findProxy(context, url);
	proxies.set(config, proxy);
	return await proxy;
}
