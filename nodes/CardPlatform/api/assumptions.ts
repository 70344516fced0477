/**
 * Constants for what the API leaves undocumented. docs/assumptions.md lists them with what else is open,
 * and says what can be overridden without code.
 */

/**
 * Names of query parameters whose wire name is undocumented (§4.3, §4.8, §4.9, §4.11). The keys are the
 * names that the credential's "Parameter Names" field uses; the values are what we send unless
 * that field says otherwise. An empty value there means: never send this parameter.
 */
export const QUERY_PARAMETER_NAMES = {
	status: 'status',
	sort: 'sort',
	createdAfter: 'createdAfter',
	createdBefore: 'createdBefore',
	cardId: 'cardId',
	accountId: 'accountId',
	page: 'page',
	pageSize: 'pageSize',
} as const;

/** A query parameter that the credential may rename. */
export type QueryParameter = keyof typeof QUERY_PARAMETER_NAMES;

/**
 * Names of the body fields that create and update a card, whose bodies are undocumented (§4): those
 * under which the card itself carries them (§2 Card).
 */
export const CARD_BODY_FIELDS = {
	name: 'name',
	type: 'type',
	categories: 'categories',
	limit: 'limit',
	limitAmount: 'amount',
	limitType: 'type',
} as const;

/** What removes all categories or the limit from a card; the body is undocumented (§4). */
export const CARD_BODY_CLEARED = { categories: [], limit: null };

/** Largest page of every list. Documented for GET /cards only (§8); assumed for the other lists. */
export const MAX_PAGE_SIZE = 100;

/**
 * Longest silence of the API during a request, in milliseconds. Time limits are undocumented (§8); this
 * ends a request that would otherwise hold the workflow forever.
 */
export const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Times a request is sent again after it failed, and the longest wait that the server may ask for
 * in `Retry-After`, in milliseconds. Rate limits are undocumented (§8).
 */
export const MAX_RETRIES = 3;
export const MAX_RETRY_AFTER_MS = 60_000;

/** How far a transfer's `createdAt` and the `Date` of its response may be off, in milliseconds: undocumented. */
export const API_CLOCKS_DIFFER_MS = 5_000;

/**
 * How much later than others a transaction may appear in GET /transactions, in milliseconds.
 * Undocumented (§4.8). The polling trigger reads this much again in each poll; later ones take longer.
 */
export const LATE_TRANSACTION_MS = 3_600_000;

/** How far the clocks of API and n8n may differ, in milliseconds: time zones differ by 26 hours. */
export const MAX_CLOCK_DIFFERENCE_MS = 93_600_000;

/** Requests of one node run that are in flight together. Rate limits are undocumented (§8). */
export const DEFAULT_CONCURRENT_REQUESTS = 32;

/**
 * How far a delivery's `X-Webhook-Timestamp` may lie behind or ahead of our clock, in seconds. The
 * tolerated drift is undocumented (§6 Delivery headers), and so is whether a retry gets a new timestamp: we
 * assume that it does. If it keeps the first one, the tolerance must be as long as the
 * longest outage.
 */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

/**
 * How the keys of a sandbox start, and no key of a provider: with such a key, plain http is allowed
 * to any host. The format of real keys is undocumented (§5).
 */
export const SANDBOX_KEY_PREFIX = 'sandbox_';

/** Characters of an Idempotency-Key (§8 undocumented). */
export const MAX_KEY_LENGTH = 255;
