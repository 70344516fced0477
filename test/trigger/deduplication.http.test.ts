import { randomUUID } from 'node:crypto';

import { DataDeduplicationService, type ExecuteContext } from 'n8n-core';
import {
	type IDataDeduplicator,
	type IDataObject,
	type INode,
	type INodeParameters,
	NodeConnectionTypes,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { createNode } from '../../dev/harness/core/credentials.ts';
import { knownNodeTypes } from '../../dev/harness/core/runNode.ts';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { scripts } from '../support/scripts.ts';
import { createFirstStep } from '../support/trigger';

/** As n8n's own: reads the list of a workflow, and writes it back some time later, without a lock. */
class Deduplicator implements IDataDeduplicator {
	lists = new Map<string, unknown[]>();

	/** Why the list of a workflow cannot be read: by the database, or a Remove Duplicates node in another mode. */
	failure: string | undefined;

	/** Workflows whose list takes until a promise has settled. */
	slow = new Map<string, Promise<unknown>>();

	/** The longest list that was asked for. */
	limit = 0;

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		scope,
		{ workflow: { id } },
		{ mode, maxEntries = 0 },
	) => {
		if (this.failure !== undefined) throw new Error(this.failure);
		expect([scope, mode]).toEqual(['workflow', 'entries']);
		this.limit = Math.max(this.limit, maxEntries);
		const list = this.lists.get(id) ?? [];
		await this.slow.get(id);
		const known = new Set(list);
		const isNew = (item: unknown) => !known.has(item);
		this.lists.set(id, [...list, ...items.filter(isNew)].slice(-maxEntries));
		return { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (items, scope, { workflow }) => {
		await Promise.resolve();
		expect(scope).toBe('workflow');
		const list = this.lists.get(workflow.id) ?? [];
		this.lists.set(
			workflow.id,
			list.filter((entry) => !items.includes(entry as string)),
		);
	};

	clearAllProcessedItems = async () => await Promise.resolve();

	getProcessedDataCount = async () => await Promise.resolve(0);
}

const deduplicator = new Deduplicator();
beforeAll(async () => await DataDeduplicationService.init(deduplicator));
beforeEach(() => Object.assign(deduplicator, { failure: undefined, limit: 0 }));
afterEach(() => jest.restoreAllMocks());

const CARD = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const BOTH = ['approved', 'declined'];

/** What the words of a trigger set. */
const SETTINGS: Record<string, Partial<INode> & { parameters?: INodeParameters }> = {
	approved: { parameters: { events: ['approved'] } },
	declined: { parameters: { events: ['declined'] } },
	declinedToo: { parameters: { events: BOTH } },
	own: { parameters: { events: BOTH, filters: { currencies: 'USD', cardIds: CARD } } },
	turned: {
		parameters: {
			events: 'declined,approved',
			filters: { cardIds: CARD.toUpperCase(), currencies: ' usd,USD' },
		},
	},
	computed: { parameters: { events: BOTH, filters: { currencies: '=USD', cardIds: CARD } } },
	once: { parameters: { options: { everyApproval: false, timestampTolerance: 1 } } },
	all: { parameters: { events: ['all'] } },
	large: { parameters: { filters: { minimumAmount: '1000' } } },
	every: { parameters: { options: { everyApproval: true } } },
	off: { parameters: { options: { deduplicate: false } } },
	end: { parameters: { responseMode: 'lastNode' } },
	disabled: { disabled: true },
	step: { type: createNode('cardPlatform', {}).type },
};

/** A trigger such as `w2@Name.approved.end>First+Second:1`, and the nodes that it starts, perhaps at another input. */
function toTrigger(text: string): { node: INode; main: object[] } {
	const [head = '', targets = 'First'] = text.split('>');
	const [place = '', ...words] = head.split('.');
	const [id = '', name = id] = place.split('@');
	const { parameters, ...more } = words.reduce(
		(all, word) => {
			const { parameters: added, ...others } = SETTINGS[word] ?? {};
			return { ...all, ...others, parameters: { ...all.parameters, ...added } };
		},
		{ id, name, parameters: {} },
	);
	const type = id.startsWith('p') ? 'cardPlatformPollingTrigger' : 'cardPlatformTrigger';
	const node = createNode(type, parameters, more);
	const main = targets.split('+').map((target) => {
		const [to = '', index = '0'] = target.split(':');
		return { node: to, type: NodeConnectionTypes.Main, index: Number(index) };
	});
	return { node, main: targets === '-' ? [] : main };
}

const NEXT = ['First', 'Second'].map((name) => createNode('cardPlatform', {}, { id: name, name }));

/** A workflow with triggers and two other nodes. */
function createWorkflow(layout: string, id: string = randomUUID()): Workflow {
	const triggers = layout.split(' ').map(toTrigger);
	return new Workflow({
		id,
		name: 'Cards',
		nodes: [...triggers.map(({ node }) => node), ...NEXT],
		connections: Object.fromEntries(
			triggers.map(({ node, main }) => [node.name, { main: [main] }]),
		) as never,
		active: true,
		nodeTypes: knownNodeTypes,
	});
}

/** Events such as `e1`, `e0..9`, `e1*20`, or `a/t1`: a, which approves the purchase t1. */
function toEvents(words: string): IDataObject[] {
	return words.split(/\s+/).flatMap((word) => {
		const [, letter = '', from = '', to = ''] = /^(\w)(\d+)\.\.(\d+)$/.exec(word) ?? [];
		if (to !== '')
			return Array.from({ length: Number(to) - Number(from) + 1 }, (_, more) => ({
				id: `${letter}${Number(from) + more}`,
			}));
		const [id = '', times = '1'] = word.split('*');
		const [event, transactionId] = id.split('/');
		const approval = { id: event, transactionId, isSuccess: true, amountDirection: 'debit' };
		if (event === '') return [];
		return Array<IDataObject>(Number(times)).fill(transactionId === undefined ? { id } : approval);
	});
}

/** Runs the first step of an execution that events have started; gives the IDs of those that passed. */
async function execute(
	workflow: Workflow,
	name: string,
	events: IDataObject[],
	mode?: string,
	onContext: (context: ExecuteContext) => void = () => undefined,
): Promise<unknown[]> {
	const node = workflow.getNode(name);
	if (node === null) throw new Error(`There is no trigger ${name}`);
	const isPolling = node.type.endsWith('PollingTrigger');
	const own = isPolling ? 'trigger' : 'webhook';
	const context = createFirstStep(workflow, node, {}, (mode ?? own) as WorkflowExecuteMode, events);
	onContext(context);
	const type = isPolling ? new CardPlatformPollingTrigger() : new CardPlatformTrigger();
	const [passed = []] = await type.execute.call(context);
	return passed.map(({ json }) => json.id);
}

/**
 * Steps for the triggers of a workflow:
 * - `w e1 e2 = e2` an execution of w with two events, of which the second passes; `w:retry` in another mode
 * - `w& e1 e2 = e1` an execution for each event, all started together; `all e1 =` of each trigger
 * - `as w p` the workflow is edited; `another` a workflow like it; `moved w` that list, as another process finds it
 * - `fails`, `works` n8n's list; `overwritten` it lost all entries; `has 4` entries; `limit 8000` it keeps
 */
const check = scripts((layout) => {
	let workflow = createWorkflow(layout);
	const steps: Record<string, (words: string) => unknown> = {
		as: (edited) => (workflow = createWorkflow(edited, workflow.id)),
		another: () => (workflow = createWorkflow(layout)),
		moved(edited) {
			const list = deduplicator.lists.get(workflow.id) ?? [];
			workflow = createWorkflow(edited);
			deduplicator.lists.set(workflow.id, list);
		},
		fails: () => (deduplicator.failure = 'database is locked'),
		works: () => (deduplicator.failure = undefined),
		overwritten: () => deduplicator.lists.clear(),
		has: (count) => expect(deduplicator.lists.get(workflow.id)).toHaveLength(Number(count)),
		limit: (entries) => expect(deduplicator.limit).toBe(Number(entries)),
	};
	return async (step) => {
		const [verb = ''] = step.split(' ');
		const words = step.slice(verb.length + 1);
		const other = steps[verb];
		if (other !== undefined) {
			other(words);
			return;
		}
		const [who = '', mode] = verb.replace('&', '').split(':');
		const [given = [], passing] = words.split(/ ?= ?/).map(toEvents);
		const names = who === 'all' ? Object.keys(workflow.connectionsBySourceNode) : [who];
		const batches = verb.endsWith('&') ? given.map((event) => [event]) : [given];
		for (const name of names) {
			const passed = await Promise.all(
				batches.map(async (events) => await execute(workflow, name, events, mode)),
			);
			expect(passed.flat()).toEqual(passing?.map(({ id }) => id));
		}
	};
});

describe('an event', () => {
	check(`
		passes once | w | w e1 = e1; w e1 =; w e2 = e2; w e2 e3 = e3
		passes once if 20 executions start together | w | w& e1*20 = e1
		is recorded, though others are recorded at the same time | w | w& e0..19 = e0..19; has 20
		passes in a manual run, and is not recorded | w | w:manual e1 = e1; w:manual e1 = e1; w e1 = e1; w:manual e1 = e1
		so it does in a retry | w | w:retry e1 = e1; w:retry e1 = e1; w e1 = e1; w:retry e1 = e1
		so it does in a retry of a poll | p | p:retry e1 = e1; p:retry e1 = e1
		passes with Ignore Repeated Events off | w.off p.off | w e1 = e1; w e1 = e1; p e1 = e1; p e1 = e1
		passes again with When Last Node Finishes, as its execution may have failed | w.end | w e1 = e1; w e1 = e1
		passes once for each workflow | w | w e1 = e1; another; w e1 = e1
		is one of 200 executions of a poll, which may be repeated | p | p& e0..199 = e0..199; p& e0..199 =
		is not pushed out by many others of its execution | p | p e0..11999 = e0..11999; p e0..11999 =
	`);
});

describe('a purchase', () => {
	check(`
		passes once, with the first event that approves it | w.approved | w a/t1 = a; w c/t1 =; w a/t1 =; w a2/t2 = a2
		passes once of executions that start together | w.approved | w& a/t1 c/t1 = a
		passes again with its first event only, if its execution may have failed | w.approved.end | w a/t1 = a; w b/t1 =; w c/t1 =; w b/t1 =; w a/t1 = a
		passes with each event with Each Approved Step | w.approved.every p.approved.every>Second | w a/t1 c/t1 = a c; p a/t1 = a; p c/t1 = c
		passes with each event with All Events | w.all | w a/t1 c/t1 = a c
		passes with each event with Ignore Repeated Events off | w.approved.off | w a/t1 c/t1 = a c
	`);
});

describe('if n8n cannot read its list', () => {
	check(`
		no event is lost, and each passes once in this process | w | fails; w& e1*20 = e1; w e2 e3 = e2 e3
		what has passed does not pass again later | w | fails; w e1 = e1; works; w e1 e2 = e2; w e1 e2 =
		both triggers remember in this process | w p | fails; w e1 = e1; p e1 e2 = e2
	`);
});

describe('what another worker has overwritten', () => {
	check(`
		is put back with the next event | w.approved.end | w a/t1 = a; overwritten; w b/t2 = b; has 4; moved w.approved; w c/t1 =
		does not pass again either | w | w e1 = e1; overwritten; w e1 e2 = e2
		is remembered for the last 400 entries, as n8n reads and writes them each time | w | w e0..400 = e0..400; overwritten; w e0..400 = e0
	`);
});

describe('both triggers of a workflow', () => {
	check(`
		run an event once, whichever way it comes first | w p | w e1 = e1; p e1 e2 = e2; w e2 =; limit 8000
		run a purchase once, if its clearing comes the other way | w.approved p.approved | w a/t1 = a; p c/t1 b/t2 = b; w d/t2 =
		let a delivery come again, but not by a poll | w.end p | w e1 = e1; w e1 = e1; p e1 e2 = e2; w e2 =
		run it each, if they start different nodes | w p>Second | w e1 = e1; p e1 = e1; p e1 =
		run it each, if one starts another node, too | w p>First+Second | w e1 = e1; p e1 = e1; p e1 =
		run it each, if one starts no node | w p>- | w e1 = e1; p e1 = e1; p e1 =
		run it each, if they start different inputs of a node | w p>First:1 | w e1 = e1; p e1 = e1; p e1 =
		run it each, if their filters differ | w.approved w2.approved.large | w a/t1 = a; w2 c/t1 = c; all c/t1 =
		run an event once, in whatever order and form types and filters are | w.own w2.turned | w e1 = e1; w2 e1 =
		run it each, if an expression sets a filter of one | w.own w2.computed | w e1 = e1; w2 e1 = e1
		run an event once, whatever other options are | w w2.once | w e1 = e1; w2 e1 =
		run it each, if one has Each Approved Step | w.approved w2.approved.every | w e1 = e1; w2 e1 = e1
		run it each, if Trigger On differs | w.approved w2.declinedToo | w a/t1 = a; w2 c/t1 = c; all c/t1 =
		run it each, if they have one type each | w.approved w2.declined | w e1 = e1; w2 e1 = e1
		run a clearing by All Events that Approved drops | w.approved p.all | w a/t1 = a; w c/t1 =; p c/t1 = c
		have separate memories, though they have one node ID | w.approved w@x.approved>First:1 | w a/t1 = a; x a/t1 = a; all c/t1 =
		may be connected to a node that is missing | w.approved>First+Gone | w a/t1 c/t1 = a
	`);
});

describe('an edit', () => {
	const forgetsNothing = ([name, before, after]: [string, string, string]) =>
		`runs nothing again: ${name} | ${before} | w e0..9 = e0..9; as ${after}; all e0..9 =`;
	const edits: [string, string, string][] = [
		['one more node after the webhook trigger', 'w p', 'w>First+Second p'],
		['one more node after the polling trigger', 'w p', 'w p>First+Second'],
		['other nodes after both', 'w p', 'w>Second p>Second'],
		['no node after both', 'w p', 'w>- p>-'],
		['a second webhook trigger', 'w p', 'w w2 p'],
		['a polling trigger beside the webhook trigger', 'w', 'w p'],
		['the webhook trigger deleted', 'w p', 'p'],
		['the polling trigger deleted', 'w p', 'w'],
		['the polling trigger replaced', 'w p', 'w p2'],
		['the polling trigger enabled', 'w p.disabled', 'w p'],
		['the webhook trigger disabled', 'w p', 'w.disabled p'],
		['both renamed', 'w p', 'w@x p@y'],
	];
	check(`
		${edits.map(forgetsNothing).join('\n')}
		runs nothing again if a step gets the ID of the trigger | w | w e1 = e1; as w w@x.step; w e1 =
		does not let a new poll repeat what a trigger that responds at the end has run | w.end | w e1 = e1; as w.end p; p e1 =
		lets a new trigger run each event, though it has the name of another, if it starts other nodes | w p | w e1 = e1; as w p2@p>Second; p e1 = e1
		makes nothing of what was dropped for another trigger | w.approved>Second w2.approved | w2 a/t1 = a; as w.approved w2.approved; w c/t1 =; as w.approved>Second w2.approved; w b/t1 = b
	`);
});

test('a workflow does not wait for the list of another', async () => {
	const [slow, other] = [createWorkflow('w'), createWorkflow('w')];
	let end: () => void = () => undefined;
	deduplicator.slow.set(slow.id, new Promise<void>((done) => (end = done)));
	const waiting = execute(slow, 'w', [{ id: 'e1' }]);
	expect(await execute(other, 'w', [{ id: 'e1' }])).toEqual(['e1']);
	end();
	expect(await waiting).toEqual(['e1']);
});

test.each([
	['w', 'e1 e1 e2', undefined, [['debug', 'ignored a delivery: duplicate', 'e1']]],
	['p', 'e1 e1 e2', undefined, [['debug', 'ignored an event: duplicate', 'e1']]],
	['w.approved', 'a/t1 c/t1', undefined, [['debug', 'ignored a delivery: same-purchase', 'c']]],
	[
		'w.approved',
		'a/t1',
		'database is locked',
		[
			[
				'error',
				'could not check for duplicates and let the event through: Error: database is locked',
				'a',
			],
		],
	],
])('the log has a line for what is dropped or could not be checked: %s %s', async (...row) => {
	const [trigger, events, failure, expected] = row;
	deduplicator.failure = failure;
	const logged: unknown[] = [];
	const workflow = createWorkflow(trigger);
	const name = trigger.slice(0, 1);
	const mode = name === 'p' ? 'trigger' : 'webhook';
	const delivery = { source: name === 'p' ? 'polling' : 'webhook' };
	const given = toEvents(events).map((event) => ({ ...event, delivery }));
	await execute(workflow, name, given, mode, ({ logger }) => {
		for (const level of ['debug', 'info', 'warn', 'error'] as const)
			jest.spyOn(logger, level).mockImplementation((...line) => void logged.push([level, ...line]));
	});
	expect(logged).toEqual(
		expected.map(([level, what, eventId]) => [
			level,
			`Card Platform ${mode === 'trigger' ? 'Polling ' : ''}Trigger ${what} (workflow "Cards" ${workflow.id}, node "${name}", event ${eventId})`,
		]),
	);
});

test('a poll whose events have all run says why its execution is empty', async () => {
	const workflow = createWorkflow('p');
	const hints: unknown[] = [];
	for (const events of ['e1 e2', 'e2 e3', 'e1'])
		await execute(workflow, 'p', toEvents(events), 'trigger', (context) =>
			jest.spyOn(context, 'addExecutionHints').mockImplementation((hint) => void hints.push(hint)),
		);
	const message = expect.stringMatching(/^Nothing new: .* Number of events: 1\. /);
	expect(hints).toEqual([{ type: 'info', location: 'outputPane', message }]);
});
