import { request } from 'undici';

import { assert } from '../../harness/tools/errors.ts';
import type { BenchContext, BenchN8n } from '../n8n/start.ts';
import type { BenchServer } from '../server/control.ts';
import type { Settings, Usage } from '../server/settings.ts';
import type { Access } from './access.ts';
import type { ApiWorkflow } from './workflows.ts';

/** What the parts about the action node share. */
export interface ApiBench {
	context: BenchContext;
	server: BenchServer;
	/** Over plain HTTP, which opens connections without delay. */
	plain: Access;
	/** Over TLS, and a network with a round trip. */
	remote: Access;
	n8n: BenchN8n;
}

/** The names of what {@link measureRun} and {@link withUsage} measure. */
export const wholeWorkflow = 'whole workflow';
export const nodeAlone = 'the node alone';
export const requestsSent = 'requests';
export const connectionsOpened = 'connections';

/** The units of what they measure. */
export const runUnits = {
	[wholeWorkflow]: 'ms',
	[nodeAlone]: 'ms',
	[requestsSent]: 'requests',
	[connectionsOpened]: 'connections',
} as const;

/** Measures of a run, by name. */
export type Measures = Record<string, number>;

/**
 * Does work with these settings of the API.
 *
 * @returns what `work` measures, and the requests and connections that the API counted
 * @throws whatever `work` or `check` throws, which sees what the API was used for
 */
export async function withUsage(
	server: BenchServer,
	settings: Settings,
	work: () => Promise<Measures>,
	check: (usage: Usage) => Measures | undefined = () => undefined,
): Promise<Measures> {
	await server.set(settings);
	const measures = await work();
	const usage = await server.set(settings);
	const { requests, connections } = usage;
	return {
		...measures,
		...check(usage),
		[requestsSent]: requests,
		[connectionsOpened]: connections,
	};
}

/** What to do about a contender that does not do its work. */
export const checkTheLog =
	'Its figures would say nothing. Look at the executions of the bench’s n8n.';

/** One execution of a workflow. */
interface Run {
	failed: boolean;
	/** The items that its last node put out; none if it did not run. */
	items: unknown[] | undefined;
	/** What the whole of it and the node that calls the API took, in ms as n8n measured it. */
	times: Measures;
}

/** Runs a workflow once, as a production execution that a JSON body starts, and waits for its end. */
export async function run(
	{ n8n: { n8n, table }, context: { signal } }: ApiBench,
	{ name, workflow, node, result }: ApiWorkflow,
	input: object,
): Promise<Run> {
	const { total } = table.count(workflow.id);
	const response = await request(n8n.webhookUrl(workflow), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(input),
		headersTimeout: 0,
		bodyTimeout: 0,
		signal,
	});
	await response.body.dump();
	await table.untilEnded(workflow.id, total + 1, { signal, mayFail: true });
	const { id, status, tookMs } = table.latest(workflow.id);
	const { nodes } = await n8n.execution(id);
	const worker = nodes.find((each) => each.name === node);
	assert(worker !== undefined, `${name} has no execution time`, checkTheLog);
	return {
		failed: status !== 'success',
		items: nodes.find((each) => each.name === result)?.items,
		times: { [wholeWorkflow]: tookMs, [nodeAlone]: worker.executionTimeMs },
	};
}

/**
 * Runs a workflow once.
 *
 * @param input the JSON body that starts it
 * @param wanted items that its last node has to put out
 * @returns what the whole of it and the node that calls the API took
 * @throws UserError if it fails, or puts out another number of items
 */
export async function measureRun(
	bench: ApiBench,
	workflow: ApiWorkflow,
	input: object,
	wanted: number,
): Promise<Measures> {
	const { failed, items, times } = await run(bench, workflow, input);
	assert(!failed, `${workflow.name} failed`, checkTheLog);
	const message = `${workflow.name} put out ${items?.length ?? 'no'} items, not ${wanted}`;
	assert(items?.length === wanted, message, checkTheLog);
	return times;
}
