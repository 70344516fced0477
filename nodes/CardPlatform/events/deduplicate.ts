import { createHash } from 'node:crypto';

import type { FunctionsBase, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { isDataObject } from '../api/json';
import { ALL, type EventChoice, parseEventTypes } from './eventTypes';
import { logLine } from './log';

/** Starts that this process remembers; about 200 bytes each. */
const STARTS = 10_000;

/** Entries in n8n's list of a workflow, which it reads and writes as a whole: 6 ms for 10 000. A Remove Duplicates node takes 10 000 at most. */
const LISTED_ENTRIES = 8_000;

/** The last entries of a workflow are recorded again with the next ones, as another worker may have overwritten them. */
const RECENT_ENTRIES = 400;

type NodeContext = Pick<FunctionsBase, 'getWorkflow' | 'getNode'>;

/** The last events that started a workflow by this process. */
const starts = new Map<string, string>();

/**
 * Looks an event up in the memory of this process, so that a duplicate starts no execution.
 *
 * @param mayRepeat true: the event that took the key may come again, so only the execution can tell which it was
 * @returns why it must start nothing, or undefined; and what remembers that it has started the workflow
 */
export function findStart(
	context: NodeContext,
	item: Record<string, unknown>,
	choice: EventChoice,
	mayRepeat: boolean,
): { dropped: 'duplicate' | 'same-purchase' | undefined; remember: () => void } {
	const event = eventKey(item);
	const triggers = findAgreeing(context).sort();
	const key = mayRepeat ? event : dedupeKey(item, choice);
	const place = [context.getWorkflow().id, ...triggers, key].join(':');
	const starter = starts.get(place);
	const remember = () => {
		starts.set(place, event);
		const [oldest] = starts.keys();
		if (starts.size > STARTS && oldest !== undefined) starts.delete(oldest);
	};
	if (starter === undefined) return { dropped: undefined, remember };
	return { dropped: starter === event ? 'duplicate' : 'same-purchase', remember };
}

/** What has started each workflow. */
const memories = new Map<string, WorkflowMemory>();

/**
 * Keeps the items that have not started the workflow yet (§6: delivery is at-least-once), and records them in n8n's
 * database, for this trigger and for those that agree with it. If the database fails, items pass that this process
 * does not know: twice is better than never.
 *
 * @param everyApproval the option
 * @param mayRepeat true: the event that took its key through this trigger passes again, as its execution may have failed
 */
export async function keepNewEvents(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	{ everyApproval, mayRepeat = false }: { everyApproval: boolean; mayRepeat?: boolean },
): Promise<INodeExecutionData[]> {
	const events = context.getNodeParameter('events', 0);
	const choice = parseEventTypes(events, 'Trigger On', everyApproval);
	const triggers = findAgreeing(context);
	const candidates = items.map(({ json }): Candidate => {
		const key = dedupeKey(json, choice);
		const claims = mayRepeat ? [`${triggers[0]}:${key}:${eventKey(json)}`] : [];
		return { keys: triggers.map((id) => `${id}:${key}`), claims };
	});
	const workflowId = `${context.getWorkflow().id}`;
	const memory = memories.get(workflowId) ?? new WorkflowMemory();
	memories.set(workflowId, memory);
	const { admitted, failure } = await memory.admit(candidates, context.helpers);

	const lineOf = ({ json }: INodeExecutionData, reason: string) =>
		logLine(context, reason, [json.id, deliveryOf(json).eventId]);
	const newItems = items.filter((item, index) => {
		if (admitted[index] === true) return true;
		const isPurchase = choice.purchaseOf(item.json) !== undefined;
		const line = lineOf(item, isPurchase ? 'same-purchase' : 'duplicate');
		context.logger.debug(`Card Platform Trigger ignored a delivery: ${line}`);
		return false;
	});
	const [first] = newItems;
	if (failure !== undefined && first !== undefined) {
		const what = 'could not check for duplicates and let the event through';
		context.logger.error(`Card Platform Trigger ${what}: ${lineOf(first, failure)}`);
	}
	return newItems;
}

/** What n8n's list knows of an item. */
interface Candidate {
	/** Its key for each trigger that agrees. */
	keys: string[];
	/** Where the event that has taken the key may come again: an entry that only this event makes. */
	claims: string[];
}

type Helpers = Pick<IExecuteFunctions['helpers'], 'checkProcessedAndRecord' | 'removeProcessed'>;

/** What has started a workflow. n8n reads, changes and writes its list without a lock: one recording at a time. */
class WorkflowMemory {
	private recent: string[] = [];

	private last: Promise<unknown> = Promise.resolve();

	/** Records candidates, and tells which of them start the workflow; with a failure, those that this process does not know. */
	async admit(candidates: Candidate[], helpers: Helpers) {
		const outcome = this.last.then(async () => await this.record(candidates, helpers));
		this.last = outcome.catch(() => undefined);
		return await outcome;
	}

	private async record(candidates: Candidate[], helpers: Helpers) {
		const added = candidates.flatMap(({ keys, claims }) => [...keys, ...claims]);
		const entries = [...new Set([...this.recent, ...added])];
		const maxEntries = Math.max(LISTED_ENTRIES, entries.length);
		const options = { mode: 'entries', maxEntries } as const;
		let failure: string | undefined;
		const fail = (error: unknown) => {
			failure = String(error);
		};
		const recorded = await helpers
			.checkProcessedAndRecord(entries, 'workflow', options)
			.catch(fail);
		const known = new Set([...this.recent, ...(recorded?.processed.map(String) ?? [])]);
		const admitted = candidates.map(({ keys, claims }) => {
			const isKnown = keys.some((key) => known.has(key));
			if (isKnown && !claims.some((claim) => known.has(claim))) return false;
			for (const entry of [...keys, ...claims]) known.add(entry);
			this.recent.push(...keys, ...claims);
			return true;
		});
		this.recent = [...new Set(this.recent)].slice(-RECENT_ENTRIES);
		// What is dropped must not drop or admit another event later.
		const traces = entries.filter((entry) => !known.has(entry));
		if (traces.length > 0) await helpers.removeProcessed(traces, 'workflow', options).catch(fail);
		return { admitted, failure };
	}
}

/**
 * Finds the triggers that agree with this one: of either kind, also disabled ones, with the same Trigger On,
 * filters, Each Approved Step and direct connections. What starts one of them must not start another.
 *
 * @returns names of their memories, which survive a rename: the trigger's own first
 */
function findAgreeing(context: Pick<FunctionsBase, 'getNode'>): [string, ...string[]] {
	const own = context.getNode();
	const { data } = contextSchema.safeParse(context);
	if (data === undefined) return [own.id];
	const { nodes, connectionsBySourceNode: connections } = data.workflow;
	const triggers = Object.values(nodes).filter(({ type }) =>
		/\.cardPlatform(Polling)?Trigger$/.test(type),
	);
	const behaves = ({ name }: { name: string }) =>
		behaviorOf(nodes[name]?.parameters, connections[name]?.main?.[0] ?? []);
	// An import can bring two nodes with one ID.
	const memoryOf = ({ id, name }: { id: string; name: string }) =>
		triggers.filter((each) => each.id === id).length > 1 ? `${id} ${name}` : id;
	const agreeing = triggers.filter((each) => behaves(each) === behaves(own));
	return [memoryOf(own), ...agreeing.filter(({ name }) => name !== own.name).map(memoryOf)];
}

/** What decides for which events a trigger starts which nodes. */
function behaviorOf(parameters: unknown, targets: z.infer<typeof targetsSchema>): string {
	const { events = ALL, filters, options } = isDataObject(parameters) ? parameters : {};
	const everyApproval = isDataObject(options) && options.everyApproval === true;
	const sorted = [[events].flat(), Object.entries(filters ?? {}), targets].map((list) =>
		list.map((each) => JSON.stringify(each)).sort(),
	);
	return JSON.stringify([...sorted, everyApproval]);
}

const nodeSchema = z.object({
	id: z.string(),
	name: z.string(),
	type: z.string(),
	parameters: z.unknown(),
});

const targetsSchema = z.array(z.object({ node: z.string(), type: z.string(), index: z.number() }));

/** Every context of n8n has its workflow, though not in its type. */
const contextSchema = z.object({
	workflow: z.object({
		nodes: z.record(z.string(), nodeSchema),
		connectionsBySourceNode: z.record(
			z.string(),
			z.object({ main: z.array(targetsSchema.nullish()).nullish() }),
		),
	}),
});

/** Names what must start the workflow once: the purchase, where only its first approval counts, or the event. */
export function dedupeKey(item: Record<string, unknown>, { purchaseOf }: EventChoice): string {
	const purchase = purchaseOf(item);
	return purchase === undefined ? eventKey(item) : digest(`purchase:${purchase}`);
}

/**
 * Names an event by its signed content: its `id` (§2), or all of it if it has no id. The header
 * `X-Webhook-Event-Id` is not signed (§6), so a replay could carry any.
 *
 * @param item what a trigger emits for the event
 * @returns 64 hex digits
 */
export function eventKey(item: Record<string, unknown>): string {
	const event: Record<string, unknown> = { ...item, delivery: deliveryOf(item).fromEvent };
	const { id } = event;
	const isId = typeof id === 'string' && id !== '';
	return digest(isId ? `id:${id}` : `content:${JSON.stringify(event)}`);
}

const deliveryOf = ({ delivery }: Record<string, unknown>) =>
	isDataObject(delivery) ? delivery : {};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Names a trigger among all of this n8n. An import can bring two nodes with one ID. */
export function nodeKey(context: NodeContext): string {
	const { id, name } = context.getNode();
	return `${context.getWorkflow().id}:${id}:${name}`;
}
