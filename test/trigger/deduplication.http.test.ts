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

import type { Credentials } from '../../harness/core/credentials.ts';
import { createNode, knownNodeTypes } from '../../harness/core/runNode.ts';
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
		const isNew = (item: unknown) => !list.includes(item);
		this.lists.set(key, [...list, ...items.filter(isNew)].slice(-maxEntries));
		return { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
	};

	removeProcessed = async () => await Promise.resolve();

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
		'with Every Approval',
		{ events: ['approved'], options: { everyApproval: true } },
		'trigger',
		['c1', 'c2'],
	],
])('%s, each item of a poll passes', async (_name, parameters, mode, ids) => {
	const { execute } = createPollingTrigger(credentials, parameters);
	for (const id of ids) {
		const event = approval(id, 't1');
		expect(await execute([event], mode)).toEqual([event]);
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
		expect(await run([clearing])).toEqual([]);
		expect(await run([authorization])).toEqual(['authorization']);
	});

	test.each<[string, INodeParameters]>([
		['Every Approval', { events: ['approved'], options: { everyApproval: true } }],
		['All Events', { events: ['all'] }],
		['Deduplicate off', { events: ['approved'], options: { deduplicate: false } }],
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
	/** What the trigger logs, as level, text and metadata. */
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
			{
				workflowId: run.workflowId,
				workflowName: 'Cards',
				nodeName: 'cardPlatformTrigger',
				eventId,
				reason,
			},
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
		expect(logged).toEqual([
			[
				'debug',
				expect.stringContaining('no event ID'),
				expect.not.objectContaining({ eventId: '' }),
			],
		]);
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

/** Lets no execution wait for its time to be up. */
function endEachWait() {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	return jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(0));
}

describe.each([
	['fails', () => (deduplicator.isBroken = true)],
	['never responds', (id?: string) => deduplicator.slow.set(id, new Promise(() => undefined))],
])('where the database %s', (_name, breakDatabase) => {
	beforeEach(endEachWait);

	const repair = (id?: string) => {
		deduplicator.isBroken = false;
		deduplicator.slow.delete(id);
	};

	test('no event is lost', async () => {
		const run = prepare();
		breakDatabase(run.workflowId);
		const passed = await Promise.all([run(['e1']), run(['e2']), run(['e3'])]);
		expect(passed).toEqual([['e1'], ['e2'], ['e3']]);
	});

	test('of 20 executions that start together one passes', async () => {
		const run = prepare();
		breakDatabase(run.workflowId);
		const all = Promise.all(Array.from({ length: 20 }, async () => await run(['e1'])));
		expect((await all).flat()).toEqual(['e1']);
	});

	test('what has passed does not pass again when the database is back', async () => {
		const run = prepare();
		breakDatabase(run.workflowId);
		expect(await run(['e1'])).toEqual(['e1']);
		repair(run.workflowId);
		expect(await run(['e1', 'e2'])).toEqual(['e2']);
		expect(await run(['e1', 'e2'])).toEqual([]);
	});
});

test('an event whose query took too long passes once, though the query succeeds later', async () => {
	const time = endEachWait();
	const run = prepare();
	let end: () => void = () => undefined;
	deduplicator.slow.set(run.workflowId, new Promise<void>((done) => (end = done)));
	const [first, twin] = [run(['e1']), run(['e1'])];
	expect(await first).toEqual(['e1']);
	expect(time).toHaveBeenCalledWith(60_000);
	end();
	expect(await twin).toEqual([]);
	expect(await run(['e1'])).toEqual([]);
});

/** A trigger, and the names of the nodes that it starts. */
interface Start {
	node: INode;
	starts: string[];
}

/** A workflow with triggers and two action nodes. */
function prepareTriggers(triggers: Start[], id = `triggers-${Math.random()}`) {
	const actions = ['First', 'Second'].map((name) =>
		createNode('cardPlatform', {}, { id: name, name }),
	);
	const to = (names: string[]) => ({
		main: [names.map((node) => ({ node, type: NodeConnectionTypes.Main, index: 0 }))],
	});
	const workflow = new Workflow({
		id,
		name: 'Both',
		nodes: [...triggers.map(({ node }) => node), ...actions],
		connections: {
			...Object.fromEntries(triggers.map(({ node, starts }) => [node.name, to(starts)])),
			First: to(['Second']),
		},
		active: true,
		nodeTypes: knownNodeTypes,
	});
	const hints: NodeExecutionHint[] = [];
	const warnings: string[] = [];
	const run = async (node: INode, events: Event[]) => {
		const isPolling = node.type.endsWith('PollingTrigger');
		const items = events.map(toEvent);
		const mode = isPolling ? 'trigger' : 'webhook';
		const context = createFirstStep(workflow, node, credentials, mode, items);
		jest.spyOn(context.logger, 'warn').mockImplementation((text) => void warnings.push(text));
		const type = isPolling ? new CardPlatformPollingTrigger() : trigger;
		const [passed = []] = await type.execute.call(context);
		hints.push(...context.hints);
		return passed.map(({ json }) => json.id);
	};
	return { run, hints, warnings };
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
		expect(await byPoll('e1')).toEqual([]);
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

describe('a poll beside a webhook trigger', () => {
	const approved = { events: ['approved'], filters: { currencies: 'USD' } };

	/** The webhook trigger starts the first node, unless others are named, and the polling trigger those that are named. */
	function prepareBeside(
		webhook: Partial<INode>,
		polling: INodeParameters,
		starts: string[],
		startsByWebhook = ['First'],
	) {
		const byWebhook = createNode('cardPlatformTrigger', approved, webhook);
		const byPoll = createNode('cardPlatformPollingTrigger', polling);
		const triggers = [
			{ node: byWebhook, starts: startsByWebhook },
			{ node: byPoll, starts },
		];
		return { ...prepareTriggers(triggers), byWebhook, byPoll };
	}

	test('reports the events that should have come by webhook', async () => {
		const options = { recheckInterval: 5, deduplicate: true };
		const { run, byWebhook, byPoll, ...said } = prepareBeside({}, { ...approved, options }, [
			'First',
		]);
		await run(byWebhook, ['e1']);
		expect(await run(byPoll, ['e1', 'e2', 'e3'])).toEqual(['e2', 'e3']);
		expect(said).toEqual({
			hints: [
				{
					type: 'warning',
					location: 'outputPane',
					message: expect.stringMatching(/^New events that came by poll and not by webhook: 2\./),
				},
			],
			warnings: [
				expect.stringContaining(
					'Card Platform Polling Trigger found new events that did not come by webhook: 2 (workflow "Both"',
				),
			],
		});
	});

	test('says only why its execution is empty if all events came by webhook', async () => {
		const { run, byWebhook, byPoll, ...said } = prepareBeside({}, approved, ['First']);
		await run(byWebhook, ['e1']);
		expect(await run(byPoll, ['e1'])).toEqual([]);
		const message = expect.stringMatching(
			/^This execution is empty: each of its events.* before, .*\. Number of events: 1\. /,
		);
		const hint = { type: 'info', location: 'outputPane', message };
		expect(said).toEqual({ hints: [hint], warnings: [] });
	});

	const changed = (parameters: INodeParameters) => ({ parameters: { ...approved, ...parameters } });

	test.each([
		[
			'an option is off, and not added to the other',
			{ options: { everyApproval: false } },
			['First'],
		],
		['they start the same nodes in another order', {}, ['Second', 'First']],
	])('reports it also if %s', async (_name, webhook, starts) => {
		const { run, byPoll, hints } = prepareBeside(
			changed(webhook),
			approved,
			starts,
			starts.toReversed(),
		);
		await run(byPoll, ['e1']);
		expect(hints).toMatchObject([{ type: 'warning' }]);
	});

	test.each<[string, Partial<INode>, INodeParameters, string[]]>([
		['the webhook trigger is disabled', { disabled: true }, approved, ['First']],
		['it has another Trigger On', changed({ events: ['declined'] }), approved, ['First']],
		['it has other Filters', changed({ filters: {} }), approved, ['First']],
		[
			'only it starts for every approval',
			changed({ options: { everyApproval: true } }),
			approved,
			['First'],
		],
		['it starts other nodes', {}, approved, ['Second']],
		[
			'a poll reads past events',
			{},
			{ ...approved, options: { startFrom: '2026-01-01' } },
			['First'],
		],
	])('reports nothing if %s', async (_name, webhook, polling, starts) => {
		const { run, byPoll, hints, warnings } = prepareBeside(webhook, polling, starts);
		expect(await run(byPoll, ['e1'])).toEqual(['e1']);
		expect({ hints, warnings }).toEqual({ hints: [], warnings: [] });
	});
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
	expect(await runAll()).toEqual(all);
	expect(await runAll()).toEqual([]);
});

test('many events of one execution do not push out its first ones', async () => {
	const { execute } = createPollingTrigger({});
	const all = Array.from({ length: 12_000 }, (_, number) => ({ id: `e${number}` }));
	expect(await execute(all)).toEqual(all);
	expect(await execute(all)).toEqual([]);
});
