import type { Execution } from '../../dev/harness/n8n/executions.ts';
import { eventIdOf, executionOf } from '../../dev/harness/scenario/purchase.ts';
import type { TestEnvironment } from './environment.ts';

/**
 * The execution that an event has started, once it has ended or waits for the answer to a question in
 * Slack. n8n 1 does not list executions that wait, but the links of the question name theirs.
 */
export async function executionThatAsks(
	{ n8n, internet }: TestEnvironment,
	workflowId: string,
	eventId: string,
): Promise<Execution | undefined> {
	const ended = await executionOf(n8n, workflowId, eventId);
	if (ended) return ended;
	const [newest] = (await internet.slackQuestions()).slice(-1);
	const [, id] = /webhook-waiting\/(\d+)/.exec(newest?.urls.Unfreeze ?? '') ?? [];
	const waiting = id === undefined ? undefined : await n8n.execution(id);
	return waiting?.status === 'waiting' && eventIdOf(waiting) === eventId ? waiting : undefined;
}
