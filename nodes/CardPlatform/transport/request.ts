import { z } from 'zod';

import { REQUEST_TIMEOUT_MS } from '../api/assumptions';
import type { ApiConfig } from '../api/config';
import { UserError } from '../api/userError';
import { errorResponse, failedCall, isConnectionFailure } from './errors';
import { type Limiter, pause } from './limiter';
import { type Failure, parseRetryAfter, retryDelay, shouldRetry } from './retry';
import type { ApiContext, ApiRequest, ApiResponse } from './types';

/**
 * The headers of every request. Not compressed: n8n 2.8 waits forever for the rest of a compressed
 * response that broke off.
 */
export const HEADERS = { Accept: 'application/json', 'Accept-Encoding': 'identity' };

/** Sends a request and gives its response. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** How an attempt ended; without a `failure`, no retry can help. */
type Outcome = { response: ApiResponse } | { error: UserError; failure?: Failure };

/** The signal that a person's stop of the execution aborts; a form or a poll has none. */
export const stopSignal = (context: ApiContext): AbortSignal | undefined =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

/**
 * Makes the function that sends requests with the credential's key (§5.1), again if their effect allows that. After
 * a 429, a request makes room for others and queues up at the front; after any other failure it keeps its place
 * while it waits. A stop of the execution ends every wait at once. No error holds the key.
 */
export function createSend(context: ApiContext, config: ApiConfig, limiter: Limiter): Send {
	const { signal } = limiter;

	const sendWithRetries: Send = async (request) => {
		let retries = 0;
		let rateLimits = 0;
		let lastError: UserError | undefined;
		for (;;) {
			const outcomeUnknown = lastError?.outcomeUnknown ?? false;
			if (signal?.aborted === true) throw stopped(request, outcomeUnknown, context);
			// The limit may be that of another resource, so one request that was not sent yet is tried.
			if (limiter.refusedTooLong > (lastError === undefined ? 1 : 0)) {
				throw lastError ?? rateLimitExhausted(request, context);
			}

			const sentAt = limiter.now();
			const outcome = await attempt(context, config, request);
			if ('response' in outcome) {
				limiter.onSuccess(sentAt);
				return outcome.response;
			}

			const { error, failure } = outcome;
			// An earlier attempt may have been carried out, even if the last one was not.
			lastError = new UserError(error.message, error.hint, error.httpCode, {
				outcomeUnknown: outcomeUnknown || error.outcomeUnknown,
				isFromApi: error.isFromApi,
			});
			if (failure?.status === 429) {
				limiter.onRateLimited(sentAt, retryDelay(failure, rateLimits++, Math.random()));
			} else {
				const { status = 500 } = failure ?? {};
				if (status === 408 || status >= 500) limiter.onFailure(sentAt);
				else limiter.onSuccess(sentAt);
				if (failure === undefined || !shouldRetry(request.effect, failure, retries))
					throw lastError;
				await pause(retryDelay(failure, retries++, Math.random()), signal);
			}
			await limiter.requeue();
		}
	};

	return async (request) => await limiter.run(async () => await sendWithRetries(request));
}

const fullResponseSchema = z.object({
	statusCode: z.number(),
	headers: z.object({}).passthrough(),
	body: z.unknown(),
});

async function attempt(
	context: ApiContext,
	config: ApiConfig,
	request: ApiRequest,
): Promise<Outcome> {
	let received: unknown;
	try {
		received = await context.helpers.httpRequestWithAuthentication.call(
			context,
			'cardPlatformApi',
			{
				method: request.method,
				url: `${config.baseUrl}${request.path}`,
				headers: { ...HEADERS, ...request.headers },
				...(request.query && { qs: request.query }),
				...(request.body && { body: request.body }),
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				timeout: REQUEST_TIMEOUT_MS,
			},
		);
	} catch (error) {
		if (stopSignal(context)?.aborted === true) {
			return { error: stopped(request, request.effect !== 'read', context) };
		}
		return {
			error: failedCall(error, request, config),
			...(isConnectionFailure(error) && { failure: {} }),
		};
	}

	const { statusCode: status, headers, body: raw } = fullResponseSchema.parse(received);
	const response = { status, body: typeof raw === 'string' ? config.redactBody(raw) : '' };
	if (status >= 200 && status < 300) return { response };
	return {
		error: errorResponse(response, request, config),
		failure: { status, retryAfter: parseRetryAfter(headers['retry-after'], Date.now()) },
	};
}

/** For a stop; with an unknown outcome, a write was sent and no response shows whether it was carried out. */
function stopped(request: ApiRequest, outcomeUnknown: boolean, context: ApiContext): UserError {
	const hint = outcomeUnknown
		? 'The request was sent before the stop, so it may have been carried out. Check before you run it again.'
		: describeUnsent(request, context);
	return new UserError('The execution was stopped', hint, undefined, { outcomeUnknown });
}

/** For a request that was not sent, as the limiter had given up. */
const rateLimitExhausted = (request: ApiRequest, context: ApiContext) =>
	new UserError(
		'The request was not sent, because the API responds to every request with 429 (too many requests)',
		`${describeUnsent(request, context)} A quota of the API may be used up. Run the items that failed again later, or ask your provider for a higher limit.`,
		'429',
	);

/** Says that nothing was changed, unless n8n may have repeated the node after an earlier attempt. */
function describeUnsent({ effect }: ApiRequest, context: ApiContext): string {
	const mayBeRepeated = context.getNode().retryOnFail === true || context.getMode?.() === 'retry';
	return effect !== 'read' && mayBeRepeated
		? 'Nothing was changed by this attempt, but an earlier one (Retry On Fail, Executions → Retry) may have been carried out. Check before you run this again.'
		: 'Nothing was changed by this item.';
}
