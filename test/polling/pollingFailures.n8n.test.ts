import { type Execution, outputOf } from '../../harness/n8n/executions.ts';
import { n8nIsSince } from '../../harness/n8n/version.ts';
import { node, type Workflow, workflowOf } from '../../harness/n8n/workflow.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import type { FaultRule } from '../../sandbox/client.ts';
import {
	decline,
	idsOf,
	newerThanBefore,
	ranIn,
	removeDuplicates,
	runsOf,
	usePolling,
} from './pollingEnvironment.ts';

const polling = usePolling();
const { n8n, sandbox, newWorkflow, publish, purchase, arrived, twoMorePolls, waitForLog } = polling;

// The trigger takes no delivery that is older than some minutes.
beforeAll(async () => await sandbox().setClock(new Date()));

const POLLS_AGAIN = 'No event is lost: the trigger polls again at the next of its Poll Times.';

/** What a failed poll shows in n8n's list of executions. */
const failuresIn = (executions: Execution[]) =>
	executions
		.filter(({ status }) => status === 'error')
		.map((execution) => {
			const { error, hint, items } = outputOf(execution, 'Polling');
			return { error, hint, items };
		});

/** Waits for a failed poll; one that began before may still succeed. */
const failureOf = async (id: string) =>
	await waitUntil(async () => failuresIn(await n8n().executions(id)).at(0), {
		what: 'a failed poll',
		withinMs: 120_000,
		everyMs: 500,
	});

const fails =
	(...rules: FaultRule[]) =>
	async () =>
		await sandbox().setFaults(rules);

describe('a poll that fails', () => {
	const cases: [string, { fail: () => Promise<void>; error: RegExp; hint: RegExp }][] = [
		[
			'a dropped connection',
			{
				fail: fails({ kind: 'drop-before' }),
				error: /^No complete response from 127\.0\.0\.1:\d+ \(ECONNRESET\)$/,
				hint: new RegExp(`^${POLLS_AGAIN}$`),
			},
		],
		[
			'a wrong key',
			{
				fail: async () => await polling.changeKey('a-key-that-is-wrong'),
				error: /\(401 unauthorized\)$/,
				hint: /^Check the API key in the Card Platform API credential\. Only one key is active/,
			},
		],
	];
	test.each(cases)('loses nothing, and shows a hint: %s', async (_, { fail, error, hint }) => {
		const errorWorkflow = workflowOf('Errors', [node('Error', 'n8n-nodes-base.errorTrigger')]);
		const errorWorkflowId = await n8n().addCallable(errorWorkflow);
		const settings = { executionOrder: 'v1', errorWorkflow: errorWorkflowId };
		const id = await publish({ ...newWorkflow('polling'), settings });
		await fail();
		const first = await purchase();
		// n8n does not back off: the next poll comes at its time, and fails too.
		await n8n().waitForExecutions(id, 2);
		const second = await purchase(1, decline);
		await polling.changeKey();
		await sandbox().setFaults([]);

		const expected = [first.event.id, second.event.id];
		await arrived(id, expected);
		await twoMorePolls();
		const executions = await n8n().executions(id);
		expect(ranIn(executions)).toEqual(expected);
		const failures = failuresIn(executions);
		for (const failure of failures) {
			expect(failure).toEqual({
				error: expect.stringMatching(error),
				hint: expect.stringMatching(hint),
				items: [],
			});
		}
		expect(failures.length).toBeGreaterThanOrEqual(2);
		const [reported] = await n8n().waitForExecutions(errorWorkflowId, failures.length);
		expect(outputOf(reported, 'Error').items).toEqual([
			expect.objectContaining({
				trigger: expect.objectContaining({
					error: expect.objectContaining({ message: expect.stringMatching(error) }),
				}),
			}),
		]);
	});

	test('keeps what it has read before a 429, and the next one continues', async () => {
		const id = await publish(newWorkflow('polling'));
		// Until both events are there, so that one poll finds both.
		await sandbox().setFaults([{ kind: 'status', status: 500, path: '/transactions' }]);
		const first = await purchase(0);
		const second = await purchase(1);
		const [, limited] = polling.cards();
		await sandbox().setFaults([
			{ kind: 'status', status: 429, path: `/cards/${limited?.id ?? ''}` },
		]);
		expect(ranIn(await arrived(id, [first.event.id]))).toEqual([first.event.id]);
		await waitForLog(
			`ended a poll early, and the next one continues: rate limit (workflow "Events" ${id}, node "Polling"`,
		);
		// Now there is nothing left that can be read.
		await waitUntil(
			async () =>
				failuresIn(await n8n().executions(id)).find(({ error }) => error?.includes('429')),
			{ what: 'a failed poll', withinMs: 120_000, everyMs: 500 },
		);
		await sandbox().setFaults([]);
		await arrived(id, [second.event.id]);
		await twoMorePolls();
		expect(ranIn(await n8n().executions(id))).toEqual([first.event.id, second.event.id]);
	});

	test('keeps a workflow from being published, and says why', async () => {
		await polling.changeKey('a-key-that-is-wrong');
		const id = await n8n().addWorkflow(newWorkflow('polling'));
		await expect(n8n().publish(id)).rejects.toThrow(/\(401 unauthorized\)\. Check the API key/);
		await polling.changeKey();
	});
});

