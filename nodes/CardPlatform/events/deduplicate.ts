import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isDataObject } from '../api/json';
import { withTimeout } from '../api/withTimeout';
import { parseEventTypes } from './eventTypes';
import { logEntry, loggedEventId } from './log';
import { eventKey, purchaseKey } from './seenEvents';
import { findSharing } from './sharing';

/**
 * Entries that n8n's database keeps for a workflow; those of one recording in any case. n8n reads and
 * writes all of them each time: 6 ms for 10 000, 24 ms for 50 000. And more leave no room for a Remove Duplicates node, whose limit is 10 000.
 */
const REMEMBERED_ENTRIES = 8_000;

/**
 * Longest wait for a recording, in milliseconds. n8n's database takes a few, but after a crash n8n
 * starts many executions at the same time.
 */
const RECORDING_TIMEOUT_MS = 60_000;

/** Entries of a workflow that this process remembers, and records again with the next ones. */
const RECENT_ENTRIES = 400;

type Helpers = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord'>;

/** What a recording found out. */
interface Outcome {
	/** Entries that are new and that no caller has claimed yet. */
	unclaimed: Set<string>;
	/** Why n8n's database did not record them. */
	failure?: string;
}

/** Entries that are recorded together. */
interface Batch {
	entries: Set<string>;
	isOpen: boolean;
	outcome?: Promise<Outcome>;
}

/**
 * Records events in n8n's database, which reads, changes and writes the list of a workflow without a
 * lock: one recording of a workflow at a time. Events that arrive during one share the next.
 */
export class EventRecorder {
	/** The newest batch of each workflow, until it is recorded. */
	private readonly newest = new Map<string, Batch>();

	/**
	 * The last entries of each workflow. Another worker may have overwritten them, or n8n's database may
	 * have failed: the next recording puts them back, and until then they are known here.
	 */
	private readonly recent = new Map<string, ReadonlySet<string>>();

	/**
	 * Records entries. Of several callers with the same new entry, the first gets it.
	 *
	 * @param helpers of the execution
	 * @returns those of the entries that are new. Never throws: with a failure, those that this process
	 * does not know.
	 */
	async record(
		workflowId: string,
		entries: string[],
		helpers: Helpers,
	): Promise<{ newEntries: string[]; failure?: string }> {
		const newest = this.newest.get(workflowId);
		const batch = newest?.isOpen === true ? newest : { entries: new Set<string>(), isOpen: true };
		for (const entry of entries) batch.entries.add(entry);
		batch.outcome ??= this.write(workflowId, batch, helpers, newest?.outcome);
		this.newest.set(workflowId, batch);
		const { unclaimed, failure } = await batch.outcome;
		return { newEntries: entries.filter((entry) => unclaimed.delete(entry)), failure };
	}

	private async write(
		workflowId: string,
		batch: Batch,
		helpers: Helpers,
		previous: Promise<Outcome> | undefined,
	): Promise<Outcome> {
		await previous;
		batch.isOpen = false;
		const recent = this.recent.get(workflowId) ?? new Set<string>();
		const all = [...new Set([...recent, ...batch.entries])];
		this.recent.set(workflowId, new Set(all.slice(-RECENT_ENTRIES)));
		const unknown = new Set([...batch.entries].filter((entry) => !recent.has(entry)));
		try {
			const recorded = await withTimeout(
				RECORDING_TIMEOUT_MS,
				async () =>
					await helpers.checkProcessedAndRecord(all, 'workflow', {
						mode: 'entries',
						maxEntries: Math.max(REMEMBERED_ENTRIES, all.length),
					}),
			);
			const added = recorded.new.map(String);
			return { unclaimed: new Set(added.filter((entry) => unknown.has(entry))) };
		} catch (error) {
			return { unclaimed: unknown, failure: String(error) };
		} finally {
			if (this.newest.get(workflowId) === batch) this.newest.delete(workflowId);
		}
	}
}

const recorder = new EventRecorder();

function eventIdOf({ json }: INodeExecutionData): string | undefined {
	return loggedEventId(json, isDataObject(json.delivery) ? json.delivery.eventId : undefined);
}

/**
 * Keeps the items of events that n8n's database does not know yet, and records them there (§6:
 * delivery is at-least-once), for this trigger and for those that now share its memory. An event is
 * known if it was recorded for any of them, so that no edit of the workflow makes it run again. The
 * same goes for purchases. If the database fails, events pass: twice is better than never.
 *
 * @param everyApproval the option: purchases are not recorded
 * @param mayRepeat true: a known event passes; another event of its purchase does not when it is new
 */
export async function keepNewEvents(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	{ everyApproval, mayRepeat = false }: { everyApproval: boolean; mayRepeat?: boolean },
): Promise<INodeExecutionData[]> {
	const events = context.getNodeParameter('events', 0);
	const { purchaseOf } = parseEventTypes(events, 'Trigger On', everyApproval);
	const triggerIds = findSharing(context);
	const toEntries = (key: string) => triggerIds.map((id) => `${id}:${key}`);
	const withEntries = items.map((item) => {
		const purchase = purchaseOf(item.json);
		return {
			item,
			ofEvent: toEntries(eventKey(item.json)),
			ofPurchase: purchase === undefined ? [] : toEntries(purchaseKey(purchase)),
		};
	});
	const { newEntries, failure } = await recorder.record(
		`${context.getWorkflow().id}`,
		withEntries.flatMap(({ ofEvent, ofPurchase }) => [...ofEvent, ...ofPurchase]),
		context.helpers,
	);

	const unclaimed = new Set(newEntries);
	const claim = (entries: string[]): boolean => {
		const areNew = entries.every((entry) => unclaimed.has(entry));
		for (const entry of entries) unclaimed.delete(entry);
		return areNew;
	};
	const newItems = withEntries.flatMap(({ item, ofEvent, ofPurchase }) => {
		const isNewEvent = claim(ofEvent);
		const isNewPurchase = claim(ofPurchase);
		if (isNewEvent ? isNewPurchase : mayRepeat) return [item];
		const reason = isNewEvent ? 'same-purchase' : 'duplicate';
		const { text, metadata } = logEntry(context, reason, eventIdOf(item));
		context.logger.debug(`Card Platform Trigger ignored a delivery: ${text}`, metadata);
		return [];
	});
	const [first] = newItems;
	if (failure !== undefined && first !== undefined) {
		const { text, metadata } = logEntry(context, failure, eventIdOf(first));
		context.logger.error(
			`Card Platform Trigger could not check for duplicates and let the event through: ${text}`,
			metadata,
		);
	}
	return newItems;
}
