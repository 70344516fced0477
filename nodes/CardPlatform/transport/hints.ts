import type { ApiConfig } from '../api/config';
import type { ApiRequest } from './types';

type RequestLine = Pick<ApiRequest, 'path' | 'effect'>;

const isCardPath = (path: string) => path.startsWith('/cards');
const isAccountPath = (path: string) => path.startsWith('/accounts');

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

const HINT_401 =
	'Check the API key in the Card Platform API credential. Only one key is active at a time: when someone generates a new one in the dashboard (developer settings, API tab), the old one stops working immediately. Paste the newest key into every Card Platform API credential. If you have chosen another credential in a published workflow, publish it again: until then it uses the one before.';

function hint403({ path }: RequestLine, { keyScope }: ApiConfig): string {
	if (isAccountPath(path)) {
		const outcome = path.endsWith('/transfers') ? 'Nothing was transferred. ' : '';
		return keyScope === 'account'
			? `${outcome}Key Scope in the credential is set to Account. Renaming accounts and transfers require a customer-scoped key: use one, and set Key Scope to Customer.`
			: `${outcome}Renaming accounts and transfers require a customer-scoped key, and account management must be enabled. Check the key, and ask your provider.`;
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

const HINT_SERVER = 'The problem is on the side of the API. Try again later.';

/**
 * What the person can do about an error response (§7; feature gating §5.5, key scope §5.4, replaced
 * key §5.3, archived card §3).
 */
export function hintFor(status: number, request: RequestLine, config: ApiConfig): string {
	if (status < 400) {
		return 'The API redirected the request. Ask your provider for the current Base URL and enter it in the Card Platform API credential. Redirects are not followed, so that the key is never sent to another address.';
	}
	if (status === 401) return HINT_401;
	if (status === 403) return hint403(request, config);
	if (status === 404) return hint404(request);
	if (status >= 500) return request.effect === 'once' ? HINT_ONCE : HINT_SERVER;
	// The health check has no fields, and is also what tests the credential.
	if (request.path === '/health') {
		return status === 429
			? 'Too many requests. Wait a minute, then try again.'
			: 'Check Base URL in the Card Platform API credential against the documentation of your provider.';
	}
	switch (status) {
		case 400:
			return hint400(request, config);
		case 413:
			return 'The request is larger than the API accepts, so nothing was changed. Shorten the name or the custom fields of this node.';
		case 429:
			return 'Too many requests. Process fewer items at once (Loop Over Items with a Wait) or lower Max Concurrent Requests in the credential (under Advanced), and try again later.';
		default:
			return 'Check the fields of this node and Base URL in the credential against the documentation of your provider.';
	}
}
