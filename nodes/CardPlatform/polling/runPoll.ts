import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { type ApiConfig, readApiConfig } from '../api/config';
import { MINUTE } from '../api/dates';
import { logTrigger, logVersion } from '../api/log';
import { isStarting, toActivationError, toNodeError } from '../api/toNodeError';
import { UserError } from '../api/userError';
import { isDataObject } from '../api/values';
import { refuseAllAndOthers } from '../events/eventTypes';
import { nodeKey } from '../events/keys';
import { Api, createLimiter } from '../transport/client';
import { untilStop } from '../transport/limiter';
import { MAX_EVENTS } from './cardEvents';
import { rememberHint } from './execute';
import { parsePollingOptions, readWatched } from './fields';
import type { Found, PollApi, PollingOptions } from './types';

/** Key of the state in n8n's static data of the node. */
const STATE = 'polling';

/** The first poll of an activation holds up publishing, or the start of n8n. */
export const ACTIVATION_BUDGET_MS = MINUTE / 2;

export const POLL_BUDGET_MS = 4 * MINUTE;

/** After its time, a poll waits this much longer for responses: then their cards count as failed. */
const GRACE_MS = MINUTE / 4;

const HINT_POLL =
	'The trigger polls again at the next of its Poll Times, and no card event is lost.';
const HINT_ACTIVATION = 'Publish the workflow again in a few minutes.';
const HINT_RATE_LIMIT =
	' If it happens often, poll less often, raise "Recheck Interval" (of Card Events), or lower Max Concurrent Requests in the credential (under Advanced).';

/** Triggers whose poll is running: n8n does not wait for it before the next one. */
const running = new Set<string>();

/** Contexts that have begun a poll: n8n makes a new one for each activation. */
const activated = new WeakSet<IPollFunctions>();

/** Contexts that need not emit again what the newest poll before them emitted. */
const hasReplayed = new WeakSet<IPollFunctions>();

/** Why n8n polls: the first poll of an activation is part of publishing, or of the start of n8n. */
type Occasion = 'start' | 'publishing' | 'schedule';

/**
 * Polls the API for new events: n8n's poll().
 *
 * @returns one item for each, oldest first; null if no event is new
 * @throws NodeApiError or NodeOperationError; then the stored state is unchanged
 */
export async function runPoll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	logVersion(this.logger);
	const key = nodeKey(this);
	const first = isStarting(this.getActivationMode()) ? 'start' : 'publishing';
	const occasion = activated.has(this) ? 'schedule' : first;
	activated.add(this);
	if (running.has(key)) {
		warn(this, 'skipped a poll', 'the one before is still running');
		// What runs may be a poll of another activation: what was emitted before publishing must not be emitted again.
		if (occasion === 'publishing') hasReplayed.add(this);
		return null;
	}
	running.add(key);
	try {
		return await pollAndEmit(this, occasion);
	} catch (error) {
		return handleFailure(this, error, occasion);
	} finally {
		running.delete(key);
	}
}

async function pollAndEmit(
	context: IPollFunctions,
	occasion: Occasion,
): Promise<INodeExecutionData[][] | null> {
	const config = readApiConfig(await context.getCredentials('cardPlatformApi'));
	const get = (name: string) => context.getNodeParameter(name, null);
	const options = parsePollingOptions(get('options') ?? {});
	const watched = readWatched(get, options, context.getTimezone());
	if (occasion === 'publishing') refuseAllAndOthers(get('events') ?? []);

	const budget = occasion === 'schedule' ? POLL_BUDGET_MS : ACTIVATION_BUDGET_MS;
	const { stored, replaysNewest } = readStored(context, occasion, options);
	const found = await watched.find(createApi(context, config, budget), stored, {
		nodeId: context.getNode().id,
		baseUrl: config.baseUrl,
		replaysNewest,
		now: Date.now,
		deadline: Date.now() + budget,
		maxItems: options.executionPerEvent ? MAX_EVENTS.perEvent : MAX_EVENTS.perPoll,
	});
	const last = storeAndEmit(context, found, options);
	// After an activation, n8n stores the state anyway. Otherwise an execution without items stores it: old records must
	// not be forgotten.
	return last.length > 0 || (found.mustStore && occasion === 'schedule') ? [last] : null;
}

