import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readApiConfig } from '../api/config';
import { UserError } from '../api/userError';
import { createSource } from '../events/cardEvents';
import { nodeKey } from '../events/deduplicate';
import { refuseAllAndOthers } from '../events/eventTypes';
import { toPolledItems } from '../events/item';
import { logLine, logVersion } from '../events/log';
import { isStarting, parseTriggerFilters } from '../events/triggerParameters';
import { toNodeError } from '../toNodeError';
import { Api, createLimiter } from '../transport/client';
import { poll, type PollResult, type PollSettings } from './poll';
import { parsePollingOptions } from './properties';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Key of the state in n8n's static data of the node. */
const STATE = 'polling';

/** The first poll of an activation holds up publishing, or the start of n8n. */
const ACTIVATION_BUDGET_MS = MINUTE / 2;

const POLL_BUDGET_MS = 4 * MINUTE;

/** With one execution per event, n8n starts fewer at the same time. */
const MAX_EVENTS = { perPoll: 3_000, perEvent: 200 };

const HINT_POLL = 'No event is lost: the trigger polls again at the next of its Poll Times.';
const HINT_ACTIVATION = 'Publish the workflow again in a few minutes.';
const HINT_RATE_LIMIT =
	'If it happens often, poll less often, raise "Recheck Older Cards Every", or lower Max Concurrent Requests in the credential (under Advanced).';

/** Triggers whose poll is running: n8n does not wait for it before the next one. */
const running = new Set<string>();

/** Triggers that have polled since this process started, or became the leader. */
const hasPolled = new Set<string>();

/** Contexts that have polled: n8n makes a new one for each activation. */
const activated = new WeakSet<IPollFunctions>();

/**
 * Polls the API for new events: n8n's poll().
 *
 * @returns one item for each, oldest first; null if no event is new
 * @throws NodeApiError or NodeOperationError; then the stored state is unchanged
 */
export async function runPoll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	logVersion(this.logger);
	const key = nodeKey(this);
	const isActivation = !activated.has(this);
	activated.add(this);
	if (running.has(key)) {
		warn(this, 'skipped a poll', 'the one before is still running');
		return null;
	}
	running.add(key);
	// Before that, another process may have polled.
	if (isActivation && isStarting(this.getActivationMode())) hasPolled.delete(key);
	try {
		return await pollAndEmit(this, isActivation);
	} catch (error) {
		return handleFailure(this, error, isActivation);
	} finally {
		running.delete(key);
	}
}

async function pollAndEmit(
	context: IPollFunctions,
	isActivation: boolean,
): Promise<INodeExecutionData[][] | null> {
	const config = readApiConfig(await context.getCredentials('cardPlatformApi'));
	const { settings, executionPerEvent } = readSettings(context, config.baseUrl, isActivation);
	const limiter = createLimiter(context, config, 'formOrPoll');
	const source = createSource(new Api(context, config, 'read', limiter));
	const staticData = context.getWorkflowStaticData('node');
	const result = await poll(staticData[STATE], source, settings);

	const items = toPolledItems(result.events);
	const last = executionPerEvent ? items.pop() : undefined;
	if (last !== undefined) for (const item of items) context.__emit([[item]]);
	// In one step, so that a poll that fails changes nothing. n8n stores the state with the execution
	// that comes next, so that one must be the last.
	staticData[STATE] = result.state;
	hasPolled.add(nodeKey(context));
	report(context, result);

	if (last !== undefined) {
		context.__emit([[last]]);
		return null;
	}
	if (items.length > 0) return [items];
	// n8n stores the state with an execution, or after an activation. What is old must not be
	// forgotten, so it starts an execution without items.
	return result.isFirstRound && !isActivation ? [[]] : null;
}

function readSettings(context: IPollFunctions, baseUrl: string, isActivation: boolean) {
	const options = parsePollingOptions(context.getNodeParameter('options', {}));
	const { executionPerEvent, everyApproval } = options;
	const events = context.getNodeParameter('events');
	const choice = parseTriggerFilters(
		context.getNodeParameter('filters', {}),
		events,
		everyApproval,
	);
	if (isActivation && !isStarting(context.getActivationMode())) refuseAllAndOthers(events);
	const settings: PollSettings = {
		nodeId: context.getNode().id,
		baseUrl,
		lookBack: options.lookBack * DAY,
		recheckInterval: options.recheckInterval * MINUTE,
		choice,
		replaysNewest: options.deduplicate && !hasPolled.has(nodeKey(context)),
		now: Date.now,
		deadline: Date.now() + (isActivation ? ACTIVATION_BUDGET_MS : POLL_BUDGET_MS),
		maxEvents: executionPerEvent ? MAX_EVENTS.perEvent : MAX_EVENTS.perPoll,
	};
	return { settings, executionPerEvent };
}

/** Reports what went wrong in a poll that succeeded. */
function report(context: IPollFunctions, { endedEarly, failed }: PollResult): void {
	if (endedEarly !== undefined) {
		warn(context, 'ended a poll early, and the next one continues', endedEarly);
	}
	if (failed.length === 0) return;
	const error = new UserError(
		`The API fails for the events of these cards: ${failed.join(', ')}`,
		'No event is lost: each poll tries again, and the events of other cards still start the workflow. If it continues, report it to your provider.',
	);
	context.__emitError(toNodeError(context.getNode(), error));
}

/** When n8n starts, a failure must not keep the trigger from polling again: n8n waits up to a day. */
function handleFailure(context: IPollFunctions, error: unknown, isActivation: boolean): null {
	const nodeError = toNodeError(context.getNode(), withPollHint(error, isActivation));
	const hasState = context.getWorkflowStaticData('node')[STATE] !== undefined;
	if (isActivation && isStarting(context.getActivationMode()) && hasState) {
		warn(context, 'could not poll when n8n started, and polls again', nodeError.message);
		return null;
	}
	if (isActivation && typeof nodeError.description === 'string') {
		// n8n shows only the message when a workflow cannot be published.
		nodeError.message = `${nodeError.message}. ${nodeError.description}`;
	}
	throw nodeError;
}

/** Replaces the advice to try again: a trigger polls again anyway. */
function withPollHint(error: unknown, isActivation: boolean): unknown {
	if (!(error instanceof UserError)) return error;
	const isRateLimit = error.httpCode === '429';
	if (!isRateLimit && !error.hint.includes('Try again later')) return error;
	const what = isActivation ? HINT_ACTIVATION : HINT_POLL;
	return new UserError(
		error.message,
		isRateLimit ? `${what} ${HINT_RATE_LIMIT}` : what,
		error.httpCode,
	);
}

function warn(context: IPollFunctions, what: string, reason: string): void {
	context.logger.warn(`Card Platform Polling Trigger ${what}: ${logLine(context, reason, [])}`);
}
