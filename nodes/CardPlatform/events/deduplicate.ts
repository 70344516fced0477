import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isDataObject } from '../api/json';
import { withTimeout } from '../api/withTimeout';
import { logEntry, loggedEventId } from './log';
import { eventKey, placeOf, SeenEvents } from './seenEvents';
import { findSharing } from './sharing';

/**
 * Keys that n8n's database remembers for a workflow; all those of one recording in any case. More cost
 * more (docs/webhooks.md), and leave no room for a Remove Duplicates node, whose limit is 10 000.
 */
export const REMEMBERED_KEYS = 8_000;

/**
 * Longest wait for a recording, in milliseconds. n8n's database takes a few, but after a crash n8n
 * starts many executions at the same time.
 */
const RECORDING_TIMEOUT_MS = 60_000;

/** Keys that are recorded again with the next ones. */
const RECENT_KEYS = 400;

type Helpers = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord'>;

/** Which list of n8n's database: that of the node, or the one of the workflow. */
type Scope = 'node' | 'workflow';

/** What a recording found out. */
interface Outcome {
	/** Keys that were not recorded before and that no caller has claimed yet. */
	unclaimed: Set<string>;
	/** Why nothing could be recorded; then every key is unclaimed. */
	failure?: string;
	/** True if the list belongs to a node that uses it in another mode. */
	isTaken?: boolean;
}

/** n8n does not export the class of the error. */
const isOtherMode = (error: unknown): boolean =>
	error instanceof Error && error.constructor.name === 'DeduplicationError';

/** Keys that are recorded together. */
interface Batch {
	keys: Set<string>;
	helpers: Helpers;
	scope: Scope;
	isOpen: boolean;
}

/**
 * Records events in n8n's database, which reads, changes and writes a list without a lock: one
 * recording of a list at a time. Events that arrive during a recording share the next one,
 * and so the cost of reading and writing the list.
 */
export class EventRecorder {
	/** The newest batch of each list, until it is recorded. */
	private readonly newest = new Map<string, { batch: Batch; outcome: Promise<Outcome> }>();

	/**
	 * The last keys recorded in each list. A worker that writes the list at the same moment
	 * overwrites them; the next recording puts them back.
	 */
	private readonly recent = new Map<string, ReadonlySet<string>>();

	/**
	 * Records events. Of several callers with the same new key, the first gets it.
	 *
	 * @param place of the list
	 * @param helpers of the execution
	 * @param scope of the list; always the same for a place
	 * @returns the keys that nobody has recorded before; with a failure, those that could not be
	 * recorded. Never throws.
	 */
	async record(
		place: string,
		keys: string[],
		helpers: Helpers,
		scope: Scope = 'workflow',
	): Promise<{ newKeys: string[]; failure?: string; isTaken?: boolean }> {
		const batch: Batch = { keys: new Set(keys), helpers, scope, isOpen: true };
		const { unclaimed, ...outcome } = await this.join(place, batch);
		return { newKeys: keys.filter((key) => unclaimed.delete(key)), ...outcome };
	}

	private async join(place: string, batch: Batch): Promise<Outcome> {
		const newest = this.newest.get(place);
		if (newest?.batch.isOpen === true) {
			for (const key of batch.keys) newest.batch.keys.add(key);
			return await newest.outcome;
		}
		const outcome = this.write(place, batch, newest?.outcome);
		this.newest.set(place, { batch, outcome });
		return await outcome;
	}

	private async write(
		place: string,
		batch: Batch,
		previous: Promise<Outcome> | undefined,
	): Promise<Outcome> {
		await previous;
		batch.isOpen = false;
		const { keys, helpers, scope } = batch;
		const recent = this.recent.get(place) ?? new Set<string>();
		try {
			const all = [...new Set([...recent, ...keys])];
			const recorded = await withTimeout(
				RECORDING_TIMEOUT_MS,
				async () =>
					await helpers.checkProcessedAndRecord(all, scope, {
						mode: 'entries',
						maxEntries: Math.max(REMEMBERED_KEYS, all.length),
					}),
			);
			this.recent.set(place, new Set([...recent, ...keys].slice(-RECENT_KEYS)));
			const added = recorded.new.map(String);
			return { unclaimed: new Set(added.filter((key) => keys.has(key) && !recent.has(key))) };
		} catch (error) {
			return {
				unclaimed: new Set([...keys].filter((key) => !recent.has(key))),
				failure: String(error),
				...(isOtherMode(error) && { isTaken: true }),
			};
		} finally {
			if (this.newest.get(place)?.batch === batch) this.newest.delete(place);
		}
	}
}

const recorder = new EventRecorder();

/** Events that passed without being recorded; their duplicates must not pass too. */
const passedUnrecorded = new SeenEvents();

function idOf(item: INodeExecutionData | undefined): string | undefined {
	const delivery = item?.json.delivery;
	return loggedEventId(item?.json, isDataObject(delivery) ? delivery.eventId : undefined);
}

/** Records events in the list of the workflow, or else in the node's. */
async function recordEvents(context: IExecuteFunctions, keys: string[], isShared: boolean) {
	const workflow = `${context.getWorkflow().id}`;
	const recorded = await recorder.record(workflow, keys, context.helpers, 'workflow');
	if (recorded.isTaken !== true) return recorded;
	if (isShared) {
		const reason = 'a Remove Duplicates node uses the memory of the workflow in another mode';
		const { text, metadata } = logEntry(context, reason, undefined);
		context.logger.warn(
			`The Card Platform triggers of a workflow cannot share their memory, so an event may run once for each of them: ${text}`,
			metadata,
		);
	}
	return await recorder.record(placeOf(context), keys, context.helpers, 'node');
}

/**
 * Keeps the items of events that n8n's database does not know yet, and records them there (§6:
 * delivery is at-least-once), for this trigger and for those that now share its memory. An event is
 * known if it was recorded for any of them, so that no edit of the workflow makes it run again. If
 * the database fails, events pass: twice is better than never.
 */
export async function keepNewEvents(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const triggers = findSharing(context);
	const keyed = items.map((item) => {
		const key = eventKey(item.json);
		return { item, keys: triggers.map((id) => `${id}:${key}`) };
	});
	const keys = keyed.flatMap((each) => each.keys);

	const { newKeys, failure } = await recordEvents(context, keys, triggers.length > 1);
	const nameUnrecorded = (key: string) => `${context.getWorkflow().id}:${key}`;
	const passing = new Set(newKeys.filter((key) => !passedUnrecorded.has(nameUnrecorded(key))));
	if (failure !== undefined && passing.size > 0) {
		for (const key of passing) passedUnrecorded.add(nameUnrecorded(key));
		const { text, metadata } = logEntry(context, failure, idOf(items[0]));
		context.logger.error(
			`Card Platform Trigger could not check for duplicates and let the event through: ${text}`,
			metadata,
		);
	}

	return keyed.flatMap(({ item, keys: ofItem }) => {
		const isNew = ofItem.every((key) => passing.has(key));
		for (const key of ofItem) passing.delete(key);
		if (isNew) return [item];
		const { text, metadata } = logEntry(context, 'duplicate', idOf(item));
		context.logger.debug(`Card Platform Trigger ignored a delivery: ${text}`, metadata);
		return [];
	});
}
