import { assert } from '../../harness/tools/errors.ts';
import { goal, goalsOf, medianOf, type PartResult } from '../result.ts';
import { type Contender, runInterleaved } from '../rounds.ts';
import { cardIdOf } from '../server/pages.ts';
import type { BenchSize } from '../suite.ts';
import type { Access } from './access.ts';
import {
	type ApiBench,
	checkTheLog,
	measureRun,
	runUnits,
	wholeWorkflow,
	withUsage,
} from './measure.ts';
import type { ApiWorkflow } from './workflows.ts';

const sizes = { full: 1_000, quick: 20 } as const;

/** The latency of the main comparison, and of the rows with TLS. */
const usualLatencyMs = 20;

/** Freezing many cards, one item each. */
export async function measureActions(bench: ApiBench, benchSize: BenchSize): Promise<PartResult> {
	const { server, plain, remote, context } = bench;
	const count = sizes[benchSize.size];
	const cards = Array.from({ length: count }, (_, index) => cardIdOf(index));

	const contendersOf = (
		access: Access,
		latencyMs: number,
		pick: (workflows: Access['workflows']) => ApiWorkflow[],
	) =>
		pick(access.workflows).map((workflow): Contender => ({
			setting: access.settingOf(latencyMs),
			name: workflow.name,
			run: () =>
				withUsage(
					server,
					{ transactions: 1, latencyMs },
					() => measureRun(bench, workflow, { cards }, count),
					({ frozen }) => {
						const message = `${workflow.name} froze ${frozen} cards, not ${count}`;
						assert(frozen === count, message, checkTheLog);
						return {};
					},
				),
		}));
	const usual = (workflows: Access['workflows']) => [
		workflows.freezeWithThisNode,
		workflows.freezeWithThisNodeEagerly,
		workflows.freezeAllAtOnce,
	];
	const figures = await runInterleaved(
		[
			...contendersOf(plain, 0, usual),
			// The Batching option takes as long whatever the latency.
			...contendersOf(plain, usualLatencyMs, (workflows) => [
				...usual(workflows),
				workflows.freezeInBatches,
			]),
			...contendersOf(plain, 100, usual),
			...contendersOf(remote, usualLatencyMs, usual),
		],
		benchSize,
		runUnits,
		context.progress,
	);

	const { freezeWithThisNode, freezeAllAtOnce, freezeInBatches } = plain.workflows;
	const setting = plain.settingOf(usualLatencyMs);
	const faster =
		({ name }: ApiWorkflow, wanted: number) =>
		() =>
			goal(
				`times faster than ${name}: ${setting}`,
				medianOf(figures, setting, name, wholeWorkflow) /
					medianOf(figures, setting, freezeWithThisNode.name, wholeWorkflow),
				'at least',
				wanted,
			);
	return {
		name: 'actions',
		title: `Actions: ${count} cards frozen, one item each`,
		about:
			'This node has at most as many requests in flight as the *Max Concurrent Requests* of its credential, and retries failed requests. The HTTP Request node sends all requests at the same moment, unless its Batching option spreads them; it retries nothing.',
		reference: { contender: freezeWithThisNode.name, measure: wholeWorkflow },
		figures,
		goals: goalsOf(faster(freezeAllAtOnce, 1.35), faster(freezeInBatches, 3)),
	};
}
