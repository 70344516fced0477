import type { FunctionsBase, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readApiConfig } from '../api/config';
import { isDataObject } from '../api/json';
import { logLine, logVersion } from '../api/log';
import { toNodeError } from '../api/toNodeError';
import { UserError } from '../api/userError';
import { createSource } from '../events/cardEvents';
import { nameCards } from '../events/cards';
import { nodeKey } from '../events/deduplicate';
import { refuseAllAndOthers } from '../events/eventTypes';
import { toPolledItems } from '../events/item';
import { isStarting, parseTriggerFilters, toActivationError } from '../events/triggerParameters';
import { Api, createLimiter } from '../transport/client';
import { untilStop } from '../transport/limiter';
import { poll } from './poll';
import { parsePollingOptions } from './properties';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Key of the state in n8n's static data of the node. */
const STATE = 'polling';

/** The first poll of an activation holds up publishing, or the start of n8n. */
const ACTIVATION_BUDGET_MS = MINUTE / 2;

const POLL_BUDGET_MS = 4 * MINUTE;

/** After its time, a poll waits this much longer for responses: then their cards count as failed. */
const GRACE_MS = MINUTE / 4;

/** With one execution per event, n8n starts fewer at the same time. */
const MAX_EVENTS = { perPoll: 3_000, perEvent: 200 };

const HINT_POLL = 'No event is lost: the trigger polls again at the next of its Poll Times.';
const HINT_ACTIVATION = 'Publish the workflow again in a few minutes.';
const HINT_RATE_LIMIT =
	' If it happens often, poll less often, raise "Recheck Older Cards Every", or lower Max Concurrent Requests in the credential (under Advanced).';

/** Triggers whose poll is running: n8n does not wait for it before the next one. */
const running = new Set<string>();

/** Triggers that have polled since this process started, or became the leader. */
const hasPolled = new Set<string>();

/** What polls had to say since this process started, by trigger. */
const hints = new Map<string, Set<string>>();

/** What the polls of a trigger had to say: an ignored filter. */
export function hintsOf(context: Pick<FunctionsBase, 'getWorkflow' | 'getNode'>): Set<string> {
	const said = hints.get(nodeKey(context)) ?? new Set();
	hints.set(nodeKey(context), said);
	return said;
}

/** Contexts that have polled: n8n makes a new one for each activation. */
const activated = new WeakSet<IPollFunctions>();

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
		return null;
	}
	running.add(key);
	// Before that, another process may have polled.
	if (occasion === 'start') hasPolled.delete(key);
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
	const options = parsePollingOptions(context.getNodeParameter('options', {}));
	const { executionPerEvent, everyApproval } = options;
	const types = context.getNodeParameter('events');
	const filters = context.getNodeParameter('filters', {});
	const choice = parseTriggerFilters(filters, types, everyApproval);
	if (occasion === 'publishing') refuseAllAndOthers(types);

	const budget = occasion === 'schedule' ? POLL_BUDGET_MS : ACTIVATION_BUDGET_MS;
	const signal = AbortSignal.timeout(budget + GRACE_MS);
	const limiter = createLimiter(context, config, 'watched', signal);
	const said = hintsOf(context);
	const report = (hint: string) => {
		if (!said.has(hint)) warn(context, `gives a hint: ${hint} Given`, 'once per start of n8n');
		said.add(hint);
	};
	const api = new Api(context, config, 'read', limiter, report);
	const source = createSource(api);
	/** n8n's timeout is one of silence, which ends no response that drips. */
	const inTime =
		<A extends unknown[], R>(read: (...args: A) => Promise<R>) =>
		async (...args: A): Promise<R> => {
			const result = await untilStop(async () => await read(...args), signal);
			if (result !== undefined) return result;
			throw new UserError('The API did not send its whole response in time', 'Try again later.');
		};
	const [transactions, events] = [inTime(source.transactions), inTime(source.events)];
	const bounded = { ...source, transactions, events, cards: inTime(source.cards) };
	const staticData = context.getWorkflowStaticData('node');
	const stored = staticData[STATE];
	// Publishing may change what starts the workflow, so what was emitted before must not be emitted again.
	const isCleared = occasion === 'publishing' && isDataObject(stored);
	const result = await poll(isCleared ? { ...stored, emitted: [] } : stored, bounded, {
		nodeId: context.getNode().id,
		baseUrl: config.baseUrl,
		lookBack: options.lookBack * DAY,
		recheckInterval: options.recheckInterval * MINUTE,
		choice,
		replaysNewest: options.deduplicate && !hasPolled.has(nodeKey(context)),
		now: Date.now,
		deadline: Date.now() + budget,
		maxEvents: executionPerEvent ? MAX_EVENTS.perEvent : MAX_EVENTS.perPoll,
	});
	const { state, failed, endedEarly, isFirstRound } = result;

	const asksForCards = options.includeCard && result.events.length > 0;
	const items = toPolledItems(
		result.events,
		asksForCards ? await nameCards(api, report) : undefined,
	);
	const last = executionPerEvent ? items.splice(-1) : items.splice(0);
	for (const item of items) context.__emit([[item]]);
	// In one step, so that a poll that fails changes nothing. n8n stores the state with the execution
	// that comes next, so that one must be the last.
	staticData[STATE] = state;
	hasPolled.add(nodeKey(context));
	if (endedEarly !== undefined)
		warn(context, 'ended a poll early, and the next one continues', endedEarly);
	if (failed.length > 0) {
		const error = new UserError(
			`The events of these cards cannot be read: ${failed.join(', ')}`,
			'No event is lost: each poll tries again, and the events of other cards still start the workflow. If it continues, report it to your provider.',
		);
		context.__emitError(toNodeError(context.getNode(), error));
	}
	// After an activation, n8n stores the state anyway. Else an execution without items does: what is old
	// must not be forgotten.
	const mustStore = isFirstRound && occasion === 'schedule';
	return last.length > 0 || mustStore ? [last] : null;
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
	const isRateLimit = httpCode === '429';
	if (!isRateLimit && !hint.includes('Try again later')) return error;
	const advice = occasion === 'schedule' ? HINT_POLL : HINT_ACTIVATION;
	return new UserError(message, `${advice}${isRateLimit ? HINT_RATE_LIMIT : ''}`, httpCode);
}

function warn(context: IPollFunctions, what: string, reason: string): void {
	context.logger.warn(`Card Platform Polling Trigger ${what}: ${logLine(context, reason, [])}`);
}
