import { DataDeduplicationService, type ExecuteContext, HookContext } from 'n8n-core';
import {
	type IDataDeduplicator,
	type INode,
	type INodeParameters,
	NodeConnectionTypes,
	Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { z } from 'zod';

import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { CardPlatformPollingTrigger } from '../../nodes/CardPlatform/CardPlatformPollingTrigger.node';
import type { Credentials } from '../../harness/core/credentials.ts';
import { createAdditionalData, createNode, knownNodeTypes } from '../../harness/core/runNode.ts';
import { createPollingTrigger } from '../support/pollingTrigger';
import { createFirstStep, createTriggerWorkflow } from '../support/trigger';

const trigger = new CardPlatformTrigger();

/** n8n does not export its own. */
class DeduplicationError extends Error {}

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
		if (scope === 'workflow' && this.isTaken) throw new DeduplicationError('other mode');
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
	jest.useRealTimers();
});

const credentials: Credentials = { cardPlatformWebhookApi: { signingSecret: 'new' } };

/** A trigger in a workflow of its own; each run is an execution that n8n has started. */
function prepare(
	parameters: INodeParameters = {},
	onContext: (context: ExecuteContext) => void = () => undefined,
) {
	const node = createNode('cardPlatformTrigger', parameters);
	const workflow = createTriggerWorkflow(node);
	const run = async (ids: string[], mode: WorkflowExecuteMode = 'webhook') => {
		const items = ids.map((id) => ({ id }));
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

test('where the delivery is answered at the end, an event that comes again passes', async () => {
	const run = prepare({ responseMode: 'lastNode' });
	expect(await run(['e1'])).toEqual(['e1']);
	expect(await run(['e1'])).toEqual(['e1']);
	expect(deduplicator.lists.size).toBe(0);
});

test('each workflow has a memory of its own', async () => {
	expect(await prepare()(['e1'])).toEqual(['e1']);
	expect(await prepare()(['e1'])).toEqual(['e1']);
});

test('the window is the one that was set', async () => {
	await prepare()(['e1']);
	const run = prepare({ options: { deduplicationWindow: 2 } });
	for (const id of ['e1', 'e2', 'e3']) await run([id]);
	expect(await run(['e2'])).toEqual([]);
	expect(await run(['e1'])).toEqual(['e1']);
	expect(deduplicator.limits.slice(0, 2)).toEqual([
		['node', 'entries', 1_000],
		['node', 'entries', 2],
	]);
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

	test('says that n8n could not look for duplicates, and which event passes therefore', async () => {
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

describe.each([
	['fails', () => (deduplicator.isBroken = true)],
	['never responds', (id?: string) => deduplicator.slow.set(id, new Promise(() => undefined))],
])('where the database %s', (_name, breakDatabase) => {
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'Date'] });
	});

	/** Lets an execution wait as long as it does at most. */
	async function afterTheTimeout<T>(result: Promise<T>): Promise<T> {
		// Twice: what comes during a query waits for it, and then for another query.
		for (let each = 0; each < 2; each++) await jest.advanceTimersByTimeAsync(5_000);
		return await result;
	}

	const repair = (id?: string) => {
		deduplicator.isBroken = false;
		deduplicator.slow.delete(id);
	};

	test('no event is lost', async () => {
		const run = prepare();
		breakDatabase(run.workflowId);
		const passed = await afterTheTimeout(Promise.all([run(['e1']), run(['e2']), run(['e3'])]));
		expect(passed).toEqual([['e1'], ['e2'], ['e3']]);
	});

	test('of 20 executions that start together one passes', async () => {
		const run = prepare();
		breakDatabase(run.workflowId);
		const all = Promise.all(Array.from({ length: 20 }, async () => await run(['e1'])));
		expect((await afterTheTimeout(all)).flat()).toEqual(['e1']);
	});

	test('what has passed does not pass again when the database is back', async () => {
		const run = prepare();
		breakDatabase(run.workflowId);
		expect(await afterTheTimeout(run(['e1']))).toEqual(['e1']);
		repair(run.workflowId);
		expect(await run(['e1', 'e2'])).toEqual(['e2']);
		expect(await run(['e1', 'e2'])).toEqual([]);
	});
});

test('an event whose query took too long passes once, though the query succeeds later', async () => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'Date'] });
	const run = prepare();
	let end: () => void = () => undefined;
	deduplicator.slow.set(run.workflowId, new Promise<void>((done) => (end = done)));
	const [first, twin] = [run(['e1']), run(['e1'])];
	await jest.advanceTimersByTimeAsync(5_000);
	expect(await first).toEqual(['e1']);
	end();
	expect(await twin).toEqual([]);
	expect(await run(['e1'])).toEqual([]);
});

