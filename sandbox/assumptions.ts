import type { Issue } from './domain/financialEvent.ts';

/**
 * Everything that public-api.md leaves open ("not shown") and that the sandbox had to decide.
 * Each constant names the section it stands in for; nothing else in the sandbox may guess.
 */

/** §7, first row: the `code` of a 400. */
export const BAD_REQUEST_CODE = 'bad-request';

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

/** §4.3: direction when none is asked for: newest first. */
export const DEFAULT_SORT = 'desc';

/**
 * §4.3, §4.8: whether the bounds of the date filters belong to the range. `createdAfter` does,
 * `createdBefore` does not, so that adjacent ranges neither overlap nor leave a gap.
 */
export const DATE_RANGE_SQL = { after: '>=', before: '<' };

/** §8 "Count budget": items counted before `totalItemCountCapped` turns true. */
export const COUNT_BUDGET = 10_000;

/** §2 Card `limit.type`: the values. A monthly limit starts anew with each month in UTC. */
export const LIMIT_TYPES: [string, ...string[]] = ['monthly', 'lifetime'];

/** §2 Payment `status`: the values. */
export const PAYMENT_STATUSES: [string, ...string[]] = ['paid', 'scheduled', 'failed'];

/** §2 Payment `type`: the values. */
export const PAYMENT_TYPES: [string, ...string[]] = ['automatic', 'manual'];

/** §2 monetary amounts: most digits before the decimal point; it keeps sums exact. */
export const MAX_WHOLE_DIGITS = 12;

/**
 * §2 CardFinancialEvent `issues`: what the platform writes when it declines by itself. Amounts
 * are compared with limits as they stand: the API shows no conversion between currencies.
 */
export const PLATFORM_ISSUES = {
	frozen: { origin: 'platform', reason: 'card_frozen', severity: 'error' },
	archived: { origin: 'platform', reason: 'card_archived', severity: 'error' },
	overLimit: { origin: 'platform', reason: 'card_limit_exceeded', severity: 'error' },
	spent: { origin: 'platform', reason: 'single_use_card_spent', severity: 'error' },
} satisfies Record<string, Issue>;

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

/** §6: characters of a receiver's answer that the delivery log keeps. */
export const LOGGED_RESPONSE_LENGTH = 500;

/*
 * Assumptions that are behaviour rather than a value, and where they are made:
 * - §5.5 a customer-scoped key reaches the cards of those of its accounts that have card
 *   management, and gets 403 when none has: api/caller.ts
 * - §4.6, §4.8 an id that is no uuid is not found where 400 is not among the errors: api/cards.ts,
 *   api/transactions.ts
 * - §4.9 a payment is in the range when its due date is, both ends included; an account that the
 *   key cannot name is a 400, as 403 and 404 are not among the errors: api/payments.ts
 * - §6 "Which card operations cause an event": authorizations do, freeze, unfreeze and archive do
 *   not: simulate/
 * - §6 events of an account without webhooks are written but not delivered: store/outbox.ts
 * - §6 deliveries that are pending when the service stops are due at once when it starts again,
 *   those of a removed endpoint fail: store/outbox.ts, store/endpoints.ts
 */
