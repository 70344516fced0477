import type { ApiConfig } from '../api/config';
import type { ApiRequest, Effect } from './types';

/** For a card that is known to be archived (§3). */
export const ARCHIVED =
	'An archived card cannot be frozen or unfrozen, because archiving is permanent. To skip such cards, filter by status before this node, or set On Error to Continue in the settings of this node.';

/** For a write with an unknown outcome. */
export const outcomeHint = (effect: Effect): string =>
	`The outcome is not known: the change may have been carried out. Check before you run this again${effect === 'once' ? ', and leave Retry On Fail off for this node: it could make the change twice' : ''}.`;

/** For a write that was not carried out, if the API's words say why: its key belongs to another transfer, or its name is taken. */
export function rejectionHint({ path, effect }: ApiRequest, words: string): string | undefined {
	if (effect === 'once') {
		return /\bname\b/i.test(words) && /already|duplicate|exists|in use|taken|unique/i.test(words)
			? 'A card with this name exists, perhaps from an earlier attempt. If you need another card, use another name.'
			: undefined;
	}
	// While a transfer may be in progress, a new key could pay twice: only words about what the key was used for count.
	return path.endsWith('/transfers') &&
		/\bkey/i.test(words) &&
		/used (for|with) .*(different|other)|only .*used with the same|belongs to .*other|mismatch|not match|(different|other) (\w+ )?(param|payload|body|amount|account)/is.test(
			words,
		) &&
		!/progress|process|pending|concurren|in.use|being|lock|execut|running|finish|complet|wait|still|again/i.test(
			words,
		)
		? 'This key belongs to another transfer; use a new key for a new payment.'
		: undefined;
}

/**
 * What the person can do about an error response (§7; feature gating §5.5, key scope §5.4, replaced
 * key §5.3, archived card §3).
 */
export function hintFor(
	status: number,
	{ path }: Pick<ApiRequest, 'path'>,
	{ keyScope }: ApiConfig,
): string {
	const what = path.startsWith('/cards')
		? 'card'
		: path.startsWith('/accounts')
			? 'account'
			: 'record';
	if (status < 400) {
		return 'The API redirected the request. Ask your provider for the current Base URL and enter it in the Card Platform API credential. Redirects are not followed, so that the key is never sent to another address.';
	}
	if (status >= 500) return 'The API could not answer. Try again later.';
	if (status === 401) {
		return 'Check the API key in the Card Platform API credential. Only one key is active at a time: when someone generates a new one in the dashboard (developer settings, API tab), the old one stops working immediately. Paste the newest key into every Card Platform API credential. If you have chosen another credential in a published workflow, publish it again: until then it uses the one before.';
	}
	if (status === 403) {
		if (what === 'card') {
			return 'Card management is probably not enabled for this account. Ask your provider to enable it; the same key will then work.';
		}
		if (what === 'record') {
			return 'This feature is probably not enabled for the account, or the key belongs to another account. Ask your provider what this key may do.';
		}
		const outcome = path.endsWith('/transfers') ? 'Nothing was transferred. ' : '';
		return keyScope === 'account'
			? `${outcome}Key Scope in the credential is set to Account. Renaming accounts and transfers require a customer-scoped key: use one, and set Key Scope to Customer.`
			: `${outcome}Renaming accounts and transfers require a customer-scoped key, and account management must be enabled. Check the key, and ask your provider.`;
	}
	if (status === 404) {
		return path.split('/').length > 2
			? `No ${what} with this ID is visible to this key. Check the ID: a key for one account cannot see the ${what}s of another. If every ID fails, check Base URL in the credential: it must include the path prefix, usually /v1/public.`
			: 'Check Base URL in the Card Platform API credential: it must include the path prefix, usually /v1/public.';
	}
	if (status === 429) return 'Too many requests. Wait a minute, then try again.';
	// The health check has no fields, and is also what tests the credential.
	if (status !== 400 || path === '/health') {
		const fields = path === '/health' ? '' : 'the fields of this node and ';
		return `Check ${fields}Base URL in the Card Platform API credential against the documentation of your provider.`;
	}
	if (path.endsWith('freeze')) {
		return `The card may be archived: check its status with Card: Get. ${ARCHIVED}`;
	}
	return path === '/payments' && keyScope === 'account'
		? 'If the message is about the account: a key for one account takes no other Account ID, so remove it under Options. If the key covers several accounts, set Key Scope to Customer, and Default Account ID, in the Card Platform API credential. Otherwise, check the fields of this node against the message.'
		: 'The API rejected a value. Check the fields of this node against the message above. If it does not know a query parameter, run Connection: Test API, which says what to set in Parameter Names.';
}
