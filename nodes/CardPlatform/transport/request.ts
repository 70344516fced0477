import type { IDataObject, IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { z } from 'zod';

import { REQUEST_TIMEOUT_MS } from '../api/assumptions';
import type { Connection } from '../api/connection';
import { Problem } from '../api/problem';
import { describeErrorAnswer, describeFailedCall, isConnectionFailure } from './errors';
import type { RequestLine } from './hints';
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

type Attempt = { answer: ApiAnswer } | { failure: Failure; problem: Problem };

async function attempt(
	context: ApiContext,
	connection: Connection,
	request: ApiRequest,
	effect: Effect,
): Promise<Attempt> {
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
			},
		);
	} catch (error) {
		const problem = describeFailedCall(error, connection, effect);
		if (!isConnectionFailure(error)) throw problem;
		return { failure: {}, problem };
	}

	const { statusCode: status, headers, body } = fullResponseSchema.parse(response);
	const text = typeof body === 'string' ? body : '';
	if (status >= 200 && status < 300) return { answer: { status, text } };

	const header = headers['retry-after'];
	return {
		failure: { status, retryAfter: typeof header === 'string' ? header : undefined },
		problem: describeErrorAnswer({ status, text }, request, connection, effect),
	};
}

const wasCancelled = (context: ApiContext) =>
	'getExecutionCancelSignal' in context && context.getExecutionCancelSignal()?.aborted === true;

/**
 * Sends a request with the credential's key (§5.1), again where its effect allows that, and waits
 * in between as the API asks. A request that the API refuses because it is asked too often (429)
 * makes way for the others and queues up again; after any other failure it keeps its place.
 *
 * @param effect what a second arrival of this request would do
 * @param traffic that it is part of
 * @throws Problem where no try succeeded: the API's words, our hint, never the key
 */
export async function send(
	context: ApiContext,
	connection: Connection,
	effect: Effect,
	request: ApiRequest,
	traffic: Traffic,
): Promise<ApiAnswer> {
	let retries = 0;

	const untilRateLimited = async (): Promise<ApiAnswer | undefined> => {
		for (; ; retries++) {
			if (wasCancelled(context)) {
				throw new Problem('The execution was stopped', 'What had not been sent was not sent.');
			}
			const result = await attempt(context, connection, request, effect);
			if ('answer' in result) return result.answer;

			const isRateLimited = result.failure.status === 429;
			const clock = { now: Date.now(), random: Math.random() };
			const delay = retryDelay(effect, result.failure, retries, clock);
			if (isRateLimited) traffic.slowDown(delay === undefined ? undefined : sleep(delay));
			if (delay === undefined) throw result.problem;
			if (isRateLimited) return undefined;
			await sleep(delay);
		}
	};

	for (; ; retries++) {
		const answer = await traffic.run(untilRateLimited, retries > 0);
		if (answer !== undefined) return answer;
	}
}
