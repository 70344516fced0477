import { createHash } from 'node:crypto';

import type { FunctionsBase, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { isDataObject } from '../api/json';
import { logTrigger } from '../api/log';
import { toText } from '../api/values';
import { ALL, type EventChoice, parseEventTypes } from './eventTypes';
import { meaningOf } from './filters';

/** How many starts this process remembers, of about 200 bytes each. */
const MAX_RECENT_STARTS = 10_000;

/** Entries in n8n's list of a workflow, which it reads and writes as a whole: 6 ms for 10 000. A Remove Duplicates node takes 10 000 at most. */
export const LISTED_ENTRIES = 8_000;

/** The last entries of a workflow are recorded again with the next ones, because another worker may have overwritten them. */
const RECENT_ENTRIES = 400;

type NodeContext = Pick<FunctionsBase, 'getWorkflow' | 'getNode'>;

/** The last events that started a workflow in this process, by trigger and key. */
const recentStarts = new Map<string, string>();

/**
 * Looks an event up in the memory of this process, so that a duplicate starts no execution.
 *
 * @param mayRepeat true: the event that claimed the key may come again, so only the execution can tell which it was
 * @returns why the event must start nothing, or undefined; and a function that remembers its start
 */
export function findPriorStart(
	context: NodeContext,
	item: Record<string, unknown>,
	choice: EventChoice,
	mayRepeat: boolean,
): { reason: 'duplicate' | 'same-purchase' | undefined; remember: () => void } {
	const event = eventKey(item);
	const key = mayRepeat ? event : dedupeKey(item, choice);
	const triggers = findEquivalent(context);
	const placeOf = (id: string) => `${context.getWorkflow().id}:${id}:${key}`;
	const starter = recentStarts.get(placeOf(triggers[0]));
	const remember = () => {
		for (const id of triggers) recentStarts.set(placeOf(id), event);
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
 * @param everyApproval the option "Each Approved Step"
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
		for (const entry of [...keys, ...claims]) known.add(entry);
		memory.recent.push(...keys, ...claims);
	}
	memory.recent = [...new Set(memory.recent)].slice(-RECENT_ENTRIES);
	// An item that is dropped must not drop or admit another event later.
	const traces = entries.filter((entry) => !known.has(entry));
	if (traces.length > 0) await helpers.removeProcessed(traces, 'workflow', options).catch(fail);
	return { admitted, failure };
}

/**
 * Finds the equivalent triggers: those that start the same nodes for the same events. They are of either kind, perhaps
 * disabled, with the same Trigger On, filters (however written), Each Approved Step and direct connections.
 *
 * @returns names of their memories, which survive a rename: the trigger's own first, perhaps twice
 */
function findEquivalent(context: Pick<FunctionsBase, 'getNode'>): [string, ...string[]] {
	const own = context.getNode();
	const { nodes, connectionsBySourceNode } = contextSchema.parse(context).workflow;
	const triggers = Object.values(nodes).filter(({ type }) =>
		/\.cardPlatform(Polling)?Trigger$/.test(type),
	);
	/** Everything that decides which events start which nodes. */
	const behaviorOf = ({ name, parameters }: { name: string; parameters?: unknown }): string => {
		const { events = ALL, filters, options } = isDataObject(parameters) ? parameters : {};
		const everyApproval = isDataObject(options) && options.everyApproval === true;
		const targets = connectionsBySourceNode[name]?.main[0] ?? [];
		const types = [events].flat().flatMap((each) => toText(each)?.split(/\s*,\s*/));
		const meanings = Object.entries(filters ?? {}).map((filter) => [
			filter[0],
			meaningOf(...filter),
		]);
		const lists = [types, meanings, targets];
		const sorted = lists.map((list) => list.map((each) => JSON.stringify(each)).sort());
		return JSON.stringify([...sorted, everyApproval]);
	};
	// An import can bring two nodes with one ID.
	const memoryOf = ({ id, name }: { id: string; name: string }) =>
		triggers.filter((each) => each.id === id).length > 1 ? `${id} ${name}` : id;
	const equivalent = triggers.filter(
		(each) => behaviorOf(each) === behaviorOf(nodes[own.name] ?? own),
	);
	return [memoryOf(own), ...equivalent.map(memoryOf)];
}

/** Every context of n8n has its workflow, but its type does not. */
const contextSchema = z
	.object({
		workflow: z.object({
			nodes: z.record(
				z.string(),
				z.object({ id: z.string(), name: z.string(), type: z.string(), parameters: z.unknown() }),
			),
			connectionsBySourceNode: z.record(
				z.string(),
				z.object({ main: z.array(z.array(z.unknown()).nullish()).default([]) }),
			),
		}),
	})
	.catch({ workflow: { nodes: {}, connectionsBySourceNode: {} } });

/** The key of what must start the workflow once: the purchase, if only its first approval counts, or else the event. */
export function dedupeKey(item: Record<string, unknown>, { purchaseOf }: EventChoice): string {
	const purchase = purchaseOf(item);
	return purchase === undefined ? eventKey(item) : digest(`purchase:${purchase}`);
}

/**
 * The key of an event, from its signed content: its `id` (§2), or all of it if it has no id. The header
 * `X-Webhook-Event-Id` is not signed (§6), so a replay could carry any.
 *
 * @param item as a trigger emits it
 * @returns 64 hex digits
 */
export function eventKey(item: Record<string, unknown>): string {
	const { fromEvent, changeId } = deliveryOf(item);
	if (typeof changeId === 'string') return digest(`change:${changeId}`);
	const event: Record<string, unknown> = { ...item, delivery: fromEvent };
	const { id } = event;
	const isId = typeof id === 'string' && id !== '';
	return digest(isId ? `id:${id}` : `content:${JSON.stringify(event)}`);
}

const deliveryOf = ({ delivery }: Record<string, unknown>) =>
	isDataObject(delivery) ? delivery : {};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Key of the trigger, unique in this n8n. An import can bring two nodes with one ID. */
export function nodeKey(context: NodeContext): string {
	const { id, name } = context.getNode();
	return `${context.getWorkflow().id}:${id}:${name}`;
}
