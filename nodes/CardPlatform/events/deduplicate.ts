import { type IExecuteFunctions, type INodeExecutionData, sleep } from 'n8n-workflow';

import { isDataObject } from '../api/json';
import { logEntry, loggedEventId } from './log';
import { eventKey, placeOf, SeenEvents } from './seenEvents';
import { findSharing } from './sharing';

/** Longest wait for a recording, in milliseconds; n8n's database takes a few milliseconds. */
const RECORDING_TIMEOUT_MS = 5_000;

/** Keys that are recorded again with the next ones, in a list that triggers share. */
const RECENT_KEYS = 200;

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
	window: number;
	scope: Scope;
	timeoutMs: number;
	isOpen: boolean;
}

/**
 * Records events in n8n's database, which reads, changes and writes the list of a node without a
 * lock: one recording of a node at a time. Events that arrive during a recording share the next one,
 * and so the cost of reading and writing the list.
 */
export class EventRecorder {
	/** The newest batch of each node, until it is recorded. */
	private readonly newest = new Map<string, { batch: Batch; outcome: Promise<Outcome> }>();

	/**
	 * The last keys recorded in each shared list. A worker that writes the list at the same moment
	 * overwrites them; the next recording puts them back.
	 */
	private readonly recent = new Map<string, ReadonlySet<string>>();

	private readonly timeoutMs: number;

	/** @param timeoutMs longest wait for a recording */
	constructor(timeoutMs = RECORDING_TIMEOUT_MS) {
		this.timeoutMs = timeoutMs;
	}

	/**
	 * Records events of a node. Of several callers with the same new key, the first gets it.
	 *
	 * @param place of the node
	 * @param helpers of the execution
	 * @param window events that n8n remembers for the node
	 * @param scope of the list; always the same for a place
	 * @param timeoutMs longest wait for the recording; always the same for a place
	 * @returns the keys that nobody has recorded before; with a failure, those that could not be
	 * recorded. Never throws.
	 */
	async record(
		place: string,
		keys: string[],
		helpers: Helpers,
		window: number,
		scope: Scope = 'node',
		timeoutMs = this.timeoutMs,
	): Promise<{ newKeys: string[]; failure?: string; isTaken?: boolean }> {
		const batch: Batch = {
			keys: new Set(keys),
			helpers,
			window,
			scope,
			timeoutMs,
			isOpen: true,
		};
		const { unclaimed, ...outcome } = await this.join(place, batch);
		return { newKeys: keys.filter((key) => unclaimed.delete(key)), ...outcome };
	}

	private async join(place: string, batch: Batch): Promise<Outcome> {
		const newest = this.newest.get(place);
		if (newest?.batch.isOpen === true) {
			for (const key of batch.keys) newest.batch.keys.add(key);
			// The newest caller's, in case the window was changed.
			newest.batch.helpers = batch.helpers;
			newest.batch.window = batch.window;
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
		const { keys, helpers, window, scope, timeoutMs } = batch;
		const recent = this.recent.get(place) ?? new Set<string>();
		try {
			const recorded = helpers.checkProcessedAndRecord([...new Set([...recent, ...keys])], scope, {
				mode: 'entries',
				maxEntries: window,
			});
			const added = (await inTime(recorded, timeoutMs)).new.map(String);
			if (scope === 'workflow') {
				this.recent.set(place, new Set([...recent, ...keys].slice(-RECENT_KEYS)));
			}
			return { unclaimed: new Set(added.filter((key) => keys.has(key) && !recent.has(key))) };
		} catch (error) {
			return {
				unclaimed: keys,
				failure: String(error),
				...(isOtherMode(error) && { isTaken: true }),
			};
		} finally {
			if (this.newest.get(place)?.batch === batch) this.newest.delete(place);
		}
	}
}

/**
 * Waits for a result, but not for ever: a database can leave a query without a response.
 *
 * @throws Error after `timeoutMs`
 */
async function inTime<T>(result: Promise<T>, timeoutMs: number): Promise<T> {
	const isSettled = new AbortController();
	const timeout = async (): Promise<never> => {
		// Older versions of n8n-workflow ignore the signal; there the timer runs out by itself.
		await sleep(timeoutMs, isSettled.signal);
		throw new Error(`n8n's database did not respond within ${timeoutMs} ms`);
	};
	try {
		return await Promise.race([result, timeout()]);
	} finally {
		isSettled.abort();
	}
}

/**
 * Events that triggers with a shared memory remember at least: those that come by webhook between two
 * polls.
 */
const SHARED_WINDOW = 5_000;

const recorder = new EventRecorder();

/** Events that passed without being recorded; their duplicates must not pass too. */
const passedUnrecorded = new SeenEvents();

function idOf(item: INodeExecutionData | undefined): string | undefined {
	const delivery = item?.json.delivery;
	return loggedEventId(item?.json, isDataObject(delivery) ? delivery.eventId : undefined);
}

/** Records events: in the list that triggers share, if there are several, or else in the node's. */
async function recordEvents(
	context: IExecuteFunctions,
	keys: string[],
	window: number,
	timeoutMs: number,
) {
	const sharing = findSharing(context);
	if (sharing !== undefined) {
		const { place, prefix } = sharing;
		const { helpers } = context;
		const sharedWindow = Math.max(window, keys.length, SHARED_WINDOW);
		const shared = keys.map((key) => `${prefix}:${key}`);
		const recorded = await recorder.record(place, shared, helpers, sharedWindow, 'workflow');
		if (recorded.isTaken !== true) {
			const newKeys = recorded.newKeys.map((key) => key.slice(prefix.length + 1));
			return { place, newKeys, failure: recorded.failure };
		}
		const reason = 'a Remove Duplicates node uses the memory of the workflow in another mode';
		const { text, metadata } = logEntry(context, reason, undefined);
		context.logger.warn(
			`The Card Platform triggers of a workflow cannot share their memory, so an event may run once for each of them: ${text}`,
			metadata,
		);
	}
	const place = placeOf(context);
	const recorded = await recorder.record(
		place,
		keys,
		context.helpers,
		Math.max(window, keys.length),
		'node',
		timeoutMs,
	);
	return { place, newKeys: recorded.newKeys, failure: recorded.failure };
}

/**
 * Keeps the items of events that n8n's database does not know yet, and records them there (§6:
 * delivery is at-least-once). If the database fails, events pass: twice is better than never.
 *
 * @param window events that the database remembers for this node
 * @param timeoutMs longest wait for the database, where no webhook trigger shares the memory
 */
export async function keepNewEvents(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	window: number,
	timeoutMs = RECORDING_TIMEOUT_MS,
): Promise<INodeExecutionData[]> {
	const keyed = items.map((item) => ({ item, key: eventKey(item.json) }));
	const keys = keyed.map(({ key }) => key);

	const { place, newKeys, failure } = await recordEvents(context, keys, window, timeoutMs);
	const passing = new Set(newKeys.filter((key) => !passedUnrecorded.has(`${place}:${key}`)));
	if (failure !== undefined && passing.size > 0) {
		for (const key of passing) passedUnrecorded.add(`${place}:${key}`);
		const { text, metadata } = logEntry(context, failure, idOf(items[0]));
		context.logger.error(
			`Card Platform Trigger could not check for duplicates and let the event through: ${text}`,
			metadata,
		);
	}

	return keyed.flatMap(({ item, key }) => {
		if (passing.delete(key)) return [item];
		const { text, metadata } = logEntry(context, 'duplicate', idOf(item));
		context.logger.debug(`Card Platform Trigger ignored a delivery: ${text}`, metadata);
		return [];
	});
}
