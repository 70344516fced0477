import type { ApiConfig } from '../api/config';
import type { ApiRequest, Effect } from './types';

/** For a card that is known to be archived (§3). */
export const ARCHIVED =
	'An archived card cannot be frozen or unfrozen, because archiving is permanent. To skip such cards, filter by status before this node, or set On Error to Continue in the settings of this node.';

/** For a write with an unknown outcome. */
export const outcomeHint = (effect: Effect): string =>
	`The outcome is not known: the change may have been carried out. Check before you run this again${effect === 'unrepeatable' ? ', and leave Retry On Fail off for this node: it could make the change twice' : ''}.`;

const BASE_URL = 'Base URL in the Card Platform API credential';

const REDIRECTED =
	'The API redirected the request. Ask your provider for the current Base URL and enter it in the Card Platform API credential. Redirects are not followed, so that the key is never sent to another address.';

/** §5.3: a replaced key. */
const UNAUTHORIZED =
	'Check the API key in the Card Platform API credential. Only one key is active at a time: when someone generates a new one in the dashboard (developer settings, API tab), the old one stops working immediately. Paste the newest key into every Card Platform API credential. If you have chosen another credential in a published workflow, publish it again: until then it uses the one before.';

type Scope = Pick<ApiConfig, 'keyScope'>['keyScope'];

/** §5.4: the scope of the key; §5.5: a feature that is not enabled. */
function forbidden(path: string, keyScope: Scope): string {
	if (path.startsWith('/cards'))
		return 'Card management is probably not enabled for this account. Ask your provider to enable it; the same key will then work.';
	if (!path.startsWith('/accounts'))
		return 'This feature is probably not enabled for the account, or the key belongs to another account. Ask your provider what this key may do.';
	const outcome = path.endsWith('/transfers') ? 'Nothing was transferred. ' : '';
	return keyScope === 'account'
		? `${outcome}Key Scope in the credential is set to Account. Renaming accounts and transfers require a customer-scoped key: use one, and set Key Scope to Customer.`
		: `${outcome}Renaming accounts and transfers require a customer-scoped key, and account management must be enabled. Check the key, and ask your provider.`;
}

function notFound(path: string): string {
	const [, list = '', id] = path.split('/');
	const prefix = 'it must include the path prefix, usually /v1/public.';
	if (id === undefined) return `Check ${BASE_URL}: ${prefix}`;
	const what = { cards: 'card', accounts: 'account' }[list] ?? 'record';
	return `No ${what} with this ID is visible to this key. Check the ID: a key for one account cannot see the ${what}s of another. If every ID fails, check Base URL in the credential: ${prefix}`;
}

function rejected(path: string, keyScope: Scope): string {
	if (path.endsWith('freeze'))
		return `The card may be archived: check its status with Card: Get. ${ARCHIVED}`;
	return path === '/payments' && keyScope === 'account'
		? 'If the message is about the account: a key for one account takes no other Account ID, so remove it under Options. If the key covers several accounts, set Key Scope to Customer, and Default Account ID, in the Card Platform API credential. Otherwise, check the fields of this node against the message.'
		: 'The API rejected a value. Check the fields of this node against the message above. If it does not know a query parameter, run Connection: Test API, which says what to set in Parameter Names.';
}

/** What the person can do about an error response (§7). */
export function hintFor(
	status: number,
	{ path }: Pick<ApiRequest, 'path'>,
	{ keyScope }: Pick<ApiConfig, 'keyScope'>,
): string {
	if (status < 400) return REDIRECTED;
	if (status >= 500) return 'The API could not answer. Try again later.';
	// The health check has no fields, and is also what tests the credential.
	const fields = path === '/health' ? '' : 'the fields of this node and ';
	const other = `Check ${fields}${BASE_URL} against the documentation of your provider.`;
	const hints: Record<number, string> = {
		400: path === '/health' ? other : rejected(path, keyScope),
		401: UNAUTHORIZED,
		403: forbidden(path, keyScope),
		404: notFound(path),
		429: 'Too many requests. Wait a minute, then try again.',
	};
	return hints[status] ?? other;
}
