import { assert } from '../../harness/tools/errors.ts';
import { goal, goalsOf, medianOf, type PartResult } from '../result.ts';
import { type Contender, runInterleaved } from '../rounds.ts';
import { cardIdOf } from '../server/pages.ts';
import type { Settings, Usage } from '../server/settings.ts';
import type { BenchSize } from '../suite.ts';
import {
	type ApiBench,
	checkTheLog,
	type Measures,
	requestsSent,
	run,
	wholeWorkflow,
	withUsage,
} from './measure.ts';
import type { ApiWorkflow } from './workflows.ts';

const sizes = {
	full: { cards: 1_000, transactions: 20_000 },
	quick: { cards: 40, transactions: 3_000 },
} as const;

const latencyMs = 20;
const rate = { perSecond: 50, burst: 20 };

const overIdeal = 'over the ideal time';
const refusedShare = 'refused';
const workDone = 'work done';

const units = {
	[wholeWorkflow]: 'ms',
	[overIdeal]: '×',
	[requestsSent]: 'requests',
	[refusedShare]: '%',
	[workDone]: '%',
} as const;

/** What has to be done, and what of it a run did. */
interface Task {
	name: string;
	/** The least requests that do it. */
	requests: number;
	/** In the list of the API. */
	transactions: number;
	input: object;
	/** The share that is done, from 0 to 1. */
	doneShare: (usage: Usage, items: number) => number;
	contenders: ApiWorkflow[];
}

const settingOf = ({ name }: Task, retryAfter: boolean) =>
	`${name}, 429 ${retryAfter ? 'with' : 'without'} Retry-After`;

/** An API that refuses requests beyond a rate. */
export async function measureRateLimit(bench: ApiBench, benchSize: BenchSize): Promise<PartResult> {
	const { context, plain } = bench;
	const tasks = tasksOf(plain.workflows, sizes[benchSize.size]);
	const us = plain.workflows.freezeWithThisNode.name;
	const cases = tasks.flatMap((task) =>
		[true, false].map((retryAfter) => ({ task, retryAfter, setting: settingOf(task, retryAfter) })),
	);

	const contenders = cases.flatMap(({ task, retryAfter, setting }) =>
		task.contenders.map((workflow): Contender => ({
			setting,
			name: workflow.name,
			run: () => measure(bench, task, workflow, { ...rate, retryAfter }),
		})),
	);
	const figures = await runInterleaved(contenders, benchSize, units, context.progress);
	return {
		name: 'rate-limit',
		title: `Rate limit: ${rate.perSecond} requests per second, ${rate.burst} at once`,
		about: `An API with a token bucket: it accepts ${rate.burst} requests at once and ${rate.perSecond} per second, and responds to all others with 429, with Retry-After in whole seconds or without; ${latencyMs} ms latency. The ideal time is that in which the API accepts the requests that are needed. Refused are the requests that got 429, as a share of those that were sent. A run without a time has failed; what it had done by then is in the last column but one.`,
		reference: { contender: us, measure: wholeWorkflow },
		figures,
		goals: goalsOf(
			...cases.flatMap(({ setting }) => [
				() =>
					goal(
						`time over the ideal time: ${setting}`,
						medianOf(figures, setting, us, overIdeal),
						'at most',
						1.3,
					),
				() =>
					goal(
						`percent of requests refused: ${setting}`,
						medianOf(figures, setting, us, refusedShare),
						'at most',
						6,
					),
			]),
		),
	};
}

function tasksOf(
	workflows: ApiBench['plain']['workflows'],
	{ cards, transactions }: { cards: number; transactions: number },
): Task[] {
	return [
		{
			name: `${cards} freezes`,
			requests: cards,
			transactions: 1,
			input: { cards: Array.from({ length: cards }, (_, index) => cardIdOf(index)) },
			doneShare: ({ frozen }) => frozen / cards,
			contenders: [
				workflows.freezeWithThisNode,
				workflows.freezeAllAtOnce,
				workflows.freezeInSmallBatches,
			],
		},
		{
			name: `${transactions} transactions`,
			requests: transactions / 100,
			transactions,
			input: {},
			doneShare: (_usage, items) => items / transactions,
			contenders: [workflows.exportWithThisNode, workflows.exportWithHttpRequest],
		},
	];
}

/** Runs a workflow once. Throws if that of this node fails; that of the HTTP Request node may. */
async function measure(
	bench: ApiBench,
	{ requests, transactions, input, doneShare }: Task,
	workflow: ApiWorkflow,
	limit: Settings['limit'],
): Promise<Measures> {
	const settings = { transactions, latencyMs, limit };
	let items = 0;
	let failed = false;
	return withUsage(
		bench.server,
		settings,
		async (): Promise<Measures> => {
			const execution = await run(bench, workflow, input);
			failed = execution.failed;
			items = execution.items?.length ?? 0;
			const tookMs = execution.times[wholeWorkflow] ?? NaN;
			if (failed) return {};
			return { [wholeWorkflow]: tookMs, [overIdeal]: tookMs / idealMs(requests) };
		},
		(usage) => {
			const done = doneShare(usage, items);
			const isDone = !failed && done === 1;
			const mayFail = workflow.node === 'HTTP Request';
			assert(isDone || mayFail, `${workflow.name} did ${done * 100} % of its work`, checkTheLog);
			return {
				[refusedShare]: (usage.refused / usage.requests) * 100,
				[workDone]: done * 100,
			};
		},
	);
}

/** How long the API takes to accept this many requests. */
const idealMs = (requests: number) => ((requests - rate.burst) / rate.perSecond) * 1000;
