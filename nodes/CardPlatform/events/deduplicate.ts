import type { FunctionsBase, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { logTrigger } from '../api/log';
import { findEquivalent } from './equivalentTriggers';
import { ALL, type EventChoice, parseEventTypes } from './eventTypes';
import { dedupeKey, deliveryOf, eventKey } from './keys';

/** How many starts this process remembers, of about 200 bytes each. */
const MAX_RECENT_STARTS = 10_000;

/** Entries in n8n's list of a workflow, which it reads and writes as a whole: 6 ms for 10 000. A Remove Duplicates node takes 10 000 at most. */
export const LISTED_ENTRIES = 8_000;

/** The last entries of a workflow are recorded again with the next ones, because another worker may have overwritten them. */
const RECENT_ENTRIES = 400;

/** The last events that started a workflow in this process, by trigger and key. */
const recentStarts = new Map<string, string>();

/**
 * Looks an event up in the memory of this process, so that a duplicate starts no execution.
 *
 * @param mayRepeat true: the event that claimed the key may come again, so only the execution can tell which it was
 * @returns why the event must start nothing, or undefined; and a function that remembers its start
 */
export function findPriorStart(
	context: Pick<FunctionsBase, 'getWorkflow' | 'getNode'>,
	item: Record<string, unknown>,
	choice: EventChoice,
	mayRepeat: boolean,
): { reason: 'duplicate' | 'same-purchase' | undefined; remember: () => void } {
	const event = eventKey(item);
	const key = mayRepeat ? event : dedupeKey(item, choice);
	const triggers = findEquivalent(context);
	const startKey = (trigger: string) => `${context.getWorkflow().id}:${trigger}:${key}`;
	const starter = recentStarts.get(startKey(triggers[0]));
	const remember = () => {
		for (const id of triggers) recentStarts.set(startKey(id), event);
		for (const oldest of recentStarts.keys()) {
			if (recentStarts.size <= MAX_RECENT_STARTS) break;
			recentStarts.delete(oldest);
		}
	};
	if (starter === undefined) return { reason: undefined, remember };
	return { reason: starter === event ? 'duplicate' : 'same-purchase', remember };
}

/**
 * Keeps the items that have not started the workflow yet (§6: delivery is at-least-once), and records them in n8n's
 * database, for this trigger and for equivalent ones. If the database fails, items that this process does not know
 * pass: twice is better than never.
 *
 * @param mayRepeat true: the event that claimed its key through this trigger passes again, because its execution may have failed
 */
export async function keepNewEvents(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	{ everyApproval, mayRepeat = false }: { everyApproval: boolean; mayRepeat?: boolean },
): Promise<INodeExecutionData[]> {
	const events = context.getNodeParameter('events', 0, ALL);
	const choice = parseEventTypes(events, 'Trigger On', everyApproval);
	const triggers = findEquivalent(context);
	const candidates = items.map((item): Candidate => {
		const key = dedupeKey(item.json, choice);
		const claims = mayRepeat ? [`${triggers[0]}:${key}:${eventKey(item.json)}`] : [];
		return { item, keys: triggers.map((id) => `${id}:${key}`), claims };
	});
	const workflowId = context.getWorkflow().id;
	const memory = memories.get(workflowId) ?? { recent: [], last: Promise.resolve() };
	memories.set(workflowId, memory);
	// n8n reads, changes and writes its list without a lock: one recording at a time.
	const recording = memory.last.then(async () => await record(memory, candidates, context.helpers));
	memory.last = Promise.allSettled([recording]);
	const { admitted, failure } = await recording;

	const idsOf = ({ json }: INodeExecutionData) => [json.id, deliveryOf(json).eventId];
	for (const { item } of candidates.filter((each) => !admitted.has(each))) {
		const what = deliveryOf(item.json).source === 'polling' ? 'an event' : 'a delivery';
		const reason = choice.purchaseOf(item.json) === undefined ? 'duplicate' : 'same-purchase';
		logTrigger(context, 'debug', `ignored ${what}`, reason, idsOf(item));
	}
	const newItems = [...admitted].map(({ item }) => item);
	if (failure !== undefined && newItems[0] !== undefined) {
		const what = 'could not check for duplicates and let the event through';
		logTrigger(context, 'error', what, failure, idsOf(newItems[0]));
	}
	return newItems;
}

/** An item, and its keys in n8n's list. */
interface Candidate {
	item: INodeExecutionData;
	/** Its key for this trigger and for each equivalent one. */
	keys: string[];
	/** Entries that only this event makes, if the event that claimed the key may come again. */
	claims: string[];
}

/** What this process knows of n8n's list of a workflow: its last entries and its last recording. */
interface WorkflowMemory {
	recent: string[];
	last: Promise<unknown>;
}

const memories = new Map<string | undefined, WorkflowMemory>();

/** Records candidates and returns those that start the workflow: after a failure, all that this process does not know. */
async function record(
	memory: WorkflowMemory,
	candidates: Candidate[],
	helpers: IExecuteFunctions['helpers'],
) {
	const added = candidates.flatMap(({ keys, claims }) => [...keys, ...claims]);
	const entries = [...new Set([...memory.recent, ...added])];
	const maxEntries = Math.max(LISTED_ENTRIES, entries.length);
	const options = { mode: 'entries', maxEntries } as const;
	let failure: string | undefined;
	const fail = (error: unknown) => {
		failure = String(error);
	};
	const recorded = await helpers.checkProcessedAndRecord(entries, 'workflow', options).catch(fail);
	const known = new Set([...memory.recent, ...(recorded?.processed.map(String) ?? [])]);
	const admitted = new Set<Candidate>();
	for (const candidate of candidates) {
		const { keys, claims } = candidate;
		const isKnown = keys.some((key) => known.has(key));
		if (isKnown && !claims.some((claim) => known.has(claim))) continue;
		admitted.add(candidate);
		for (const entry of [...keys, ...claims]) {
			known.add(entry);
			memory.recent.push(entry);
		}
	}
	memory.recent = [...new Set(memory.recent)].slice(-RECENT_ENTRIES);
	// A dropped item leaves no entry: it would drop a later event with the same key, or admit one with the same claim.
	const traces = entries.filter((entry) => !known.has(entry));
	if (traces.length > 0) await helpers.removeProcessed(traces, 'workflow', options).catch(fail);
	return { admitted, failure };
}