describe('a Remove Duplicates node with the scope Workflow', () => {
	const between = (workflow: Workflow, parameters: object) => ({
		nodes: workflow.nodes.map((each) =>
			each.name === 'Remove Duplicates'
				? { ...each, parameters: removeDuplicates(parameters).parameters }
				: each,
		),
	});
	const countErrors = async () =>
		(await polling.log()).split('could not check for duplicates').length;

	test('that was first stops no event: n8n records none until it is cleared', async () => {
		const workflow = newWorkflow('both', [removeDuplicates(newerThanBefore('workflow'))]);
		await purchase();
		const id = await n8n().addWorkflow(workflow);
		// Starts the memory in its own mode.
		await n8n().run(id, 'Polling');
		await publish(workflow, id);
		const first = await purchase(1);
		await arrived(id, [first.event.id]);
		await waitForLog('could not check for duplicates and let the event through');
		await n8n().unpublishAll();

		const clear = { operation: 'clearDeduplicationHistory', options: { scope: 'workflow' } };
		await n8n().changeWorkflow(id, between(workflow, clear));
		await n8n().run(id, 'Polling');
		await n8n().changeWorkflow(id, between(workflow, newerThanBefore('node')));
		const errors = await countErrors();
		await publish(workflow, id);
		const second = await purchase(2);
		await arrived(id, [second.event.id]);
		await twoMorePolls();
		expect(await countErrors()).toBe(errors);
		const ran = ranIn(await n8n().executions(id));
		expect(ran.filter((event) => event === second.event.id)).toHaveLength(1);
	});

	test('that comes second fails, until its scope is Node', async () => {
		const workflow = newWorkflow('both', [removeDuplicates(newerThanBefore('workflow'))]);
		const id = await publish(workflow);
		const first = await purchase();
		const [failed] = await n8n().waitForExecutions(id);
		expect(failed.status).toBe('error');
		expect(outputOf(failed, 'Remove Duplicates').error).toContain(
			'originally saved with an incompatible setting',
		);

		await n8n().changeWorkflow(id, between(workflow, newerThanBefore('node')));
		await publish(workflow, id);
		await n8n().retry(failed, 'saved workflow');
		await arrived(id, [first.event.id]);
		const second = await purchase(1);
		await arrived(id, [second.event.id]);
		await twoMorePolls();
		expect(ranIn(await n8n().executions(id))).toEqual([first.event.id, second.event.id]);
	});
});

/** n8n's own schedule and storage for polls; each is off by default, and the last needs the others. */
const durableCursors = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

