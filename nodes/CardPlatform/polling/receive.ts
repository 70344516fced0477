import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toInstant } from '../api/dates';
import { type ApiConfig, readApiConfig } from '../api/config';
import { isDataObject } from '../api/json';
import { UserError } from '../api/userError';
import { refuseAllAndOthers } from '../events/eventTypes';
import { toPolledItems } from '../events/item';
import { logEntry } from '../events/log';
import { nodeKey } from '../events/seenEvents';
import { isStarting, parseTriggerFilters } from '../events/triggerParameters';
import { toNodeError } from '../toNodeError';
import { createApi, createLimiter } from '../transport/client';
import { poll, type PollResult, type PollSettings } from './poll';
import { parsePollingOptions, type PollingOptions } from './properties';
import { createSource } from '../cardEvents/source';
import { decodeState, encodeState, shareOfLongest } from './state';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Key of the state in n8n's static data of the node. */
const STATE = 'polling';

/** The first poll of an activation holds up publishing, or the start of n8n. */
const ACTIVATION_BUDGET_MS = 30_000;

/** Time of other polls, unless n8n allows less. */
const POLL_BUDGET_MS = 240_000;

const HINT_POLL = 'No event is lost: the trigger polls again at the next of its Poll Times.';
const HINT_ACTIVATION = 'Publish the workflow again in some minutes.';
const HINT_RATE_LIMIT =
	'If it happens often, poll less often, lengthen "Sweep Interval", or lower Max Concurrent Requests in the credential (under Advanced).';

/** What n8n allows where it does not limit the time of a poll. */
const UNLIMITED_MS = 300_000;

const PORTION = 500;

/** With one execution per event, fewer are started at the same time. */
const ENOUGH_EVENTS = { perPoll: 3_000, perEvent: 200 };

/** Triggers whose poll is running: n8n does not wait for it before the next one. */
const running = new Set<string>();

/** Triggers that have polled since this process started, or became the leader. */
const hasPolled = new Set<string>();

/** Share of the longest state from which on the trigger warns. */
const WARNING_SHARE = 0.75;

/** Triggers that have warned since this process started. */
const warned = new Set<string>();

/** Contexts that have polled: n8n makes a new one for each activation. */
const activated = new WeakSet<IPollFunctions>();

/** Milliseconds that n8n allows for a poll. */
function allowedTime(context: IPollFunctions): number {
	// Absent before n8n 2.36.
	const allowed: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : UNLIMITED_MS;
	return Number(allowed);
}

function readStart(startFrom: unknown, timezone: string, now: number): Pick<PollSettings, 'start'> {
	if (startFrom === undefined) return {};
	const start = Date.parse(toInstant(startFrom, timezone, 'Start From'));
	if (start <= now + DAY) return { start };
	throw new UserError(
		'Start From lies in the future',
		'Set "Start From" to a past time, or remove it: then only what happens from now on starts the workflow.',
	);
}

interface Parameters {
	options: PollingOptions;
	settings: PollSettings;
}

function readParameters(
	context: IPollFunctions,
	{ baseUrl }: ApiConfig,
	isActivation: boolean,
): Parameters {
	const options = parsePollingOptions(context.getNodeParameter('options', {}));
	// An expression has another value in each poll.
	const raw: unknown = context.getNodeParameter('options', {}, { rawExpressions: true });
	const typed = isDataObject(raw) ? raw.startFrom : undefined;
	const events = context.getNodeParameter('events');
	const matches = parseTriggerFilters(context.getNodeParameter('filters', {}), events);
	if (isActivation && !isStarting(context.getActivationMode())) refuseAllAndOthers(events);
	const now = Date.now();
	const budget = isActivation ? ACTIVATION_BUDGET_MS : POLL_BUDGET_MS;
	return {
		options,
		settings: {
			node: context.getNode().id,
			baseUrl,
			startFrom: typeof typed === 'string' ? typed : '',
			...readStart(options.startFrom, context.getTimezone(), now),
			lookBack: options.lookBack * DAY,
			sweepInterval: options.sweepInterval * MINUTE,
			matches,
			repeatsRecent: options.deduplicate && !hasPolled.has(nodeKey(context)),
			now: Date.now,
			deadline: now + Math.min(budget, 0.8 * allowedTime(context)),
			portion: PORTION,
			enoughEvents: options.executionPerEvent ? ENOUGH_EVENTS.perEvent : ENOUGH_EVENTS.perPoll,
		},
	};
}

/**
 * Polls the API for new events.
 *
 * @returns an item for each, oldest first; null if there is none
 * @throws NodeApiError or NodeOperationError; then the stored state is unchanged
 */
export async function pollEvents(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const place = nodeKey(this);
	// n8n's durable scheduler also makes a context for each poll; it limits the time of those.
	const isActivation = !activated.has(this) && allowedTime(this) >= UNLIMITED_MS;
	activated.add(this);
	if (running.has(place)) {
		const { text, metadata } = logEntry(this, 'the one before is still running', undefined);
		this.logger.warn(`Card Platform Polling Trigger skipped a poll: ${text}`, metadata);
		return null;
	}
	running.add(place);
	// Before that, another process may have polled.
	if (isActivation && isStarting(this.getActivationMode())) hasPolled.delete(place);
	try {
		return await pollOnce(this, isActivation);
	} catch (error) {
		return failed(this, error, isActivation);
	} finally {
		running.delete(place);
	}
}

