import { sleep } from 'n8n-workflow';
import { z } from 'zod';

import { REQUEST_TIMEOUT_MS } from '../api/assumptions';
import type { ApiConfig } from '../api/config';
import { UserError } from '../api/userError';
import { effectiveStatus, errorResponse, failedCall, isConnectionFailure } from './errors';
import { outcomeHint } from './hints';
import { type Limiter, pause } from './limiter';
import { type Failure, parseRetryAfter, retryDelay, shouldRetry } from './retry';
import type { ApiContext, ApiRequest, ApiResponse } from './types';

/**
 * The headers of every request. Not compressed: n8n 2.8 waits forever for the rest of a compressed
 * response that broke off. Not from a cache in between: a poll would find nothing new.
 */
export const HEADERS = {
	Accept: 'application/json',
	'Accept-Encoding': 'identity',
	'Cache-Control': 'no-cache',
};

/** For how long nothing but 429s may come: shorter if a person or a model waits, or another poll follows. */
export const PATIENCE_MS = { execution: 240_000, watched: 20_000 };

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

	const refuseToSend = (request: ApiRequest, last: UserError | undefined) => {
		if (signal?.aborted === true) throw stopped(request, last?.outcomeUnknown ?? false, context);
		// Another resource may have another limit, so one new request is tried.
		if (limiter.rateLimitsPastPatience > (last === undefined ? 1 : 0))
			throw rateLimitExhausted(request, context, limiter, last);
	};

	const sendWithRetries: Send = async (request) => {
		let [retries, rateLimits] = [0, 0];
		let last: UserError | undefined;
		for (;;) {
			refuseToSend(request, last);
			const sentAt = limiter.now();
			const outcome = await inTime(attempt(context, config, request), request.timeout);
			if ('response' in outcome) {
				limiter.onSuccess(sentAt);
				return outcome.response;
			}
			const { failure } = outcome;
			last = afterAttempts(outcome.error, last, request);
			if (failure?.status === 429) {
				limiter.onRateLimited(sentAt, retryDelay(failure, rateLimits++, Math.random()));
				if (request.timeout) throw last;
			} else {
				if (isTrouble(failure)) limiter.onFailure(sentAt);
				else limiter.onSuccess(sentAt);
				if (!failure || request.timeout || !shouldRetry(request.effect, failure, retries))
					throw last;
				await pause(retryDelay(failure, retries++, Math.random()), signal);
			}
			await limiter.requeue();
		}
	};

	return async (request) => await limiter.run(async () => await sendWithRetries(request));
}

const LATE: Outcome = { error: new UserError('There was no response in time', ''), failure: {} };

/** Waits for an attempt. Its time limit includes connecting, and a response that comes byte by byte. */
const inTime = async (sending: Promise<Outcome>, timeout?: number): Promise<Outcome> =>
	await (timeout ? Promise.race([sending, sleep(timeout).then(() => LATE)]) : sending);

/** No response, or one that says that the API is in trouble. */
const isTrouble = ({ status = 500 }: Failure = {}): boolean => status === 408 || status >= 500;

/** The error of the last attempt: an earlier one may have been carried out, even if the last one was not. */
function afterAttempts(error: UserError, last: UserError | undefined, { effect }: ApiRequest) {
	const { message, hint, httpCode, isFromApi } = error;
	const outcomeUnknown = error.outcomeUnknown || last?.outcomeUnknown === true;
	const more = { outcomeUnknown, isFromApi };
	return new UserError(
		message,
		outcomeUnknown ? `${outcomeHint(effect)} ${hint}` : hint,
		httpCode,
		more,
	);
}

const fullResponseSchema = z.object({
	statusCode: z.number(),
	headers: z.object({}).passthrough().catch({}),
	body: z.unknown(),
});

async function attempt(
	context: ApiContext,
	config: ApiConfig,
	request: ApiRequest,
): Promise<Outcome> {
	const type = 'cardPlatformApi';
	let received: unknown;
	try {
		received = await context.helpers.httpRequestWithAuthentication.call(
			context,
			type,
			{
				method: request.method,
				url: `${config.baseUrl}${request.path}`,
				headers: { ...HEADERS, ...request.headers },
				...(request.query && { qs: request.query }),
				...(request.body && { body: request.body }),
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				timeout: request.timeout ?? REQUEST_TIMEOUT_MS,
			},
			// Without it, n8n reads and decrypts the credential for each request.
			{ credentialsDecrypted: { id: '', name: '', type, data: config.credential } },
		);
	} catch (error) {
		if (stopSignal(context)?.aborted === true) {
			throw stopped(request, request.effect !== 'read', context);
		}
		return {
			error: failedCall(error, request, config),
			...(isConnectionFailure(error) && { failure: {} }),
		};
	}

	const { statusCode: status, headers, body: raw } = fullResponseSchema.parse(received);
	const response = { status, body: typeof raw === 'string' ? config.redactBody(raw) : '' };
	if (status >= 200 && status < 300) return { response: { ...response, headers } };
	const error = errorResponse(response, request, config);
	const retryAfter = parseRetryAfter(headers['retry-after'], Date.now());
	const { isFromApi } = error;
	return { error, failure: { status: effectiveStatus(status, isFromApi), retryAfter, isFromApi } };
}

/** The error of a stop. With an unknown outcome, a write was sent and has no response. */
function stopped(request: ApiRequest, outcomeUnknown: boolean, context: ApiContext): UserError {
	const hint = outcomeUnknown ? outcomeHint(request.effect) : describeUnsent(request, context);
	return new UserError('The execution was stopped', hint, undefined, { outcomeUnknown });
}

/** The error of a request that was rate limited, or not sent, after the limiter gave up. */
function rateLimitExhausted(
	request: ApiRequest,
	context: ApiContext,
	{ patience }: Limiter,
	{ outcomeUnknown, message }: Partial<UserError> = {},
): UserError {
	const hints = [
		outcomeUnknown ? outcomeHint(request.effect) : describeUnsent(request, context),
		message && `The API said: ${message}.`,
		'A quota may be used up: try again later, send fewer items at once (Loop Over Items with a Wait), or ask your provider for a higher limit.',
	];
	const title = `The API is busy: it refused every request for ${patience / 1000} s`;
	return new UserError(title, hints.filter(Boolean).join(' '), '429', { outcomeUnknown });
}

/** Says that nothing was changed, unless n8n may have repeated the node after an earlier attempt. */
function describeUnsent({ effect }: ApiRequest, context: ApiContext): string {
	const mayBeRepeated = context.getNode().retryOnFail === true || context.getMode?.() === 'retry';
	return effect !== 'read' && mayBeRepeated
		? 'This attempt changed nothing, but an earlier one may have (Retry On Fail, Executions → Retry). Check before you run this again.'
		: 'This item changed nothing.';
}
