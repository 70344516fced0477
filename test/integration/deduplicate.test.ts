import { DataDeduplicationService, ExecuteContext, HookContext } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataDeduplicator,
	type INodeExecutionData,
	type INodeParameters,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { z } from 'zod';

import { CardPlatformTrigger } from '../../nodes/CardPlatform/CardPlatformTrigger.node';
import { createAdditionalData, createNode, type Credentials } from '../support/n8n';
import { createTriggerWorkflow } from '../support/trigger';

const trigger = new CardPlatformTrigger();

/** As n8n's own: reads the list of a node, and writes it back some time later, without a lock. */
class Deduplicator implements IDataDeduplicator {
	lists = new Map<string, unknown[]>();

	limits: unknown[] = [];

	isBroken = false;

	/** Workflows whose list takes until a promise has settled. */
	slow = new Map<string | undefined, Promise<void>>();

	checkProcessedAndRecord: IDataDeduplicator['checkProcessedAndRecord'] = async (
		items,
		scope,
		{ node, workflow },
		{ mode, maxEntries = 0 },
	) => {
		if (this.isBroken) throw new Error('database is locked');
		this.limits.push([scope, mode, maxEntries]);
		const key = `${workflow.id} ${node?.id ?? ''}`;
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
		const items: INodeExecutionData[] = ids.map((id) => ({ json: { id } }));
		const data = { main: [items] };
		const context = new ExecuteContext(
			workflow,
			node,
			createAdditionalData(credentials),
			mode,
			createRunExecutionData(),
			0,
			items,
			data,
			{ node, data, source: null },
			[],
		);
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
	const run = prepare({ answer: 'lastNode' });
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

test('where n8n cannot look for duplicates, the event is not lost, and the log says so', async () => {
	const logged: unknown[] = [];
	const run = prepare({}, ({ logger }) => {
		jest.spyOn(logger, 'error').mockImplementation((...entry) => void logged.push(entry));
	});
	deduplicator.isBroken = true;
	expect(await run(['e1'])).toEqual(['e1']);
	expect(logged).toEqual([
		[
			'Card Platform Trigger could not look for duplicates, so it lets the event pass',
			{ reason: 'Error: database is locked' },
		],
	]);
	deduplicator.isBroken = false;
	expect(await run(['e1'])).toEqual(['e1']);
	expect(await run(['e1'])).toEqual([]);
});

test('where n8n cannot look for duplicates, of 20 executions that start together one or two pass', async () => {
	const run = prepare({}, ({ logger }) => {
		jest.spyOn(logger, 'error').mockImplementation();
	});
	deduplicator.isBroken = true;
	const passed = await Promise.all(Array.from({ length: 20 }, async () => await run(['e1'])));
	// The first is recorded alone, the others together.
	expect(passed.flat()).toEqual(['e1', 'e1']);
});

describe('publishing', () => {
	const methods = trigger.webhookMethods.default;

	function activate(data: Credentials, parameters: INodeParameters = {}) {
		const node = createNode('cardPlatformTrigger', parameters);
		return new HookContext(
			createTriggerWorkflow(node),
			node,
			createAdditionalData(data),
			'trigger',
			'activate',
		);
	}

	test('succeeds with a secret and right values, and never skips the check', async () => {
		const context = activate(credentials, { events: ['declined'], filters: { currencies: 'usd' } });
		expect(await methods.checkExists.call(context)).toBe(false);
		expect(await methods.create.call(context)).toBe(true);
		expect(await methods.delete.call(context)).toBe(true);
	});

	test.each<[string, Credentials, INodeParameters, string]>([
		['no secret', { cardPlatformWebhookApi: {} }, {}, 'cannot verify deliveries'],
		['no kind', credentials, { events: [] }, 'Trigger On is empty'],
		['a wrong filter', credentials, { filters: { currencies: 'dollars' } }, 'Currencies'],
		['a wrong option', credentials, { options: { deduplicationWindow: 0 } }, 'deduplicationWindow'],
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
