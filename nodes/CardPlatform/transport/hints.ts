import type { ApiConfig } from '../api/config';
import type { ApiRequest, Effect } from './types';

/** For a card that is known to be archived (§3). */
export const ARCHIVED =
	'An archived card cannot be frozen or unfrozen, because archiving is permanent. To skip such cards, filter by status before this node, or set On Error to Continue in the settings of this node.';

/** What to do after a write that may have been made. */
export const outcomeHint = (effect: Effect): string =>
	`The outcome is unknown: the API may have made the change. Check before you run this again${effect === 'unrepeatable' ? ', and leave Retry On Fail off for this node: it could make the change twice' : ''}.`;

const BASE_URL = 'Base URL in the Card Platform API credential';
const PROVIDER = 'against the documentation of your provider.';
/** The usual end of a Base URL (§9). */
export const PATH_PREFIX = '/v1/public';
const MUST_HAVE_PREFIX = `it must include the path prefix, usually ${PATH_PREFIX}.`;
const CUSTOMER_KEY = 'Renaming accounts and transfers require a customer-scoped key';
const SCOPE_IS_ACCOUNT = `This request changed nothing. Key Scope in the credential is set to Account. ${CUSTOMER_KEY}: use one, and set Key Scope to Customer.`;
const NO_ACCOUNTS = `This request changed nothing. ${CUSTOMER_KEY}, and account management must be enabled. Check the key, and ask your provider.`;

const notVisible = (
	what: string,
	why = `a key for one account cannot see the ${what}s of another`,
): string =>
	`No ${what} with this ID is visible to this key. Check the ID: ${why}. If every ID fails, check Base URL in the credential: ${MUST_HAVE_PREFIX}`;

/** What to do about an error response with this status, or, at 300 and 500, with this or a higher one. */
interface Hint {
	status: number;
	/** Absent: any. */
	path?: RegExp;
	keyScope?: ApiConfig['keyScope'];
	hint: string;
}

/** Of the rows that fit a response (§7), the first counts. */
export const HINTS: readonly Hint[] = [
	{
		status: 300,
		hint: 'The API redirected the request. Ask your provider for the current Base URL and enter it in the Card Platform API credential. The node follows no redirects, so that the key never goes to another address.',
	},
	// The health check has no fields, and is also what tests the credential.
	{ status: 400, path: /^\/health$/, hint: `Check ${BASE_URL} ${PROVIDER}` },
	{
		status: 400,
		path: /freeze$/,
		hint: `The card may be archived: check its status with Card: Get. ${ARCHIVED}`,
	},
	{
		status: 400,
		path: /^\/payments$/,
		keyScope: 'account',
		hint: 'If the message is about the account: a key for one account takes no other Account ID, so remove it under Options. If the key covers several accounts, set Key Scope to Customer, and Default Account ID, in the Card Platform API credential. Otherwise, check the fields of this node against the message.',
	},
	{
		status: 400,
		hint: 'The API rejected a value. Check the fields of this node against the message. If the message is about a query parameter, run Connection: Test API, which says what to set in Parameter Names.',
	},
	{
		// §5.3: a replaced key.
		status: 401,
		hint: 'Paste the newest API key into every Card Platform API credential. Whoever generates a key in the dashboard (developer settings, API tab) stops the old one at once. If you have chosen another credential in a published workflow, publish it again: until then it uses the one before.',
	},
	{
		// §5.5: a feature that is not enabled.
		status: 403,
		path: /^\/cards/,
		hint: 'Card management is probably not enabled for this account. Ask your provider to enable it; the same key will then work.',
	},
	// §5.4: the scope of the key.
	{ status: 403, path: /^\/accounts/, keyScope: 'account', hint: SCOPE_IS_ACCOUNT },
	{ status: 403, path: /^\/accounts/, hint: NO_ACCOUNTS },
	{
		status: 403,
		hint: 'This feature is probably not enabled for the account, or the key belongs to another account. Ask your provider what this key may do.',
	},
	{ status: 404, path: /^\/cards\/./, hint: notVisible('card') },
	{
		status: 404,
		path: /^\/accounts\/./,
		hint: notVisible('account', 'the account must belong to the customer of the key'),
	},
	{ status: 404, path: /^\/[^/]+\/./, hint: notVisible('record') },
	{ status: 404, hint: `Check ${BASE_URL}: ${MUST_HAVE_PREFIX}` },
	{ status: 429, hint: 'Too many requests. Wait a minute, then try again.' },
	{ status: 500, hint: 'The API could not answer. Try again later.' },
];

const OTHER_STATUS = `Check the fields of this node and ${BASE_URL} ${PROVIDER}`;

/** What the person can do about an error response (§7). */
export function hintFor(
	status: number,
	{ path }: Pick<ApiRequest, 'path'>,
	{ keyScope }: Pick<ApiConfig, 'keyScope'>,
): string {
	const known = status < 400 ? 300 : Math.min(status, 500);
	const fits = (row: Hint) =>
		row.status === known &&
		row.path?.test(path) !== false &&
		(row.keyScope ?? keyScope) === keyScope;
	return HINTS.find(fits)?.hint ?? OTHER_STATUS;
}
