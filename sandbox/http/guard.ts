import { isIP } from 'node:net';

import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';

import { forbidden } from './errors.ts';

/** What the control plane's handlers find in their context. */
export interface ControlEnv {
	Bindings: HttpBindings;
}

/**
 * Lets only requests from this machine pass that are addressed to the sandbox by its own name and
 * that no foreign web page sent; throws a 403. The control plane has no key, so a page in a
 * browser must not reach it, neither directly (`Origin`) nor by DNS rebinding (`Host`).
 */
export function localRequestsOnly(boundHost: string): MiddlewareHandler<ControlEnv> {
	const names = new Set(['127.0.0.1', 'localhost', '[::1]', hostInUrl(boundHost)]);
	return async (c, next) => {
		const { incoming } = c.env;
		const { remoteAddress = '', localAddress, localPort } = incoming.socket;
		const isFromHere = isLoopback(remoteAddress) || remoteAddress === localAddress;
		if (!isFromHere) {
			throw forbidden('The control plane and the dashboard accept only requests from this machine');
		}
		const own = [...names].map((name) => new URL(`http://${name}:${localPort ?? 0}`));
		const host = c.req.header('host')?.toLowerCase();
		if (!own.some((url) => url.host === host)) {
			throw forbidden('The Host header does not name this sandbox');
		}
		const origin = c.req.header('origin');
		if (origin !== undefined && !own.some((url) => url.origin === origin)) {
			throw forbidden('The Origin header contains another site');
		}
		// Browsers say so themselves, should one leave out the Origin of a form.
		const site = c.req.header('sec-fetch-site');
		const isWrite = !['GET', 'HEAD'].includes(c.req.method);
		if (isWrite && site !== undefined && ['cross-site', 'same-site'].includes(site)) {
			throw forbidden('The request was sent by another site');
		}
		await next();
	};
}

/** Gives a host as it stands in a URL: IPv6 addresses in brackets. */
export const hostInUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

export const isLoopback = (address: string): boolean =>
	address === '::1' || /^(::ffff:)?127\./.test(address);