describe('publishing', () => {
	const methods = trigger.webhookMethods.default;

	function activate(
		data: Credentials,
		parameters: INodeParameters = {},
		mode: WorkflowExecuteMode = 'trigger',
		activation: WorkflowActivateMode = 'activate',
	) {
		const node = createNode('cardPlatformTrigger', parameters);
		return new HookContext(
			createTriggerWorkflow(node),
			node,
			createAdditionalData(data),
			mode,
			activation,
		);
	}

	test('succeeds with a secret and right values, and never skips the check', async () => {
		const context = activate(credentials, { events: ['declined'], filters: { currencies: 'usd' } });
		expect(await methods.checkExists.call(context)).toBe(false);
		expect(await methods.create.call(context)).toBe(true);
		expect(await methods.delete.call(context)).toBe(true);
	});

	test('goes on with All Events beside others when n8n starts', async () => {
		for (const activation of ['init', 'leadershipChange'] as const) {
			const context = activate(credentials, { events: ['declined', 'all'] }, 'trigger', activation);
			expect(await methods.create.call(context)).toBe(true);
		}
	});

	test('needs a secret of the production URL; a test event does not', async () => {
		const data = { cardPlatformWebhookApi: { signingSecret: '', testSigningSecret: 'test' } };
		expect(await methods.create.call(activate(data, {}, 'manual', 'manual'))).toBe(true);
		await expect(methods.create.call(activate(data))).rejects.toThrow('has no signing secret');
	});

	test.each<[string, Credentials, INodeParameters, string]>([
		['no secret', { cardPlatformWebhookApi: {} }, {}, 'has no signing secret'],
		['no kind', credentials, { events: [] }, 'Trigger On is empty'],
		['a wrong filter', credentials, { filters: { currencies: 'dollars' } }, 'Currencies'],
		[
			'a wrong age',
			credentials,
			{ options: { maximumEventAge: -1 } },
			'"Maximum Event Age (Hours)" is -1',
		],
		[
			'a wrong option',
			credentials,
			{ options: { deduplicationWindow: 0 } },
			'"Deduplication Window" is 0',
		],
		[
			'all and others',
			credentials,
			{ events: ['declined', 'all'] },
			'"All Events" and other choices',
		],
	])('is refused with %s', async (_name, data, parameters, says) => {
		const refused = methods.create
			.call(activate(data, parameters))
			.catch((error: unknown) => error);
		const error = z
			.object({ message: z.string(), description: z.string().min(1) })
			.parse(await refused);
		expect(error.message).toContain(says);
		// n8n shows the message only.
		expect(error.message).toContain(error.description);
	});
});

describe('both triggers in one workflow', () => {
	/** Two triggers and an action node; each trigger starts the nodes that are named. */
	function prepareBoth(
		starts: { webhook: string[]; polling: string[] },
		parameters: INodeParameters = {},
		more: Partial<INode> = {},
		id = `both-${Math.random()}`,
	) {
		const webhook = createNode('cardPlatformTrigger', parameters);
		const polling = createNode('cardPlatformPollingTrigger', {}, more);
		const actions = ['First', 'Second'].map((name) =>
			createNode('cardPlatform', {}, { id: name, name }),
		);
		const to = (names: string[]) => ({
			main: [names.map((node) => ({ node, type: NodeConnectionTypes.Main, index: 0 }))],
		});
		const workflow = new Workflow({
			id,
			name: 'Both',
			nodes: [webhook, polling, ...actions],
			connections: {
				[webhook.name]: to(starts.webhook),
				[polling.name]: to(starts.polling),
				First: to(['Second']),
			},
			active: true,
			nodeTypes: knownNodeTypes,
		});
		const warnings: string[] = [];
		const run = async (node: INode, ids: string[]) => {
			const mode = node === webhook ? 'webhook' : 'trigger';
			const items = ids.map((id) => ({ id }));
			const context = createFirstStep(workflow, node, credentials, mode, items);
			jest.spyOn(context.logger, 'warn').mockImplementation((text) => warnings.push(text));
			const type = node === webhook ? trigger : new CardPlatformPollingTrigger();
			const [passed = []] = await type.execute.call(context);
			return passed.map(({ json }) => json.id);
		};
		return {
			byWebhook: async (...ids: string[]) => await run(webhook, ids),
			byPoll: async (...ids: string[]) => await run(polling, ids),
			warnings,
		};
	}

	const SAME = { webhook: ['First'], polling: ['First'] };

	test('an event that came one way is not run again when it comes the other way', async () => {
		const { byWebhook, byPoll } = prepareBoth(SAME);
		expect(await byWebhook('e1')).toEqual(['e1']);
		expect(await byPoll('e1', 'e2')).toEqual(['e2']);
		expect(await byWebhook('e2')).toEqual([]);
		expect(deduplicator.limits).toEqual(Array(3).fill(['workflow', 'entries', 5_000]));
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

	test('they forget what has run when one of them is renamed', async () => {
		const id = `both-${Math.random()}`;
		expect(await prepareBoth(SAME, {}, {}, id).byWebhook('e1')).toEqual(['e1']);
		const { byWebhook, byPoll } = prepareBoth(SAME, {}, { name: 'Renamed' }, id);
		expect(await byPoll('e1')).toEqual(['e1']);
		expect(await byWebhook('e1')).toEqual([]);
	});

	test('they remember separately if a Remove Duplicates node uses the memory in another mode', async () => {
		const { byWebhook, byPoll, warnings } = prepareBoth(SAME);
		deduplicator.isTaken = true;
		expect(await byWebhook('e1')).toEqual(['e1']);
		expect(await byWebhook('e1')).toEqual([]);
		expect(await byPoll('e1')).toEqual(['e1']);
		expect(warnings[0]).toContain('cannot share their memory');
	});
});

test('a poll waits for a slow database: nobody waits for the response', async () => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance'] });
	jest.spyOn(deduplicator, 'checkProcessedAndRecord').mockImplementation(
		async () =>
			await new Promise((resolve) => {
				setTimeout(() => resolve({ new: [], processed: ['e1'] }), 30_000);
			}),
	);
	const passed = createPollingTrigger({}).execute([{ id: 'e1' }]);
	await jest.advanceTimersByTimeAsync(30_000);
	expect(await passed).toEqual([]);
});