/** Publishes a workflow with one execution per poll, and one with an execution per event. */
async function publishBothKinds(): Promise<[string, string]> {
	const perPoll = await publish(newWorkflow('polling'));
	const perEvent = await publish(newWorkflow('polling', [], { executionPerEvent: true }));
	// n8n's scheduler may make the first poll, and publishing does not wait for that one. What is
	// purchased before it is old, and never runs.
	await twoMorePolls();
	return [perPoll, perEvent];
}

/** Checks that events have run once each in both workflows, and in order in each execution. */
async function expectRunOnceIn(ids: [string, string], expected: string[]): Promise<void> {
	for (const id of ids) await arrived(id, expected);
	await twoMorePolls();
	for (const id of ids) {
		const executions = await n8n().executions(id);
		expect(ranIn(executions).sort()).toEqual([...expected].sort());
		// A poll between two of the events may visit the card of the second one first.
		for (const items of runsOf(executions)) {
			const places = idsOf(items).map((event) => expected.indexOf(event));
			expect(places).toEqual([...places].sort((one, other) => one - other));
		}
	}
}

const makePurchases = async (count: number) => {
	const made: string[] = [];
	for (let place = 0; place < count; place++) made.push((await purchase(place)).event.id);
	return made;
};

// n8n 2.35 and older has none.
const since236 = n8nIsSince('2.36') ? describe : describe.skip;

since236("with n8n's durable cursors", () => {
	test('the trigger goes on from what n8n had stored before', async () => {
		await makePurchases(1);
		const ids = await publishBothKinds();
		const made = await makePurchases(2);
		for (const id of ids) await arrived(id, made);
		await polling.replaceN8n(durableCursors);
		made.push(...(await makePurchases(2)));
		await n8n().start();
		await waitForLog('Provisioned scheduler jobs for poll trigger node');
		await expectRunOnceIn(ids, made);
	});

	test('nothing old runs, and new events run once, in order', async () => {
		const ids = await publishBothKinds();
		await expectRunOnceIn(ids, await makePurchases(5));
	});

	test('n8n backs off after a failed poll, and nothing is lost', async () => {
		const ids = await publishBothKinds();
		// A poll that has its list already would report the card whose events fail, and go on.
		await sandbox().setFaults([{ kind: 'status', status: 500, path: '/transactions' }]);
		const made = await makePurchases(2);
		for (const id of ids) {
			expect(await failureOf(id)).toEqual({
				error: 'Simulated fault: 500 (500 internal-server-error)',
				hint: POLLS_AGAIN,
				items: [],
			});
		}
		await waitForLog('Poll failed; backing off');
		await sandbox().setFaults([]);
		await expectRunOnceIn(ids, made);
	});

	test('a wrong key stops the polls; publishing again starts them', async () => {
		const ids = await publishBothKinds();
		await polling.changeKey('a-key-that-is-wrong');
		const made = await makePurchases(2);
		for (const id of ids) {
			expect((await failureOf(id)).hint).toMatch(/^Check the API key/);
		}
		await polling.changeKey();
		await n8n().unpublishAll();
		for (const id of ids) await n8n().publish(id);
		await expectRunOnceIn(ids, made);
	});

	test('a crash during polls loses at most what n8n was starting, and repeats nothing', async () => {
		const ids = await publishBothKinds();
		const made = await makePurchases(15);
		for (const id of ids) await arrived(id, made);
		const atTheCrash = await makePurchases(15);
		made.push(...atTheCrash);
		await n8n().kill();
		made.push(...(await makePurchases(10)));
		await n8n().start();
		made.push(...(await makePurchases(10)));
		for (const id of ids) {
			const executions = await polling.arrivedOrSettled(id, made);
			const ran = ranIn(executions);
			const statuses = [...new Set(executions.map(({ status }) => status))];
			const lost = made.filter((event) => !ran.includes(event));
			process.stdout.write(
				`${JSON.stringify({ events: made.length, lost: lost.length, statuses })}\n`,
			);
			expect(new Set(ran).size).toBe(ran.length);
			// An execution that a crash interrupts is lost with its events: n8n does not run it again, and
			// has no record of it if it was just starting.
			expect(lost.filter((event) => !atTheCrash.includes(event))).toEqual([]);
		}
	});
});
