import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readApiConfig } from '../api/config';
import { UserError } from '../api/userError';
import { createSource } from '../cardEvents/source';
import { nodeKey } from '../events/deduplicate';
import { toPolledItems } from '../events/item';
import { logEntry, logVersion } from '../events/log';
import { isStarting } from '../events/triggerParameters';
import { toNodeError } from '../toNodeError';
import { Api, createLimiter } from '../transport/client';
import { poll, type PollResult } from './poll';
import { readSettings } from './settings';
import { decodeState, encodeState, shareOfMaximum } from './state';

/** Key of the state in n8n's static data of the node. */
const STATE = 'polling';

/** What n8n allows where it does not limit the time of a poll. */
const UNLIMITED_MS = 300_000;

/** Share of the longest state from which on the trigger warns. */
const WARNING_SHARE = 0.75;

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

/** Milliseconds that n8n allows for a poll. */
function allowedTime(context: IPollFunctions): number {
	// Absent before n8n 2.36.
	const allowed: unknown = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : UNLIMITED_MS;
	return Number(allowed);
}

/**
 * Polls the API for new events: n8n's poll().
 *
 * @returns one item for each, oldest first; null if no event is new
 * @throws NodeApiError or NodeOperationError; then the stored state is unchanged
 */
export async function runPoll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	logVersion(this.logger);
	const key = nodeKey(this);
	// n8n's durable scheduler also makes a context for each poll; it limits the time of those.
	const isActivation = !activated.has(this) && allowedTime(this) >= UNLIMITED_MS;
	activated.add(this);
	if (running.has(key)) {
		const { text, metadata } = logEntry(this, 'the one before is still running', undefined);
		this.logger.warn(`Card Platform Polling Trigger skipped a poll: ${text}`, metadata);
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
	const { settings, executionPerEvent } = readSettings(context, {
		baseUrl: config.baseUrl,
		allowedMs: allowedTime(context),
		isActivation,
		isFirst: !hasPolled.has(nodeKey(context)),
	});
	const limiter = createLimiter(context, config, 'formOrPoll');
	const source = createSource(new Api(context, config, 'read', limiter));
	const staticData = context.getWorkflowStaticData('node');
	const result = await poll(decodeState(staticData[STATE], settings.nodeId), source, settings);
	const encoded = encodeState(result.state);
	const share = shareOfMaximum(encoded);

	const items = toPolledItems(result.events);
	const last = executionPerEvent ? items.pop() : undefined;
	if (last !== undefined) for (const item of items) context.__emit([[item]]);
	// In one step, so that a poll that fails changes nothing. n8n stores the state with the execution
	// that comes next, so that one must be the last.
	staticData[STATE] = encoded;
	hasPolled.add(nodeKey(context));
	report(context, result, share);

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

/** Reports what went wrong in a poll that succeeded. */
function report(context: IPollFunctions, { endedEarly, failed }: PollResult, share: number): void {
	if (endedEarly !== undefined) {
		const { text, metadata } = logEntry(context, endedEarly, undefined);
		context.logger.warn(
			`Card Platform Polling Trigger ended a poll early, and the next one continues: ${text}`,
			metadata,
		);
	}
	if (share >= WARNING_SHARE) {
		const { text, metadata } = logEntry(context, 'see the option "Look Back (Days)"', undefined);
		context.logger.warn(
			`Card Platform Polling Trigger will soon have too many cards and events to track, and then polls fail: ${text}`,
			metadata,
		);
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
		const { text, metadata } = logEntry(context, nodeError.message, undefined);
		context.logger.warn(
			`Card Platform Polling Trigger could not poll when n8n started, and polls again: ${text}`,
			metadata,
		);
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
	if (error.httpCode !== '429' && !error.hint.includes('Try again later')) return error;
	const what = isActivation ? HINT_ACTIVATION : HINT_POLL;
	const hint = error.httpCode === '429' ? `${what} ${HINT_RATE_LIMIT}` : what;
	return new UserError(error.message, hint, error.httpCode);
}
