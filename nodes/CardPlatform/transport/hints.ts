import type { ApiConfig } from '../api/config';
import type { ApiRequest } from './request';

/** What a hint depends on. */
type RequestLine = Pick<ApiRequest, 'path' | 'effect'>;

const isCardPath = (path: string) => path.startsWith('/cards');
const isAccountPath = (path: string) => path.startsWith('/accounts');

function hint400({ path }: RequestLine): string {
	if (/\/(freeze|unfreeze)$/.test(path)) {
		return 'Is the card archived? An archived card cannot be frozen or unfrozen: archiving is final. Look at its status with Card: Get; to skip such cards, filter on the status before this step or turn on "Continue" under On Error in the settings of this node.';
	}
	return 'The API did not accept a value. Compare the fields of this node with the message above.';
}

/** For a write that may happen once only and whose fate is not known. */
export const HINT_ONCE =
	'Whether it was done is not known. Look before you run it again, and leave Retry On Fail off for this step: it would do it twice.';

const HINT_401 =
	'Check the API key in the Card Platform API credential. Only one key is active at a time: when somebody generates a new one in the dashboard (developer settings, API tab), the old one stops working at once. Paste the newest key into the credential.';

function hint403({ path }: RequestLine, { keyScope }: ApiConfig): string {
	if (isAccountPath(path)) {
		return keyScope === 'account'
			? 'The credential says that this key is account-scoped. Accounts need a customer-scoped key: use one, and set Key Scope to Customer.'
			: 'Accounts need a customer-scoped key, and account management must be enabled. Check that the key is customer-scoped; ask your provider whether account management is enabled.';
	}
	if (isCardPath(path)) {
		return 'Card management is probably not enabled for this account. Ask your provider to enable it; the same key will then work.';
	}
	return 'This feature is probably not enabled for the account, or the key was made for another account. Ask your provider what this key may do.';
}

function hint404({ path }: RequestLine): string {
	const what = isCardPath(path) ? 'card' : isAccountPath(path) ? 'account' : 'record';
	return path.split('/').length > 2
		? `No ${what} with this ID is visible to this key. Check the ID; a key made for one account does not see the ${what}s of another. If every ID fails, check Base URL in the credential: it must include the path prefix, usually /v1/public.`
		: 'Check Base URL in the Card Platform API credential: it must include the path prefix, usually /v1/public.';
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
		return 'The address moved. Ask your provider for the current Base URL and put it into the Card Platform API credential; the key is not sent on to another address.';
	}
	switch (status) {
		case 400:
			return hint400(request);
		case 401:
			return HINT_401;
		case 403:
			return hint403(request, config);
		case 404:
			return hint404(request);
		case 429:
			return 'The API is asked too often. Process fewer items at once (Loop Over Items with a Wait), lower Max Concurrent Requests in the credential, or turn on Retry On Fail in the settings of this node.';
		default:
			if (status >= 500 && request.effect === 'once') return HINT_ONCE;
			return status >= 500
				? 'The fault is on the side of the API. Try again later; Retry On Fail in the settings of this node does so by itself.'
				: 'Compare the fields of this node and Base URL in the credential with what your provider says.';
	}
}

const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/;

/**
 * What happened and what to do where there is no response at all.
 *
 * @param code the system's error code, e.g. `ECONNREFUSED`
 * @param host host and port that were called
 */
export function describeNoResponse(code: string, host: string): { message: string; hint: string } {
	if (code === 'ECONNREFUSED') {
		return {
			message: `Nothing answers at ${host} (connection refused)`,
			hint: 'Is the API running, and is Base URL in the Card Platform API credential right? For the sandbox: start it with "npm run sandbox". If n8n runs in Docker, localhost means the container itself.',
		};
	}
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return {
			message: `The address ${host} was not found`,
			hint: 'Check Base URL in the Card Platform API credential for a typing error, and the network of the machine that n8n runs on.',
		};
	}
	if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') {
		return {
			message: `${host} did not answer in time`,
			hint: 'Try again later. If it keeps happening, check whether a firewall or proxy stands between n8n and the API.',
		};
	}
	if (CERTIFICATE_CODES.test(code)) {
		return {
			message: `No trusted encrypted connection to ${host} (${code})`,
			hint: 'The certificate of the API, or of a proxy in between, is not trusted by n8n. Ask whoever runs your n8n to install the right certificate authority.',
		};
	}
	return {
		message: `The connection to ${host} broke (${code})`,
		hint: 'Try again later; Retry On Fail in the settings of this node does so by itself.',
	};
}
