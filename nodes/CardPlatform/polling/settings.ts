import type { IPollFunctions } from 'n8n-workflow';

import { toInstant } from '../api/dates';
import { isDataObject } from '../api/json';
import { UserError } from '../api/userError';
import { type EventChoice, refuseAllAndOthers } from '../events/eventTypes';
import { isStarting, parseTriggerFilters } from '../events/triggerParameters';
import { parsePollingOptions } from './properties';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** The first poll of an activation holds up publishing, or the start of n8n. */
const ACTIVATION_BUDGET_MS = 30_000;

/** Time of other polls, unless n8n allows less. */
const POLL_BUDGET_MS = 240_000;

const BATCH_SIZE = 500;

/** With one execution per event, n8n starts fewer at the same time. */
const MAX_EVENTS = { perPoll: 3_000, perEvent: 200 };

/** What a person chose, and the circumstances of a poll. Times are in milliseconds. */
export interface PollSettings {
	/** ID of the trigger's node. */
	nodeId: string;
	baseUrl: string;
	/** Start From as it was typed; '' without it. */
	startFrom: string;
	/** Start From, since 1970. */
	start?: number;
	lookBack: number;
	/** Each card is visited at least once in this time. */
	recheckInterval: number;
	/** The events to emit. */
	choice: EventChoice;
	/** True: the events of the newest poll are emitted again, as they may not have arrived. */
	replaysNewest: boolean;
	/** n8n's clock. */
	now: () => number;
	/** No list and no card is begun after this moment. */
	deadline: number;
	/** New transactions that are read together while the trigger is behind. */
	batchSize: number;
	/** New events after which the poll ends; the next one finds the others. */
	maxEvents: number;
}

function parseStart(startFrom: unknown, timezone: string, now: number): { start?: number } {
	if (startFrom === undefined) return {};
	const start = Date.parse(toInstant(startFrom, timezone, 'Start From'));
	if (start <= now + DAY) return { start };
	throw new UserError(
		'Start From lies in the future',
		'Set "Start From" to a past time, or remove it: then only what happens from now on starts the workflow.',
	);
}

/**
 * Reads the trigger's parameters.
 *
 * @param poll what is known of the poll: the API, the time that n8n allows, and whether this is the first
 * poll of an activation or of this process
 * @throws UserError that names the parameter with a wrong value
 */
export function readSettings(
	context: IPollFunctions,
	poll: { baseUrl: string; allowedMs: number; isActivation: boolean; isFirst: boolean },
): { settings: PollSettings; executionPerEvent: boolean } {
	const options = parsePollingOptions(context.getNodeParameter('options', {}));
	// An expression has another value in each poll.
	const raw: unknown = context.getNodeParameter('options', {}, { rawExpressions: true });
	const startFrom = isDataObject(raw) && typeof raw.startFrom === 'string' ? raw.startFrom : '';
	const events = context.getNodeParameter('events');
	const filters = context.getNodeParameter('filters', {});
	const choice = parseTriggerFilters(filters, events, options.everyApproval);
	if (poll.isActivation && !isStarting(context.getActivationMode())) refuseAllAndOthers(events);
	const now = Date.now();
	const budget = poll.isActivation ? ACTIVATION_BUDGET_MS : POLL_BUDGET_MS;
	const { executionPerEvent } = options;
	return {
		executionPerEvent,
		settings: {
			nodeId: context.getNode().id,
			baseUrl: poll.baseUrl,
			startFrom,
			...parseStart(options.startFrom, context.getTimezone(), now),
			lookBack: options.lookBack * DAY,
			recheckInterval: options.recheckInterval * MINUTE,
			choice,
			replaysNewest: options.deduplicate && poll.isFirst,
			now: Date.now,
			deadline: now + Math.min(budget, 0.8 * poll.allowedMs),
			batchSize: BATCH_SIZE,
			maxEvents: executionPerEvent ? MAX_EVENTS.perEvent : MAX_EVENTS.perPoll,
		},
	};
}
