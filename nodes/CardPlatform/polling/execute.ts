import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readApiConfig } from '../api/config';
import { logVersion } from '../api/log';
import { toNodeError } from '../api/toNodeError';
import { UserError } from '../api/userError';
import { createSource, newestEvents } from '../events/cardEvents';
import { nameCards } from '../events/cards';
import { keepNewEvents } from '../events/deduplicate';
import { toPolledItems, toReadableItems } from '../events/item';
import { parseTriggerFilters } from '../events/triggerParameters';
import { Api, createLimiter } from '../transport/client';
import { parsePollingOptions, type PollingOptions } from './properties';
import { hintsOf } from './runPoll';

const DAY = 86_400_000;

/** Events that a manual run shows. */
const TEST_EVENTS = 10;

/**
 * Runs as the first step of an execution. In production it drops what has already started the
 * workflow, through this trigger or another one that starts the same nodes. In a manual run, n8n calls
 * it in place of a poll: it then gets the newest matching events, and remembers nothing.
 */
export async function startExecution(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	logVersion(this.logger);
	try {
		const options = parsePollingOptions(this.getNodeParameter('options', 0, {}));
		const toOutput = (items: INodeExecutionData[]) => [toReadableItems(items, options.simplify)];
		if (this.getMode() === 'manual') return toOutput(await fetchTestEvents(this, options));
		const items = this.getInputData();
		for (const message of hintsOf(this))
			this.addExecutionHints({ type: 'info', location: 'outputPane', message });
		if (this.getMode() !== 'trigger' || !options.deduplicate) return toOutput(items);
		const newItems = await keepNewEvents(this, items, options);
		if (newItems.length === 0) {
			// n8n stores what the trigger remembers with an execution only.
			this.addExecutionHints({
				type: 'info',
				location: 'outputPane',
				message: `This execution is empty: each of its events, or its purchase, has started the workflow before, by webhook or by an earlier poll. Number of events: ${items.length}. After a restart of n8n, the last events are checked again.`,
			});
		}
		return toOutput(newItems);
	} catch (error) {
		throw toNodeError(this.getNode(), error);
	}
}

async function fetchTestEvents(
	context: IExecuteFunctions,
	{ lookBack, executionPerEvent, everyApproval, includeCard }: PollingOptions,
): Promise<INodeExecutionData[]> {
	// A manual run is one execution.
	const limit = executionPerEvent ? 1 : TEST_EVENTS;
	const config = readApiConfig(await context.getCredentials('cardPlatformApi'));
	const choice = parseTriggerFilters(
		context.getNodeParameter('filters', 0, {}),
		context.getNodeParameter('events', 0),
		everyApproval,
	);
	const api = new Api(context, config, 'read', createLimiter(context, config, 'watched'));
	const source = createSource(api);
	const fetch = async (days: number) =>
		await newestEvents(source, { from: Date.now() - days * DAY, to: Infinity, choice, limit });
	// A day often has enough, and is listed faster.
	const ofOneDay = await fetch(1);
	const events = ofOneDay.length < limit ? await fetch(lookBack) : ofOneDay;
	const report = (message: string) => {
		context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	};
	if (events.length > 0)
		return toPolledItems(events, includeCard ? await nameCards(api, report) : undefined);
	throw new UserError(
		`No event of the last ${lookBack} days passes the filters`,
		'Make a small purchase with a card, or change "Trigger On", "Filters" or the option "Look Back (Days)".',
	);
}
