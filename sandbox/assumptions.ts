/**
 * Everything undocumented (docs/api.md) that the sandbox had to decide.
 * Each constant names the section it stands in for; own.md lists what is behaviour rather than a value.
 */

/** §7, first row: the `code` of a 400. */
export const BAD_REQUEST_CODE = 'bad-request';

/** §2: the most characters of a name, and of any other short string. */
export const MAX_NAME_LENGTH = 255;

/** §6: the most characters of the URL of an endpoint. */
export const MAX_URL_LENGTH = 2048;

/** §4 GET /health: the response. */
export const HEALTH_RESPONSE = { status: 'ok' };

/**
 * §4.3, §4.8, §4.9: query parameter names. Key: what the sandbox calls the filter; value: the
 * name on the wire.
 */
export const QUERY_PARAMETER = {
	accountId: 'accountId',
	cardId: 'cardId',
	createdAfter: 'createdAfter',
	createdBefore: 'createdBefore',
	name: 'name',
	page: 'page',
	pageSize: 'pageSize',
	sort: 'sort',
	status: 'status',
};

/** §4.3: the default direction: newest first. */
export const DEFAULT_SORT = 'desc';

/**
 * §4.3, §4.8: whether the bounds of the date filters belong to the range. `createdAfter` does,
 * `createdBefore` does not, so that adjacent ranges neither overlap nor leave a gap.
 */
export const DATE_RANGE_SQL = { after: '>=', before: '<' };

/** §8 "Count budget": items counted before `totalItemCountCapped` turns true. */
export const COUNT_BUDGET = 10_000;

/** §3 "Initial status at creation". */
export const INITIAL_CARD_STATUS = 'active';

/** §2 Card `category`: the text of the 400 for changing the categories of such a card. */
export const CARD_WEB_UI_MESSAGE =
	'categories: the card has the deprecated category, which must be updated through the web UI';

/**
 * §4.7: how the numbers of a card are looked up. The address is made up: the sandbox has no card
 * numbers to show.
 */
export const SENSITIVE_DETAILS = {
	method: 'secure-vault',
	url: 'https://vault.card-platform.example/v1/card-details',
};

/**
 * §2 Transfer `status`: a transfer is done at once. What it moves is credit limit: §2 Balance knows
 * no other funds, and a new account without any is funded by it (§4.2).
 */
export const TRANSFER_STATUS = 'completed';

/** §2 Card `limit.type`: the values. A monthly limit starts over with each month in UTC. */
export const LIMIT_TYPES: [string, ...string[]] = ['monthly', 'lifetime'];

/** §2 Payment `status`: the values. */
export const PAYMENT_STATUSES: [string, ...string[]] = ['paid', 'scheduled', 'failed'];

/** §2 Payment `type`: the values. */
export const PAYMENT_TYPES: [string, ...string[]] = ['automatic', 'manual'];

/**
 * §2 Payment: what is cleared becomes part of the account's next scheduled payment; if there is
 * none, one is made that is due this many days later. A payment is below zero when refunds outweigh.
 */
export const PAYMENT_TERM_DAYS = 30;

/** §2 monetary amounts: most digits before the decimal point; it keeps sums exact. */
export const MAX_WHOLE_DIGITS = 12;

/**
 * §2 CardFinancialEvent `issues`: what the platform writes when it declines by itself. Amounts
 * are compared with limits as they stand: the API documents no conversion between currencies.
 */
export const PLATFORM_ISSUES = {
	frozen: { origin: 'platform', reason: 'card_frozen', severity: 'error' },
	archived: { origin: 'platform', reason: 'card_archived', severity: 'error' },
	overLimit: { origin: 'platform', reason: 'card_limit_exceeded', severity: 'error' },
	category: { origin: 'platform', reason: 'category_not_allowed', severity: 'error' },
	overCredit: { origin: 'platform', reason: 'insufficient_credit', severity: 'error' },
	spent: { origin: 'platform', reason: 'single_use_card_spent', severity: 'error' },
};

/** §2 `issues`: origin and severity of a simulated decline that names only its reason. */
export const SIMULATED_ISSUE_DEFAULTS = { origin: 'network', severity: 'error' };

/**
 * §2 Card `type`: a small authorization ("up to 5 USD"), in minor units. It neither uses up a
 * single-use card nor is refused by a used one, as it is excluded from the count.
 */
export const SMALL_AUTHORIZATION = { currency: 'USD', amount: 500 };

/** §6 "Retry schedule and failure handling". Times in milliseconds. */
export const DELIVERY_SETTINGS = {
	baseDelay: 1_000,
	maxDelay: 300_000,
	maxAttempts: 10,
	timeout: 10_000,
	concurrencyPerEndpoint: 8,
};

/** §6: characters of a receiver's response that the delivery log keeps. */
export const LOGGED_RESPONSE_LENGTH = 500;
