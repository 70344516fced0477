import { DataDeduplicationService, type ExecuteContext } from 'n8n-core';
import {
	type IDataDeduplicator,
	type IDataObject,
	type INode,
	type INodeParameters,
	NodeConnectionTypes,
	type NodeExecutionHint,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import type { Credentials } from '../../dev/harness/core/credentials.ts';
import { createNode, knownNodeTypes } from '../../dev/harness/core/runNode.ts';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { createPollingTrigger } from '../support/pollingTrigger';
import { createFirstStep, createTriggerWorkflow } from '../support/trigger';

const trigger = new CardPlatformTrigger();

/** As n8n's own: reads the list of a node, and writes it back some time later, without a lock. */
class Deduplicator implements IDataDeduplicator {
	lists = new Map<string, unknown[]>();

	limits: unknown[] = [];

	isBroken = false;

	/** True: a Remove Duplicates node has the list of the workflow in another mode. */
	isTaken = false;

	/** Workflows whose list takes until a promise has settled. */
	slow = new Map<string | undefined, Promise<unknown>>();

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		scope,
		{ node, workflow },
		{ mode, maxEntries = 0 },
	) => {
		if (this.isBroken) throw new Error('database is locked');
		this.limits.push([scope, mode, maxEntries]);
		const key = `${workflow.id} ${scope === 'node' ? (node?.id ?? '') : ''}`;
		if (scope === 'workflow' && this.isTaken) throw new Error('other mode');
		const list = this.lists.get(key) ?? [];
		await this.slow.get(workflow.id);
		const known = new Set(list);
		const isNew = (item: unknown) => !known.has(item);
		this.lists.set(key, [...list, ...items.filter(isNew)].slice(-maxEntries));
		return { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
	};

	removeProcessed: IDataDeduplicator['removeProcessed'] = async (items, scope, { workflow }) => {
		await Promise.resolve();
		expect(scope).toBe('workflow');
		const key = `${workflow.id} `;
		const list = this.lists.get(key) ?? [];
		this.lists.set(
			key,
			list.filter((entry) => !items.includes(entry as string)),
		);
	};

	clearAllProcessedItems = async () => await Promise.resolve();

	getProcessedDataCount = async () => await Promise.resolve(0);
}

const deduplicator = new Deduplicator();
beforeAll(async () => {
	await DataDeduplicationService.init(deduplicator);
});
beforeEach(() => {
	deduplicator.lists.clear();
	deduplicator.limits = [];
	deduplicator.isBroken = false;
	deduplicator.isTaken = false;
	deduplicator.slow.clear();
});
afterEach(() => {
	jest.restoreAllMocks();
});

/** An event, or the ID of one. */
type Event = IDataObject | string;

const toEvent = (event: Event): IDataObject => (typeof event === 'string' ? { id: event } : event);

/** An event that approves a purchase. */
const approval = (id: string, transactionId: string) => ({
	id,
	transactionId,
	isSuccess: true,
	amountDirection: 'debit',
});

const credentials: Credentials = { cardPlatformWebhookApi: { signingSecret: 'new' } };

/** A trigger in a workflow of its own; each run is an execution that n8n has started. */
function prepare(
	parameters: INodeParameters = {},
	onContext: (context: ExecuteContext) => void = () => undefined,
) {
	const node = createNode('cardPlatformTrigger', parameters);
	const workflow = createTriggerWorkflow(node);
	const run = async (events: Event[], mode: WorkflowExecuteMode = 'webhook') => {
		const items = events.map(toEvent);
		const context = createFirstStep(workflow, node, credentials, mode, items);
		onContext(context);
		const [passed = []] = await trigger.execute.call(context);
		return passed.map(({ json }) => json.id);
	};
	return Object.assign(run, { workflowId: workflow.id });
}

test('an event passes once', async () => {
	const run = prepare();
	expect(await run(['e1'])).toEqual(['e1']);
	expect(await run(['e1'])).toEqual([]);
	expect(await run(['e2'])).toEqual(['e2']);
});

test('of 20 executions that start together one passes', async () => {
	const run = prepare();
	const passed = await Promise.all(Array.from({ length: 20 }, async () => await run(['e1'])));
	expect(passed.flat()).toEqual(['e1']);
});

test('recordings of one process do not overwrite each other', async () => {
	const run = prepare();
	const ids = Array.from({ length: 20 }, (_, number) => `e${number}`);
	const passed = await Promise.all(ids.map(async (id) => await run([id])));
	expect(passed.flat()).toEqual(ids);
	expect(deduplicator.lists.get(`${run.workflowId} `)).toHaveLength(20);
});

test('of several events the new ones pass', async () => {
	const run = prepare();
	await run(['e1']);
	expect(await run(['e1', 'e2'])).toEqual(['e2']);
});

test.each<WorkflowExecuteMode>(['manual', 'retry', 'cli', 'evaluation'])(
	'in the mode %s everything passes and nothing is recorded',
	async (mode) => {
		const run = prepare();
		expect(await run(['e1'], mode)).toEqual(['e1']);
		expect(await run(['e1'], mode)).toEqual(['e1']);
		expect(await run(['e1'])).toEqual(['e1']);
		expect(await run(['e1'], mode)).toEqual(['e1']);
	},
);

test('with the option off everything passes', async () => {
	const run = prepare({ options: { deduplicate: false } });
	expect(await run(['e1'])).toEqual(['e1']);
	expect(await run(['e1'])).toEqual(['e1']);
});

test.each<[string, INodeParameters, WorkflowExecuteMode, string[]]>([
	['in the mode retry', {}, 'retry', ['c1', 'c1']],
	['with the option off', { options: { deduplicate: false } }, 'trigger', ['c1', 'c1']],
	[
		'with Each Approved Step',
		{ events: ['approved'], options: { everyApproval: true } },
		'trigger',
		['c1', 'c2'],
	],
])('%s, each item of a poll passes', async (_name, parameters, mode, ids) => {
	const { execute } = createPollingTrigger(credentials, parameters);
	for (const id of ids) {
		const event = approval(id, 't1');
		expect(await execute([event], mode)).toMatchObject([event]);
	}
});

test('with When Last Node Finishes, an event that is delivered again passes', async () => {
	const run = prepare({ responseMode: 'lastNode' });
	expect(await run(['e1'])).toEqual(['e1']);
	expect(await run(['e1'])).toEqual(['e1']);
});

describe('a purchase', () => {
	const authorization = approval('authorization', 't1');
	const clearing = approval('clearing', 't1');
	const second = approval('second', 't1');

	test('passes once, with the first event that approves it', async () => {
		const run = prepare({ events: ['approved'] });
		expect(await run([authorization])).toEqual(['authorization']);
		expect(await run([clearing])).toEqual([]);
		expect(await run([authorization])).toEqual([]);
		expect(await run([approval('other', 't2')])).toEqual(['other']);
	});

	test('passes once, of executions that start together', async () => {
		const run = prepare({ events: ['approved'] });
		const passed = await Promise.all([run([authorization]), run([clearing])]);
		expect(passed).toEqual([['authorization'], []]);
	});

	test('with When Last Node Finishes, its first event may come again, and no other', async () => {
		const run = prepare({ events: ['approved'], responseMode: 'lastNode' });
		expect(await run([authorization])).toEqual(['authorization']);
		for (const event of [clearing, second, clearing]) expect(await run([event])).toEqual([]);
		expect(await run([authorization])).toEqual(['authorization']);
	});

	test.each<[string, INodeParameters]>([
		['Each Approved Step', { events: ['approved'], options: { everyApproval: true } }],
		['All Events', { events: ['all'] }],
		['Ignore Repeated Events off', { events: ['approved'], options: { deduplicate: false } }],
	])('with %s, each event passes', async (_name, parameters) => {
		const run = prepare(parameters);
		expect(await run([authorization, clearing])).toEqual(['authorization', 'clearing']);
	});
});

test('each workflow remembers its own events', async () => {
	expect(await prepare()(['e1'])).toEqual(['e1']);
	expect(await prepare()(['e1'])).toEqual(['e1']);
});

test('a workflow does not wait for the list of another', async () => {
	const slow = prepare();
	let end: () => void = () => undefined;
	deduplicator.slow.set(slow.workflowId, new Promise<void>((done) => (end = done)));
	const waiting = slow(['e1']);
	expect(await prepare()(['e1'])).toEqual(['e1']);
	end();
	expect(await waiting).toEqual(['e1']);
});

describe('the log', () => {
	/** What the trigger logs, as level and text. */
	function prepareWithLog(parameters: INodeParameters = {}) {
		const logged: unknown[] = [];
		const run = prepare(parameters, ({ logger }) => {
			for (const level of ['debug', 'info', 'warn', 'error'] as const) {
				jest
					.spyOn(logger, level)
					.mockImplementation((...entry) => void logged.push([level, ...entry]));
			}
		});
		const entry = (level: string, about: string, reason: string, eventId: string) => [
			level,
			`Card Platform Trigger ${about}: ${reason} (workflow "Cards" ${run.workflowId}, node "cardPlatformTrigger", event ${eventId})`,
		];
		return { run, logged, entry };
	}

	test('has one line for each duplicate, for the level debug', async () => {
		const { run, logged, entry } = prepareWithLog();
		expect(await run(['e1', 'e1', 'e2'])).toEqual(['e1', 'e2']);
		expect(await run(['e2'])).toEqual([]);
		expect(logged).toEqual([
			entry('debug', 'ignored a delivery', 'duplicate', 'e1'),
			entry('debug', 'ignored a delivery', 'duplicate', 'e2'),
		]);
	});

	test('has one line for a later event of a purchase, for the level debug', async () => {
		const { run, logged, entry } = prepareWithLog({ events: ['approved'] });
		await run([approval('e1', 't1'), approval('e2', 't1')]);
		expect(logged).toEqual([entry('debug', 'ignored a delivery', 'same-purchase', 'e2')]);
	});

	test('says that an event has no ID', async () => {
		const { run, logged } = prepareWithLog();
		await run([{ id: '' }, { id: '' }]);
		expect(logged).toEqual([['debug', expect.stringContaining('no event ID')]]);
	});

	test('says that n8n could not check for duplicates, and which event passed', async () => {
		const { run, logged, entry } = prepareWithLog();
		deduplicator.isBroken = true;
		expect(await run(['e1'])).toEqual(['e1']);
		expect(logged).toEqual([
			entry(
				'error',
				'could not check for duplicates and let the event through',
				'Error: database is locked',
				'e1',
			),
		]);
	});
});

describe('where the database fails', () => {
	beforeEach(() => (deduplicator.isBroken = true));

	test('no event is lost, and of 20 executions that start together one passes', async () => {
		const run = prepare();
		const all = Array.from({ length: 20 }, async () => await run(['e1']));
		expect((await Promise.all(all)).flat()).toEqual(['e1']);
		expect(await run(['e2', 'e3'])).toEqual(['e2', 'e3']);
	});

	test('what has passed does not pass again when the database is back', async () => {
		const run = prepare();
		expect(await run(['e1'])).toEqual(['e1']);
		deduplicator.isBroken = false;
		expect(await run(['e1', 'e2'])).toEqual(['e2']);
		expect(await run(['e1', 'e2'])).toEqual([]);
	});
});

describe('what another worker has overwritten', () => {
	test('is put back with the next recording: a purchase does not run again at its clearing', async () => {
		const run = prepare({ events: ['approved'], responseMode: 'lastNode' });
		const other = prepare({ events: ['approved'] });
		const key = `${run.workflowId} `;
		expect(await run([approval('authorization', 't1')])).toHaveLength(1);
		deduplicator.lists.set(key, []);
		expect(await run([approval('next', 't2')])).toHaveLength(1);
		expect(deduplicator.lists.get(key)).toHaveLength(4);
		// As another process would find it.
		deduplicator.lists.set(`${other.workflowId} `, deduplicator.lists.get(key) ?? []);
		expect(await other([approval('clearing', 't1')])).toEqual([]);
	});

	test('does not pass again either', async () => {
		const run = prepare();
		await run(['e1']);
		deduplicator.lists.clear();
		expect(await run(['e1', 'e2'])).toEqual(['e2']);
	});

	test('is kept for the last 400 entries, as n8n reads and writes them each time', async () => {
		const run = prepare();
		const all = Array.from({ length: 401 }, (_, number) => `e${number}`);
		expect(await run(all)).toHaveLength(401);
		deduplicator.lists.clear();
		expect(await run(all)).toEqual(['e0']);
	});
});

/** A trigger, and the names of the nodes that it starts. */
interface Start {
	node: INode;
	starts: string[];
	/** Of these nodes. */
	input?: number;
}

/** A workflow with triggers and two action nodes. */
function prepareTriggers(triggers: Start[], id = `triggers-${Math.random()}`) {
	const actions = ['First', 'Second'].map((name) =>
		createNode('cardPlatform', {}, { id: name, name }),
	);
	const to = (names: string[], index = 0) => ({
		main: [names.map((node) => ({ node, type: NodeConnectionTypes.Main, index }))],
	});
	const workflow = new Workflow({
		id,
		name: 'Both',
		nodes: [...triggers.map(({ node }) => node), ...actions],
		connections: {
			...Object.fromEntries(
				triggers.map(({ node, starts, input }) => [node.name, to(starts, input)]),
			),
			First: to(['Second']),
		},
		active: true,
		nodeTypes: knownNodeTypes,
	});
	const hints: NodeExecutionHint[] = [];
	const run = async (node: INode, events: Event[]) => {
		const isPolling = node.type.endsWith('PollingTrigger');
		const items = events.map(toEvent);
		const mode = isPolling ? 'trigger' : 'webhook';
		const context = createFirstStep(workflow, node, credentials, mode, items);
		const type = isPolling ? new CardPlatformPollingTrigger() : trigger;
		const [passed = []] = await type.execute.call(context);
		hints.push(...context.hints);
		return passed.map(({ json }) => json.id);
	};
	return { run, hints };
}

describe('both triggers in one workflow', () => {
	/** Each trigger starts the nodes that are named. */
	function prepareBoth(
		starts: { webhook: string[]; polling: string[] },
		parameters: INodeParameters = {},
		more: Partial<INode> = {},
		id?: string,
	) {
		const webhook = createNode('cardPlatformTrigger', parameters);
		const polling = createNode('cardPlatformPollingTrigger', {}, more);
		const { run } = prepareTriggers(
			[
				{ node: webhook, starts: starts.webhook },
				{ node: polling, starts: starts.polling },
			],
			id,
		);
		return {
			byWebhook: async (...events: Event[]) => await run(webhook, events),
			byPoll: async (...events: Event[]) => await run(polling, events),
		};
	}

	const SAME = { webhook: ['First'], polling: ['First'] };

	test('an event that came one way is not run again when it comes the other way', async () => {
		const { byWebhook, byPoll } = prepareBoth(SAME);
		expect(await byWebhook('e1')).toEqual(['e1']);
		expect(await byPoll('e1', 'e2')).toEqual(['e2']);
		expect(await byWebhook('e2')).toEqual([]);
		expect(deduplicator.limits).toEqual(Array(3).fill(['workflow', 'entries', 8_000]));
	});

	test('a purchase that came one way is not run again when its clearing comes the other way', async () => {
		const events = { events: ['approved'] };
		const { byWebhook, byPoll } = prepareBoth(SAME, events, { parameters: events });
		expect(await byWebhook(approval('a1', 't1'))).toEqual(['a1']);
		expect(await byPoll(approval('c1', 't1'), approval('a2', 't2'))).toEqual(['a2']);
		expect(await byWebhook(approval('c2', 't2'))).toEqual([]);
	});

	test('with When Last Node Finishes, a delivery may repeat, and a poll may not repeat it', async () => {
		const { byWebhook, byPoll } = prepareBoth(SAME, { responseMode: 'lastNode' });
		expect(await byWebhook('e1')).toEqual(['e1']);
		expect(await byWebhook('e1')).toEqual(['e1']);
		expect(await byPoll('e1', 'e2')).toEqual(['e2']);
		// The poll took this one.
		expect(await byWebhook('e2')).toEqual([]);
	});

	test.each([
		{ webhook: ['First'], polling: ['Second'] },
		{ webhook: ['First'], polling: ['First', 'Second'] },
		{ webhook: ['First'], polling: [] },
	])('each runs an event if they start different nodes: %j', async (starts) => {
		const { byWebhook, byPoll } = prepareBoth(starts);
		expect(await byWebhook('e1')).toEqual(['e1']);
		expect(await byPoll('e1')).toEqual(['e1']);
		expect(await byPoll('e1')).toEqual([]);
	});

	test('a trigger knows what has run while it was disabled', async () => {
		const id = `both-${Math.random()}`;
		expect(await prepareBoth(SAME, {}, { disabled: true }, id).byWebhook('e1')).toEqual(['e1']);
		expect(await prepareBoth(SAME, {}, {}, id).byPoll('e1', 'e2')).toEqual(['e2']);
	});

	test('they remember what has run when they start another node', async () => {
		const id = `both-${Math.random()}`;
		expect(await prepareBoth(SAME, {}, {}, id).byWebhook('e1')).toEqual(['e1']);
		const starts = { webhook: ['Second'], polling: ['Second'] };
		expect(await prepareBoth(starts, {}, {}, id).byPoll('e1', 'e2')).toEqual(['e2']);
	});

	test('where a Remove Duplicates node uses the memory in another mode, only this process remembers', async () => {
		const { byWebhook, byPoll } = prepareBoth(SAME);
		deduplicator.isTaken = true;
		expect(await byWebhook('e1')).toEqual(['e1']);
		expect(await byPoll('e1', 'e2')).toEqual(['e2']);
		expect(deduplicator.lists.size).toBe(0);
	});
});

describe('triggers that differ share no memory', () => {
	const approved = (parameters: INodeParameters = {}) =>
		createNode('cardPlatformTrigger', { events: ['approved'], ...parameters });
	const starts = (...nodes: INode[]) => nodes.map((node) => ({ node, starts: ['First'] }));
	const authorization = approval('authorization', 't1');
	const clearing = approval('clearing', 't1');

	test('a clearing that Approved drops comes by a poll for All Events', async () => {
		const webhook = approved();
		const polling = createNode('cardPlatformPollingTrigger', { events: ['all'] });
		const { run } = prepareTriggers(starts(webhook, polling));
		expect(await run(webhook, [authorization])).toEqual(['authorization']);
		expect(await run(webhook, [clearing])).toEqual([]);
		expect(await run(polling, [clearing])).toEqual(['clearing']);
	});

	test.each<[string, INodeParameters]>([
		['filters', { filters: { minimumAmount: '1000' } }],
		['Trigger On', { events: ['approved', 'declined'] }],
	])('a purchase passes each of two with different %s', async (_name, parameters) => {
		const webhook = approved();
		const other = { ...approved(parameters), id: 'other', name: 'Other' };
		const { run } = prepareTriggers(starts(webhook, other));
		expect(await run(webhook, [authorization])).toEqual(['authorization']);
		expect(await run(other, [clearing])).toEqual(['clearing']);
		for (const node of [webhook, other]) expect(await run(node, [clearing])).toEqual([]);
	});

	test('an event that was dropped for one counts for none, once they differ', async () => {
		const webhook = approved();
		const other = { ...approved(), id: 'other', name: 'Other' };
		const id = `differ-${Math.random()}`;
		const apart = [{ node: webhook, starts: ['Second'] }, ...starts(other)];
		expect(await prepareTriggers(apart, id).run(other, [authorization])).toHaveLength(1);
		expect(await prepareTriggers(starts(webhook, other), id).run(webhook, [clearing])).toEqual([]);
		const { run } = prepareTriggers(apart, id);
		expect(await run(webhook, [approval('second', 't1')])).toEqual(['second']);
	});

	test('those that start different inputs of a node, or have one node ID', async () => {
		const [one, two] = [approved(), { ...approved(), name: 'Other' }];
		const { run } = prepareTriggers([
			{ node: one, starts: ['First'] },
			{ node: two, starts: ['First'], input: 1 },
		]);
		expect(await run(one, [authorization])).toEqual(['authorization']);
		expect(await run(two, [authorization])).toEqual(['authorization']);
		for (const node of [one, two]) expect(await run(node, [clearing])).toEqual([]);
	});

	test('a connection to a node that is missing does no harm', async () => {
		const webhook = approved();
		const { run } = prepareTriggers([{ node: webhook, starts: ['First', 'Gone'] }]);
		expect(await run(webhook, [authorization, clearing])).toEqual(['authorization']);
	});
});

test('a poll whose events have all run says why its execution is empty', async () => {
	const node = createNode('cardPlatformPollingTrigger', {});
	const { run, hints } = prepareTriggers([{ node, starts: ['First'] }]);
	expect(await run(node, ['e1', 'e2'])).toEqual(['e1', 'e2']);
	expect(await run(node, ['e2', 'e3'])).toEqual(['e3']);
	expect(hints).toEqual([]);
	expect(await run(node, ['e1'])).toEqual([]);
	const message = expect.stringMatching(/^This execution is empty: .* Number of events: 1\. /);
	expect(hints).toEqual([{ type: 'info', location: 'outputPane', message }]);
});

describe('no event runs again because of an edit', () => {
	const webhook = createNode('cardPlatformTrigger', {});
	const polling = createNode('cardPlatformPollingTrigger', {});
	const renamed = (node: INode): INode => ({ ...node, name: `${node.name} renamed` });
	const another = (node: INode): INode => ({ ...renamed(node), id: `${node.id}-2` });
	const first = (...nodes: INode[]) => nodes.map((node) => ({ node, starts: ['First'] }));
	const both = first(webhook, polling);

	test.each<[string, Start[], Start[]]>([
		[
			'one more node after the webhook trigger',
			both,
			[{ node: webhook, starts: ['First', 'Second'] }, ...first(polling)],
		],
		[
			'one more node after the polling trigger',
			both,
			[...first(webhook), { node: polling, starts: ['First', 'Second'] }],
		],
		['other nodes after both', both, both.map(({ node }) => ({ node, starts: ['Second'] }))],
		['no node after both', both, both.map(({ node }) => ({ node, starts: [] }))],
		['a second webhook trigger', both, first(webhook, another(webhook), polling)],
		['a polling trigger beside the webhook trigger', first(webhook), both],
		['the webhook trigger deleted', both, first(polling)],
		['the polling trigger deleted', both, first(webhook)],
		['the polling trigger replaced', both, first(webhook, another(polling))],
		['the webhook trigger disabled', both, first({ ...webhook, disabled: true }, polling)],
		['the webhook trigger renamed', both, first(renamed(webhook), polling)],
		['both renamed', both, first(renamed(webhook), renamed(polling))],
	])('%s', async (name, before, after) => {
		const events = Array.from({ length: 50 }, (_, number) => `e${number}`);
		expect(await prepareTriggers(before, name).run(webhook, events)).toHaveLength(50);
		const { run } = prepareTriggers(after, name);
		for (const { node } of after) expect(await run(node, events)).toEqual([]);
	});

	test('a trigger with Respond: When Last Node Finishes records for one that is added later', async () => {
		const atTheEnd = createNode('cardPlatformTrigger', { responseMode: 'lastNode' });
		expect(await prepareTriggers(first(atTheEnd), 'end').run(atTheEnd, ['e1'])).toEqual(['e1']);
		expect(await prepareTriggers(first(atTheEnd, polling), 'end').run(polling, ['e1'])).toEqual([]);
	});

	test('but a new trigger with the name of a deleted one, which starts other nodes, runs each', async () => {
		expect(await prepareTriggers(both, 'new').run(webhook, ['e1'])).toEqual(['e1']);
		const node: INode = { ...polling, id: 'new' };
		const { run } = prepareTriggers([...first(webhook), { node, starts: ['Second'] }], 'new');
		expect(await run(node, ['e1'])).toEqual(['e1']);
	});
});

test('200 executions of one poll run each event once, also if the poll is repeated', async () => {
	const options = { executionPerEvent: true, deduplicationWindow: 100 };
	const { execute } = createPollingTrigger({}, { options });
	const all = Array.from({ length: 200 }, (_, number) => ({ id: `e${number}` }));
	const runAll = async () => (await Promise.all(all.map(async (e) => await execute([e])))).flat();
	expect(await runAll()).toMatchObject(all);
	expect(await runAll()).toEqual([]);
});

test('many events of one execution do not push out its first ones', async () => {
	const { execute } = createPollingTrigger({});
	const all = Array.from({ length: 12_000 }, (_, number) => ({ id: `e${number}` }));
	expect(await execute(all)).toMatchObject(all);
	expect(await execute(all)).toEqual([]);
});
