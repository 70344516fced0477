import { join } from 'node:path';

import { z } from 'zod';

import { type Execution, outputOf } from '../../harness/n8n/executions.ts';
import {
	cardPlatform,
	node,
	readWorkflow,
	triggerNode,
	type WorkflowFile,
	workflowOf,
} from '../../harness/n8n/workflow.ts';
import { addApiCredential, type Automation } from '../../harness/scenario/automation.ts';
import { trackPurchase } from '../../harness/scenario/purchase.ts';
import { workflowsFolder } from '../../harness/tools/paths.ts';
import { executionAfter } from '../trigger/events.ts';
import { importSubscribed, importWorkflow, useTestEnvironment } from './environment.ts';
import { startPolling } from './pollingFile.ts';
import { withMissingChannel } from './slackMessages.ts';

const environment = useTestEnvironment();
const watched = 'Watched & alerting';
const messageSchema = z.tuple([z.object({ text: z.string() })]).or(z.tuple([]));

/** The lines of the message that begin so; other workflows of this n8n have lines of their own. */
function linesIn(execution: Execution, start = `${watched}:`): string[] {
	const [message] = messageSchema.parse(outputOf(execution, 'Write the message').items);
	return (message?.text ?? '').split('\n').filter((line) => line.startsWith(start));
}

/** The same of an execution that succeeded. */
function linesOf(execution: Execution, start?: string): string[] {
	expect(execution.status).toBe('success');
	return linesIn(execution, start);
}

/**
 * A workflow with both triggers, and a step that fails for one merchant. It polls when it is published, and
 * next on a 29 February.
 */
const watchedWorkflow = () =>
	workflowOf(
		watched,
		[
			triggerNode('Webhook'),
			node('Poll', cardPlatform.pollingTrigger, {
				parameters: {
					pollTimes: { item: [{ mode: 'custom', cronExpression: '0 0 0 29 2 *' }] },
					options: { executionPerEvent: true },
				},
			}),
			node('Book it', 'n8n-nodes-base.code', {
				typeVersion: 2,
				parameters: {
					jsCode:
						"if ($json.merchantName === 'Faulty') throw new Error('No such account');\nreturn $input.all();",
				},
			}),
		],
		[
			['Webhook', 'Book it'],
			['Poll', 'Book it'],
		],
	);

// Tests "Watchdog" beside a workflow whose webhook works, and then does not.
describe('"Watchdog"', () => {
	let file: WorkflowFile;
	let automation: Automation;
	let credentials: Awaited<ReturnType<typeof ownCredentials>>;

	const ownCredentials = async (key = environment().n8n.apiKey, data: object = {}) => {
		const { n8n, company } = environment();
		const own = { apiKey: key, baseUrl: `${n8n.url}/api/v1` };
		return {
			[cardPlatform.action]: await addApiCredential(n8n, company, { readOnly: true, ...data }),
			'n8n-nodes-base.n8n': await n8n.addCredential('n8nApi', own),
		};
	};

	beforeAll(async () => {
		file = await readWorkflow(join(workflowsFolder, 'watchdog.json'));
		credentials = await ownCredentials();
		automation = await importSubscribed(environment(), watchedWorkflow());
	}, 400_000);

	const watch = async (own = credentials) => {
		const { id } = await importWorkflow({ ...environment(), credentials: own }, file);
		return environment().n8n.run(id, 'Every hour');
	};

	const buy = async (merchantName: string) => {
		const { company, n8n } = environment();
		const [{ id: cardId }] = company.active;
		const { event } = await company.sandbox.authorize({ cardId, amount: '4.00', merchantName });
		return executionAfter(n8n, automation.workflowId, event, 120_000);
	};

	it('says nothing of a workflow whose webhook delivers and whose executions succeed', async () => {
		const [{ id: cardId }] = environment().company.active;
		const purchase = { cardId, amount: '4.00', merchantName: 'Bakery' };
		const { execution } = await trackPurchase(
			{ ...environment().company, ...automation },
			purchase,
		);
		expect(execution.status).toBe('success');
		const quiet = await watch();
		expect(linesOf(quiet)).toEqual([]);
		expect(linesOf(quiet, 'Card platform')).toEqual([]);
	});

	it('tells of events that came by poll only, and of executions that failed', async () => {
		const { n8n, company } = environment();
		await company.sandbox.unsubscribe({ id: automation.endpointId });
		await startPolling(n8n, automation.workflowId);
		const failed = await buy('Faulty');
		expect(failed.status).toBe('error');
		expect((await buy('Bakery')).status).toBe('success');
		expect(linesOf(await watch())).toEqual([
			expect.stringMatching(
				new RegExp(
					`1 execution failed, the last one \\(${failed.id}, started .+\\) in "Book it"\\. No such account.*\\. Open the executions`,
				),
			),
			expect.stringContaining('1 card event came by poll and not by webhook'),
		]);
	});

	it('tells of a card platform that refuses the key, and of an n8n that does', async () => {
		const execution = await watch(await ownCredentials('wrong', { apiKey: 'wrong' }));
		// As a failed run, it does not count as one that has looked.
		expect(execution.status).toBe('error');
		expect(linesIn(execution, '')).toEqual([
			'n8n needs attention',
			expect.stringMatching(/^Card platform: the connection check failed\. .*401/),
			expect.stringMatching(/^n8n: its executions could not be read.* Authorization failed/),
		]);
	});

	it('reports a failure once, and again if its message could not be sent', async () => {
		const { n8n } = environment();
		const everyTenSeconds = { field: 'cronExpression', expression: '*/10 * * * * *' };
		const scheduled = file.nodes.map((each) =>
			each.name === 'Every hour'
				? { ...each, parameters: { rule: { interval: [everyTenSeconds] } } }
				: each,
		);
		const own = { ...environment(), credentials: { ...environment().credentials, ...credentials } };
		const { id } = await importWorkflow(own, { ...file, nodes: scheduled });
		const runs = await n8n.waitForExecutions(id, 3);
		expect(runs.map((run) => linesOf(run).length).slice(-3)).toEqual([0, 0, 2]);

		const refused = withMissingChannel({ ...file, nodes: scheduled });
		const noSlack = await importWorkflow(own, refused);
		const unsent = (await n8n.waitForExecutions(noSlack.id, 2)).slice(-2);
		expect(unsent.map((run) => [run.status, linesIn(run).length])).toEqual([
			['error', 2],
			['error', 2],
		]);
	});
});
