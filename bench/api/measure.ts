import { request } from 'undici';
import { assert } from '../../harness/tools/errors.ts';
import type { BenchN8n, BenchContext } from '../n8n/start.ts';
import type { BenchServer } from '../server/control.ts';
import type { ApiWorkflow, apiWorkflows } from './workflows.ts';

/** What the parts about the action node share. */
export interface ApiBench {
	context: BenchContext;
	server: BenchServer;
	workflows: ReturnType<typeof apiWorkflows>;
	n8n: BenchN8n;
}

/** The names of what {@link measureRun} measures. */
export const wholeWorkflow = 'whole workflow';
export const nodeAlone = 'the node alone';

/** The units of what {@link measureRun} measures. */
export const runUnits = { [wholeWorkflow]: 'ms', [nodeAlone]: 'ms' } as const;

/**
 * Runs a workflow once, as a production execution, and waits for its end.
 *
 * @param input the JSON body that starts it
 * @param items that its last node has to give out
 * @returns what the whole of it and the node that calls the API took, in ms as n8n measured it
 * @throws UserError where it fails, or gives out another number of items
 */
export async function measureRun(
	{ n8n: { n8n, table }, context: { signal } }: ApiBench,
	{ name, workflow, node, result }: ApiWorkflow,
	input: object,
	items: number,
): Promise<Record<string, number>> {
	const { total } = table.count(workflow.id);
	const answer = await request(n8n.webhookUrl(workflow), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(input),
		headersTimeout: 0,
		bodyTimeout: 0,
		signal,
	});
	await answer.body.dump();
	await table.untilEnded(workflow.id, total + 1, signal);
	const { id, tookMs } = table.latest(workflow.id);
	const { nodes } = await n8n.execution(id);
	const checkTheLog = 'Its figures would say nothing. Look at what the n8n of the bench does.';
	const given = nodes.find((each) => each.name === result)?.items.length;
	assert(given === items, `${name} gave out ${given ?? 'no'} items, not ${items}`, checkTheLog);
	const worker = nodes.find((each) => each.name === node);
	assert(worker !== undefined, `${name} has no execution time`, checkTheLog);
	return { [wholeWorkflow]: tookMs, [nodeAlone]: worker.executionTimeMs };
}
