import type { ApiConfig } from '../api/config';
import type { ApiRequest, Effect } from './types';

/** What a hint depends on. */
type RequestLine = Pick<ApiRequest, 'path' | 'effect'>;

const isCardPath = (path: string) => path.startsWith('/cards');
const isAccountPath = (path: string) => path.startsWith('/accounts');
/** The health check has no fields, and is also what tests the credential. */
const isHealthPath = (path: string) => path === '/health';

function hint400({ path }: RequestLine, { keyScope }: ApiConfig): string {
	if (/\/(freeze|unfreeze)$/.test(path)) {
		return 'The card may be archived. An archived card cannot be frozen or unfrozen, because archiving is permanent. Check its status with Card: Get. To skip such cards, filter by status before this node, or set On Error to Continue in the settings of this node.';
	}
	if (path === '/payments' && keyScope === 'account') {
		return 'If the message is about the account, the key covers several: set Key Scope to Customer, and Default Account ID, in the Card Platform API credential. Otherwise, check the fields of this node against the message.';
	}
	return 'The API rejected a value. Check the fields of this node against the message above.';
}

/** For a write that may happen only once, with unknown outcome. */
export const HINT_ONCE =
	'It is not known whether the change was made. Check before you run this again, and leave Retry On Fail off for this node: it could make the change twice.';

/** n8n runs all items again, so it is advice for what may come twice and in any order. */
const orRetryOnFail = (effect: Effect) =>
	effect === 'read' || effect === 'repeatable'
		? ', or turn on Retry On Fail in the settings of this node.'
		: '.';

const HINT_401 =
	'Check the API key in the Card Platform API credential. Only one key is active at a time: when someone generates a new one in the dashboard (developer settings, API tab), the old one stops working immediately. Paste the newest key into the credential. If you have chosen another credential in a published workflow, publish it again: until then it uses the one before.';

function hint403({ path }: RequestLine, { keyScope }: ApiConfig): string {
	if (isAccountPath(path)) {
		return keyScope === 'account'
			? 'Key Scope in the credential is set to Account. Renaming accounts and transfers require a customer-scoped key: use one, and set Key Scope to Customer.'
			: 'Renaming accounts and transfers require a customer-scoped key, and account management must be enabled. Check that the key is customer-scoped, and ask your provider whether account management is enabled.';
	}
	if (isCardPath(path)) {
		return 'Card management is probably not enabled for this account. Ask your provider to enable it; the same key will then work.';
	}
	return 'This feature is probably not enabled for the account, or the key belongs to another account. Ask your provider what this key may do.';
}

function hint404({ path }: RequestLine): string {
	const what = isCardPath(path) ? 'card' : isAccountPath(path) ? 'account' : 'record';
	return path.split('/').length > 2
		? `No ${what} with this ID is visible to this key. Check the ID: a key for one account cannot see the ${what}s of another. If every ID fails, check Base URL in the credential: it must include the path prefix, usually /v1/public.`
		: 'Check Base URL in the Card Platform API credential: it must include the path prefix, usually /v1/public.';
}

function hintForHealth(status: number): string {
	if (status === 429) return 'Too many requests. Wait a minute, then try again.';
	return status >= 500
		? 'The problem is on the side of the API. Try again later.'
		: 'Check Base URL in the Card Platform API credential against the documentation of your provider.';
}

/**
 * What the person can do about an error response (§7; feature gating §5.5, key scope §5.4, replaced
 * key §5.3, archived card §3).
 *
 * @param status HTTP status of the response
 * @returns one to three sentences
 */
export function hintFor(status: number, request: RequestLine, config: ApiConfig): string {
	if (status >= 300 && status < 400) {
		return 'The API redirected the request. Ask your provider for the current Base URL and enter it in the Card Platform API credential. Redirects are not followed, so that the key is never sent to another address.';
	}
	if (isHealthPath(request.path) && status !== 401 && status !== 403 && status !== 404) {
		return hintForHealth(status);
	}
	switch (status) {
		case 400:
			return hint400(request, config);
		case 401:
			return HINT_401;
		case 403:
			return hint403(request, config);
		case 404:
			return hint404(request);
		case 413:
			return 'The request is larger than the API accepts, so nothing was changed. Shorten the name or the custom fields of this node.';
		case 429:
			return `Too many requests. Process fewer items at once (Loop Over Items with a Wait) or lower Max Concurrent Requests in the credential (under Advanced), and try again later${orRetryOnFail(request.effect)}`;
		default:
			if (status >= 500 && request.effect === 'once') return HINT_ONCE;
			return status >= 500
				? `The problem is on the side of the API. Try again later${orRetryOnFail(request.effect)}`
				: 'Check the fields of this node and Base URL in the credential against the documentation of your provider.';
	}
}

const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

/** The other side does not use TLS, or no version of it that n8n does. */
const PROTOCOL_CODES = /EPROTO|ERR_SSL/;

/**
 * What happened and what to do where there is no response at all.
 *
 * @param code the system's error code, e.g. `ECONNREFUSED`
 * @param effect of the request
 * @param baseUrl of the credential
 */
export function describeNoResponse(
	code: string,
	effect: Effect,
	baseUrl: string,
): { message: string; hint: string } {
	const { host, protocol } = new URL(baseUrl);
	if (code === 'ECONNREFUSED') {
		return {
			message: `No server is listening at ${host} (connection refused)`,
			hint: 'Check that the API is running and that Base URL in the Card Platform API credential is correct. For the sandbox: start it again, in the folder of the repository with "npm start" or "npm run sandbox". If n8n runs in Docker, localhost is the container itself: enter host.docker.internal instead.',
		};
	}
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return {
			message: `The host ${host} was not found`,
			hint: 'Check Base URL in the Card Platform API credential for typos, and check the network of the machine that n8n runs on.',
		};
	}
	if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') {
		return {
			message: `${host} did not respond in time`,
			hint: 'Try again later. If it keeps happening, check for a firewall or proxy between n8n and the API.',
		};
	}
	if (CERTIFICATE_CODES.test(code)) {
		return {
			message: `No trusted TLS connection to ${host} (${code})`,
			hint: 'n8n does not trust the certificate of the API or of a proxy in between. Ask the administrator of your n8n to install the right certificate authority.',
		};
	}
	if (PROTOCOL_CODES.test(code)) {
		return {
			message: `The server at ${host} did not accept https (${code})`,
			hint: 'Check the host and port of Base URL in the Card Platform API credential. If the API runs on this machine and uses http, as the sandbox does, start Base URL with http://.',
		};
	}
	return {
		message: `The connection to ${host} was interrupted (${code})`,
		hint: `Try again later${orRetryOnFail(effect)}${
			protocol === 'http:' ? ' If the server uses https, start Base URL with https://.' : ''
		}`,
	};
}
