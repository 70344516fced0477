import type { IDataObject, IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { z } from 'zod';

import { REQUEST_TIMEOUT_MS } from '../api/assumptions';
import type { Connection } from '../api/connection';
import { UserError } from '../api/userError';
import { describeErrorAnswer, describeFailedCall, isConnectionFailure } from './errors';
import type { RequestLine } from './hints';
import { proxyFor } from './loopback';
import { type Effect, type Failure, retryDelay } from './retry';
import type { Traffic } from './traffic';

/** The n8n contexts that can call the API: a running node, or a form being filled in. */
export type ApiContext = IExecuteFunctions | ILoadOptionsFunctions;

/** One request to the API. */
export interface ApiRequest extends RequestLine {
	/** As it goes on the wire. */
	query?: Record<string, string>;
	body?: IDataObject;
	headers?: Record<string, string>;
}

/** An answer with a status of success. */
export interface ApiAnswer {
	status: number;
	/** The body as it came; empty for 204. */
	text: string;
}

const fullResponseSchema = z.object({
	statusCode: z.number(),
	headers: z.object({}).passthrough(),
	body: z.unknown(),
});

const signalOf = (context: ApiContext) =>
	'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

const isStopped = (context: ApiContext) => signalOf(context)?.aborted === true;

/** @param isUnclear true: a write was sent, and no response shows what came of it */
const stopped = (isUnclear: boolean) =>
	new UserError(
		'The execution was stopped',
		isUnclear
			? 'The request was sent before the stop, so it may have been carried out. Check before you run it again.'
			: 'Nothing was changed by this item.',
		undefined,
		{ isUnclear },
	);

/** Waits; a stop ends the wait at once. n8n-workflow has no such wait in every version. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal === undefined) {
		await sleep(ms);
		return;
	}
	if (signal.aborted) return;
	let onStop = (): void => undefined;
	const stop = new Promise<void>((resolve) => (onStop = resolve));
	signal.addEventListener('abort', onStop);
	await Promise.race([sleep(ms), stop]);
	signal.removeEventListener('abort', onStop);
}

/** How a request ended; a failure that no retry can mend has no `failure`. */
type Attempt = { answer: ApiAnswer } | { failure?: Failure; problem: UserError };

async function attempt(
	context: ApiContext,
	connection: Connection,
	request: ApiRequest,
	effect: Effect,
): Promise<Attempt> {
	const proxy = await proxyFor(context, connection);
	let response: unknown;
	try {
		response = await context.helpers.httpRequestWithAuthentication.call(
			context,
			'cardPlatformApi',
			{
				method: request.method,
				url: `${connection.baseUrl}${request.path}`,
				headers: { Accept: 'application/json', ...request.headers },
				...(request.query && { qs: request.query }),
				...(request.body && { body: request.body }),
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: REQUEST_TIMEOUT_MS,
				...(proxy && { proxy }),
			},
		);
	} catch (error) {
		if (isStopped(context)) throw stopped(effect !== 'read');
		const problem = describeFailedCall(error, connection, effect);
		return isConnectionFailure(error) ? { failure: {}, problem } : { problem };
	}

	const { statusCode: status, headers, body } = fullResponseSchema.parse(response);
	const text = typeof body === 'string' ? connection.redactBody(body) : '';
	if (status >= 200 && status < 300) return { answer: { status, text } };

	const header = headers['retry-after'];
	return {
		failure: { status, retryAfter: typeof header === 'string' ? header : undefined },
		problem: describeErrorAnswer({ status, text }, request, connection, effect),
	};
}

/**
 * Sends a request with the credential's key (§5.1), again where its effect allows that, and waits
 * in between as the API asks. A request that the API refuses because it is asked too often (429)
 * makes way for the others and queues up again; after any other failure it keeps its place.
 *
 * @param effect what a second arrival of this request would do
 * @param traffic that it is part of
 * @throws UserError where no attempt succeeded: the API's words, our hint, never the key; or where the
 * execution was stopped, which ends every wait at once
 */
export async function send(
	context: ApiContext,
	connection: Connection,
	effect: Effect,
	request: ApiRequest,
	traffic: Traffic,
): Promise<ApiAnswer> {
	let retries = 0;
	let isUnclear = false;
	const wait = async (ms: number) => await pause(ms, signalOf(context));

	const untilRateLimited = async (): Promise<ApiAnswer | undefined> => {
		for (; ; retries++) {
			if (isStopped(context)) throw stopped(isUnclear);
			const result = await attempt(context, connection, request, effect);
			if ('answer' in result) return result.answer;
			const { failure, problem } = result;
			isUnclear ||= problem.isUnclear;

			const isRateLimited = failure?.status === 429;
			const clock = { now: Date.now(), random: Math.random() };
			const delay = failure && retryDelay(effect, failure, retries, clock);
			if (isRateLimited) traffic.slowDown(delay === undefined ? undefined : wait(delay));
			if (delay === undefined) {
				// The last failure may be a clear one, and an earlier request carried out all the same.
				throw new UserError(problem.message, problem.hint, problem.httpCode, { isUnclear });
			}
			if (isRateLimited) return undefined;
			await wait(delay);
		}
	};

	for (; ; retries++) {
		const answer = await traffic.run(untilRateLimited, retries > 0);
		if (answer !== undefined) return answer;
	}
}
