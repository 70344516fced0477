import { type Execution, outputOf } from '../../dev/harness/n8n/executions.ts';
import {
	node,
	triggerNode,
	type WorkflowFile,
	workflowOf,
} from '../../dev/harness/n8n/workflow.ts';
import { cardEvent, execute } from '../trigger/events.ts';
import {
	activated,
	importFor,
	importSubscribed,
	useTestEnvironment,
	withParameters,
} from './environment.ts';

const environment = useTestEnvironment();
const watched = 'Watched & alerting';

/** A workflow with a step that fails for one merchant. */
const watchedWorkflow = () =>
	workflowOf(watched, [
		triggerNode('Webhook'),
		node('Book it', 'n8n-nodes-base.code', {
			typeVersion: 2,
			parameters: {
				jsCode:
					"if ($json.merchantName === 'Faulty') throw new Error('No such account');\nreturn $input.all();",
			},
		}),
	]);

/** A workflow whose email nobody takes. */
const toNobody = (file: WorkflowFile): WorkflowFile =>
	withParameters(activated(file, 'Send email'), 'Send email', { toEmail: 'nobody@example.com' });

/** The lines of the message; other workflows of this n8n have lines of their own. */
function linesIn(execution: Execution, start = `${watched}:`): string[] {
	const [message] = outputOf(execution, 'Write the message').items as { text: string }[];
	return (message?.text ?? '').split('\n').filter((line) => line.startsWith(start));
}

// watchdog.test.ts has the other findings.
describe('"Watchdog"', () => {
	const watch = async (n8nKey = environment().n8n.apiKey, key: object = {}, change = activated) => {
		const { n8n } = environment();
		const own = { apiKey: n8nKey, baseUrl: `${n8n.url}/api/v1` };
		const more = { 'n8n-nodes-base.n8n': await n8n.addCredential('n8nApi', own) };
		const data = { readOnly: true, ...key };
		const { id } = await importFor(environment(), 'watchdog.json', data, change, more);
		return n8n.run(id, 'Every hour');
	};

	it('tells of an execution that failed, and fails itself if its message cannot be sent', async () => {
		const automation = await importSubscribed(environment(), watchedWorkflow());
		const [{ id: cardId }] = environment().company.active;
		await execute(automation, cardEvent(cardId));
		expect(linesIn(await watch())).toEqual([]);
		const failed = await execute(automation, cardEvent(cardId, { merchantName: 'Faulty' }));
		const told = await watch();
		expect(told.status).toBe('success');
		expect(linesIn(told)).toEqual([
			expect.stringMatching(
				new RegExp(
					`1 execution failed, the last one \\(${failed.id}, started .+\\) in "Book it"\\. No such account`,
				),
			),
		]);
		expect((await watch(undefined, {}, toNobody)).status).toBe('error');
	});

	it('tells of a card platform that refuses the key, and of an n8n that does', async () => {
		const execution = await watch('wrong', { apiKey: 'wrong' });
		// As a failed run, it does not count as one that has looked.
		expect(execution.status).toBe('error');
		expect(linesIn(execution, '')).toEqual([
			'n8n needs attention',
			expect.stringMatching(/^Card platform: the connection check failed\. .*401/),
			expect.stringMatching(/^n8n: its executions could not be read.* Authorization failed/),
		]);
	});
});
