import type {
	IDataObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { z } from 'zod';

import { REQUEST_TIMEOUT_MS } from '../api/assumptions';
import type { ApiConfig } from '../api/config';
import { UserError } from '../api/userError';
import { withTimeout } from '../api/withTimeout';
import { errorResponse, failedCall, isConnectionFailure } from './errors';
import { type Limiter, pause } from './limiter';
import { proxyFor } from './plainHttp';
import { type Effect, type Failure, retryDelay } from './retry';

/** The n8n contexts that can call the API: a running node, a poll, or a form being filled in. */
export type ApiContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * The headers of every request. Not compressed: n8n 2.8 waits forever for the rest of a compressed
 * response that broke off.
 */
export const HEADERS = { Accept: 'application/json', 'Accept-Encoding': 'identity' };

/** One request to the API. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'PATCH';
	/** Path below the Base URL, without a query. */
	path: string;
	/** What a second arrival of this request would do. */
	effect: Effect;
	/** As it goes on the wire. */
	query?: Record<string, string>;
	body?: IDataObject;
	headers?: Record<string, string>;
}

/** A response with a status of success. */
export interface ApiResponse {
	status: number;
	/** As it came; empty for 204. */
	body: string;
}

const fullResponseSchema = z.object({
	statusCode: z.number(),
	headers: z.object({}).passthrough(),
	body: z.unknown(),
});

/** Says that a request was not carried out, if n8n cannot have repeated the node after it was. */
function describeUnsent({ effect }: ApiRequest, context: ApiContext): string {
	const mayBeRepeated = context.getNode().retryOnFail === true || context.getMode?.() === 'retry';
	return effect !== 'read' && mayBeRepeated
		? 'Nothing was changed by this attempt, but an earlier one (Retry On Fail, Executions → Retry) may have been carried out. Check before you run this again.'
		: 'Nothing was changed by this item.';
}

const HINT_STOPPED =
	'The request was sent before the stop, so it may have been carried out. Check before you run it again.';

/** Once the API has responded with nothing but 429 for too long, the rest of the run does not wait for it. */
const notSent = (request: ApiRequest, context: ApiContext) =>
	new UserError(
		'The request was not sent, because the API responds to every request with 429 (too many requests)',
		`${describeUnsent(request, context)} A quota of the API may be used up. Run the items that failed again later, or ask your provider for a higher limit.`,
		'429',
	);

/** How an attempt ended; a failure that no retry can mend has no `failure`. */
type Attempt = { response: ApiResponse } | { error: UserError; failure?: Failure };

/** The signal that a person's stop of the execution aborts; a form or a poll has none. */
export const stopSignal = (context: ApiContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/** Sends a request and gives its response. */
type Send = (request: ApiRequest) => Promise<ApiResponse>;

/**
 * Makes the function that sends requests with the credential's key (§5.1), again where their effect
 * allows that, and waits in between as the API demands. A request that gets a 429 makes room for the
 * others and queues up again at the front, until the limiter gives it up; after any other failure it keeps
 * its place while it waits.
 *
 * The function throws a UserError where no attempt succeeded (the API's words, our hint, never the
 * key), or where the execution was stopped, which ends every wait at once.
 */
export function createSend(context: ApiContext, config: ApiConfig, limiter: Limiter): Send {
	const signal = stopSignal(context);
	const isStopped = () => signal?.aborted === true;
	const wait = async (ms: number) => await pause(ms, signal);
	/** @param isUnclear true: a write was sent, and no response shows what came of it */
	const stopped = (request: ApiRequest, isUnclear: boolean) =>
		new UserError(
			'The execution was stopped',
			isUnclear ? HINT_STOPPED : describeUnsent(request, context),
			undefined,
			{ isUnclear },
		);

	const attempt = async (request: ApiRequest): Promise<Attempt> => {
		const proxy = await proxyFor(context, config);
		let received: unknown;
		try {
			// n8n's own limit is for silence, and n8n replaces the signal by that of a stop, if there is one.
			received = await withTimeout(
				REQUEST_TIMEOUT_MS,
				async (abortSignal): Promise<unknown> =>
					await context.helpers.httpRequestWithAuthentication.call(context, 'cardPlatformApi', {
						method: request.method,
						url: `${config.baseUrl}${request.path}`,
						headers: { ...HEADERS, ...request.headers },
						...(request.query && { qs: request.query }),
						...(request.body && { body: request.body }),
						encoding: 'text',
						returnFullResponse: true,
						ignoreHttpStatusErrors: true,
						disableFollowRedirect: true,
						timeout: REQUEST_TIMEOUT_MS,
						abortSignal,
						...(proxy && { proxy }),
					}),
			);
		} catch (error) {
			if (isStopped()) return { error: stopped(request, request.effect !== 'read') };
			return {
				error: failedCall(error, request, config),
				...(isConnectionFailure(error) && { failure: {} }),
			};
		}

		const { statusCode: status, headers, body: raw } = fullResponseSchema.parse(received);
		const body = typeof raw === 'string' ? config.redactBody(raw) : '';
		if (status >= 200 && status < 300) return { response: { status, body } };

		const header = headers['retry-after'];
		return {
			error: errorResponse({ status, body }, request, config),
			failure: { status, retryAfter: typeof header === 'string' ? header : undefined },
		};
	};

	const sendInTurn: Send = async (request) => {
		let isUnclear = false;
		let last: UserError | undefined;
		const failures = { rateLimited: 0, other: 0 };
		for (;;) {
			if (isStopped()) throw stopped(request, isUnclear);
			if (limiter.givesUp(last !== undefined)) throw last ?? notSent(request, context);
			const sentAt = limiter.now();
			const result = await attempt(request);
			if ('response' in result) {
				limiter.onSuccess(sentAt);
				return result.response;
			}

			const { error, failure } = result;
			// The last failure may be a clear one, and an earlier attempt carried out all the same.
			isUnclear ||= error.isUnclear;
			last = new UserError(error.message, error.hint, error.httpCode, { isUnclear });
			const isRateLimited = failure?.status === 429;
			const before = isRateLimited ? failures.rateLimited++ : failures.other++;
			const clock = { now: Date.now(), random: Math.random() };
			const delay = failure && retryDelay(request.effect, failure, before, clock);
			if (isRateLimited) limiter.onRateLimited(sentAt, delay ?? 0);
			else if (failure?.status === undefined || failure.status >= 500 || failure.status === 408)
				limiter.onFailure(sentAt);
			else limiter.onSuccess(sentAt);
			if (delay === undefined) throw last;
			if (!isRateLimited) await wait(delay);
			await limiter.requeue();
		}
	};

	return async (request) => await limiter.run(async () => await sendInTurn(request));
}
