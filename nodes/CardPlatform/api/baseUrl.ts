import { UserError } from './userError';

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const HINT =
	'Open the Card Platform API credential and enter the Base URL from your provider, e.g. https://api.example.com/v1/public.';

/**
 * Checks the credential's Base URL (§9: it ends in the path prefix) and cuts trailing slashes.
 * The key would be readable on the way over plain http, so that is allowed on this machine only.
 *
 * @param value what the person typed
 * @returns an absolute URL without a trailing slash
 * @throws UserError where it is missing, no URL, or http to another machine
 */
export function parseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') throw new UserError('The credential has no Base URL', HINT);

	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
		throw new UserError('The Base URL in the credential is not a valid web address', HINT);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw new UserError('The Base URL in the credential contains more than an address', HINT);
	}
	if (url.protocol === 'http:' && !LOOPBACK_HOSTS.has(url.hostname)) {
		throw new UserError(
			'The Base URL in the credential uses http, which is not encrypted',
			'Use https, so that nobody can intercept the API key. Plain http is allowed only for an API on this machine (localhost).',
		);
	}
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
