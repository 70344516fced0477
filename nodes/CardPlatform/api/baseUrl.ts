import { SANDBOX_KEY_PREFIX } from './assumptions';
import { UserError } from './userError';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const HINT =
	'Open the Card Platform API credential and enter the Base URL from your provider, e.g. https://api.example.com/v1/public.';

const isSandboxKey = (apiKey: unknown): boolean =>
	typeof apiKey === 'string' && apiKey.trim().startsWith(SANDBOX_KEY_PREFIX);

/**
 * Checks the credential's Base URL (§9: it ends in the path prefix) and cuts trailing slashes.
 * Over plain http, anyone on the network path could read the key. It is allowed on this machine, and
 * for the key of a sandbox, which opens nothing else: n8n in Docker reaches a sandbox by a host name.
 *
 * @returns an absolute URL without a trailing slash
 */
export function parseBaseUrl(value: unknown, apiKey: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new UserError('The credential has no Base URL', HINT);

	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		throw new UserError(
			'The Base URL in the credential is not a valid web address: it must start with https://',
			HINT,
		);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw new UserError('The Base URL in the credential contains more than an address', HINT);
	}
	if (url.protocol === 'http:' && !LOOPBACK_HOSTS.has(url.hostname) && !isSandboxKey(apiKey)) {
		throw new UserError(
			'The Base URL in the credential uses http, which is not encrypted',
			'Use https, so that nobody can intercept the API key. Plain http is allowed only for an API on this machine (localhost), and for a sandbox: with an API key that starts with sandbox_.',
		);
	}
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