/** What the last poll stored, and whether to emit again what it emitted: n8n may not have started its execution. */
function readStored(
	context: IPollFunctions,
	occasion: Occasion,
	{ deduplicate }: PollingOptions,
): { stored: unknown; replaysNewest: boolean } {
	const stored = context.getWorkflowStaticData('node')[STATE];
	const isFirst = !hasReplayed.has(context);
	if (occasion !== 'publishing' || !isDataObject(stored))
		return { stored, replaysNewest: deduplicate && isFirst };
	// Publishing may change what starts the workflow, so what was emitted before must not be emitted again.
	return { stored: { ...stored, emitted: [] }, replaysNewest: deduplicate };
}

/** Stores the state and emits the items, except those of the last execution: n8n stores the state with that one. */
function storeAndEmit(
	context: IPollFunctions,
	{ state, items, failures, endedEarly }: Found,
	{ executionPerEvent }: PollingOptions,
): INodeExecutionData[] {
	const last = executionPerEvent ? items.splice(-1) : items.splice(0);
	for (const item of items) context.__emit([[item]]);
	// In one step: a poll that fails must change nothing.
	context.getWorkflowStaticData('node')[STATE] = state;
	hasReplayed.add(context);
	if (endedEarly !== undefined)
		warn(context, 'ended a poll early, and the next one continues', endedEarly);
	for (const failure of failures) context.__emitError(toNodeError(context.getNode(), failure));
	return last;
}

/** The API of one poll: what it reports goes into the log, and into the executions that follow. */
function createApi(context: IPollFunctions, config: ApiConfig, budget: number): PollApi {
	const signal = AbortSignal.timeout(budget + GRACE_MS);
	const report = (hint: string) => {
		if (rememberHint(context, hint))
			warn(context, 'has a hint, logged once per start of n8n', hint);
	};
	const api = new Api(
		context,
		config,
		'read',
		createLimiter(context, config, 'watched', signal),
		report,
	);
	// n8n's timeout ends a silence, but no response that comes byte by byte.
	const inTime = async <T>(read: () => Promise<T>): Promise<T> => {
		const result = await untilStop(async () => ({ data: await read() }), signal);
		if (result !== undefined) return result.data;
		throw new UserError('The API did not send its whole response in time', 'Try again later.');
	};
	return {
		config,
		report,
		get: async (...args) => await inTime(async () => await api.get(...args)),
		list: async (...args) => await inTime(async () => await api.list(...args)),
		listUnpaginated: async (...args) =>
			await inTime(async () => await api.listUnpaginated(...args)),
		mapConcurrent: async (items, task) => await api.mapConcurrent(items, task),
	};
}

function handleFailure(context: IPollFunctions, error: unknown, occasion: Occasion): null {
	const hinted = withPollHint(error, occasion);
	const hasState = context.getWorkflowStaticData('node')[STATE] !== undefined;
	// It must not keep the trigger from polling again: n8n waits up to a day.
	if (occasion === 'start' && hasState) {
		const { message } = toNodeError(context.getNode(), hinted);
		warn(context, 'could not poll when n8n started, and polls again', message);
		return null;
	}
	throw occasion === 'schedule'
		? toNodeError(context.getNode(), hinted)
		: toActivationError(context.getNode(), hinted);
}

/** Replaces the advice to try again: a trigger polls again anyway. */
function withPollHint(error: unknown, occasion: Occasion): unknown {
	if (!(error instanceof UserError)) return error;
	const { message, hint, httpCode } = error;
	const advice = occasion === 'schedule' ? HINT_POLL : HINT_ACTIVATION;
	const isBusy = httpCode === '429';
	const own = isBusy ? advice + HINT_RATE_LIMIT : hint.replace('Try again later.', advice);
	return new UserError(message, own, httpCode);
}

const warn = (context: IPollFunctions, what: string, reason: string): void =>
	logTrigger(context, 'warn', what, reason);
