import assert from 'node:assert/strict';

import { run, startActionBench, type Task } from '../actionRuns.ts';
import type { BenchContext, Contender, Scenario } from '../scenario.ts';
import { cardIdOf, type Usage } from '../server/api.ts';

const rate = { perSecond: 50, burst: 20 };
const latencyMs = 20;

const overIdeal = 'time / ideal time';
const refusedShare = 'refused, %';
const workDone = 'work done, %';

/** In how many ms the API accepts this many requests. */
const idealMs = (requests: number) => ((requests - rate.burst) / rate.perSecond) * 1000;

/** What has to be done at the rate limit. */
interface Job {
	name: string;
	/** The least requests that do it. */
	requests: number;
	input: object;
	/** The share that is done, from 0 to 1. */
	doneShare: (usage: Usage, items: number) => number;
	/** This node's workflow. */
	ours: Task;
	others: Task[];
}

/** An API that refuses requests beyond a rate. */
export async function rateLimit(context: BenchContext): Promise<Scenario> {
	const bench = await startActionBench(context);
	const { tasks } = bench.plain;
	const cards = 1_000;
	const transactions = 20_000;
	const jobs: Job[] = [
		{
			name: `${cards} freezes`,
			requests: cards,
			input: { cards: Array.from({ length: cards }, (_, index) => cardIdOf(index)) },
			doneShare: ({ frozen }) => frozen / cards,
			ours: tasks.freezeOurs,
			others: [tasks.freezeHttp],
		},
		{
			name: `${transactions} transactions`,
			requests: transactions / 100,
			input: {},
			doneShare: (_usage, items) => items / transactions,
			ours: tasks.exportOurs,
			others: [tasks.exportHttp],
		},
	];
	const settings = jobs.flatMap((job) =>
		[true, false].map((retryAfter) => ({
			job,
			retryAfter,
			setting: `${job.name}, ${retryAfter ? 'Retry-After' : 'no Retry-After'}`,
		})),
	);

	/** Does a job with a workflow. Throws if this node does not do all of it; the others may fail. */
	const measure = async (job: Job, task: Task, retryAfter: boolean) => {
		const limit = { ...rate, retryAfter };
		const { result, usage } = await bench.server.during({ transactions, latencyMs, limit }, () =>
			run(bench, task, job.input),
		);
		const done = job.doneShare(usage, result.items);
		const isDone = !result.failed && done === 1;
		const message = `${task.name} did ${done * 100} % of its work`;
		assert(isDone || task !== job.ours, message);
		return {
			...(isDone && { [overIdeal]: result.tookMs / idealMs(job.requests) }),
			[refusedShare]: (usage.refused / usage.requests) * 100,
			[workDone]: done * 100,
		};
	};
	return {
		title: `Rate limit: ${rate.perSecond} requests per second, ${rate.burst} at once`,
		about: `An API with a token bucket and ${latencyMs} ms latency. It responds to further requests with 429, with Retry-After in whole seconds or without. In the ideal time, it accepts the requests that are needed. Refused are requests that got 429. A contender without a time has failed.`,
		rounds: 2,
		measures: [overIdeal, refusedShare, workDone],
		reference: tasks.freezeOurs.name,
		contenders: settings.flatMap(({ job, retryAfter, setting }) =>
			// The HTTP Request node does not read Retry-After.
			[job.ours, ...(retryAfter ? job.others : [])].map((task): Contender => ({
				setting,
				name: task.name,
				run: () => measure(job, task, retryAfter),
			})),
		),
		goals: (medianOf) =>
			settings.flatMap(({ job, setting }) => [
				{
					says: `time over the ideal time: ${setting}`,
					value: medianOf(setting, job.ours.name, overIdeal),
					bound: 'at most' as const,
					wanted: 1.6,
				},
				{
					says: `percent of requests refused: ${setting}`,
					value: medianOf(setting, job.ours.name, refusedShare),
					bound: 'at most' as const,
					wanted: 6,
				},
			]),
	};
}