async function pollOnce(
	context: IPollFunctions,
	isActivation: boolean,
): Promise<INodeExecutionData[][] | null> {
	const config = readApiConfig(await context.getCredentials('cardPlatformApi'));
	const { options, settings } = readParameters(context, config, isActivation);
	const limiter = createLimiter(context, config, 'formOrPoll');
	const source = createSource(createApi(context, config, 'read', limiter));

	const staticData = context.getWorkflowStaticData('node');
	const stored = decodeState(staticData[STATE], settings.node);
	const result = await poll(stored, source, settings);
	const encoded = encodeState(result.state);
	warnIfLong(context, shareOfLongest(encoded));
	const items = toPolledItems(result.events);
	const last = options.executionPerEvent ? items.pop() : undefined;
	if (last !== undefined) for (const item of items) context.__emit([[item]]);
	// In one step, so that a poll that fails changes nothing. n8n stores the state with the execution
	// that comes next, so that one must be the last.
	staticData[STATE] = encoded;
	hasPolled.add(nodeKey(context));
	logEarlyEnd(context, result);
	reportFailed(context, result);

	if (last !== undefined) {
		context.__emit([[last]]);
		return null;
	}
	if (items.length > 0) return [items];
	// n8n's durable cursors leave out an activation: what happens before the next poll would seem old.
	if (isActivation) await context.__commitCursor?.();
	// n8n stores the state with an execution, or after an activation. What is old must not be
	// forgotten, so it starts an execution without items.
	return result.isFirstRound && !isActivation ? [[]] : null;
}

function logEarlyEnd(context: IPollFunctions, { endedEarly }: PollResult): void {
	if (endedEarly === undefined) return;
	const { text, metadata } = logEntry(context, endedEarly, undefined);
	const message = `Card Platform Polling Trigger ended a poll early, and the next one continues: ${text}`;
	if (endedEarly === 'rate limit') context.logger.warn(message, metadata);
	else context.logger.info(message, metadata);
}

/** One card must not stop the others, nor go unnoticed: if it lasts, a failed execution shows it. */
function reportFailed(context: IPollFunctions, { failed, overdue }: PollResult): void {
	if (failed.length === 0) return;
	const reason = `${failed.length} of them: ${failed.join(', ')}`;
	const { text, metadata } = logEntry(context, reason, undefined);
	context.logger.warn(
		`Card Platform Polling Trigger could not read the events of all cards, and the next poll tries again: ${text}`,
		metadata,
	);
	if (overdue.length === 0) return;
	const error = new UserError(
		`The API has failed for longer than the Sweep Interval for these cards: ${overdue.join(', ')}`,
		'No event is lost: each poll tries again, and the events of other cards still start the workflow. Report it to your provider.',
	);
	context.__emitError(toNodeError(context.getNode(), error));
}

/** Warns once per process, before polls fail because there is too much to remember. */
function warnIfLong(context: IPollFunctions, share: number): void {
	const place = nodeKey(context);
	if (share < WARNING_SHARE || warned.has(place)) return;
	warned.add(place);
	const reason = 'see the option "Look Back (Days)"';
	const { text, metadata } = logEntry(context, reason, undefined);
	context.logger.warn(
		`Card Platform Polling Trigger will soon have too much to remember, and then polls fail: ${text}`,
		metadata,
	);
}

/** Replaces the advice to turn on Retry On Fail: a trigger does not have it, and polls again anyway. */
function withPollHint(error: unknown, isActivation: boolean): unknown {
	if (!(error instanceof UserError)) return error;
	if (error.httpCode !== '429' && !error.hint.includes('Retry On Fail')) return error;
	const what = isActivation ? HINT_ACTIVATION : HINT_POLL;
	const hint = error.httpCode === '429' ? `${what} ${HINT_RATE_LIMIT}` : what;
	return new UserError(error.message, hint, error.httpCode);
}

/** When n8n starts, a failure must not keep the trigger from polling again: n8n waits up to a day. */
function failed(context: IPollFunctions, error: unknown, isActivation: boolean): null {
	const hasState = context.getWorkflowStaticData('node')[STATE] !== undefined;
	const pollsAgain = isActivation && isStarting(context.getActivationMode()) && hasState;
	const nodeError = toNodeError(context.getNode(), withPollHint(error, isActivation));
	if (!pollsAgain) {
		if (isActivation && typeof nodeError.description === 'string') {
			// n8n shows only the message when a workflow cannot be published.
			nodeError.message = `${nodeError.message}. ${nodeError.description}`;
		}
		throw nodeError;
	}
	const { text, metadata } = logEntry(context, nodeError.message, undefined);
	context.logger.warn(
		`Card Platform Polling Trigger could not poll when n8n started, and polls again: ${text}`,
		metadata,
	);
	return null;
}
