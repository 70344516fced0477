import { assert } from '../../harness/tools/errors.ts';
import type { BenchSize } from '../suite.ts';
import { goal, medianOf, type PartResult } from '../result.ts';
import { type Contender, runInterleaved } from '../rounds.ts';
import { cardIdOf } from '../server/pages.ts';
import { type ApiBench, measureRun, runUnits, wholeWorkflow } from './measure.ts';
import type { ApiWorkflow } from './workflows.ts';

const sizes = { full: 1_000, smoke: 20 } as const;

const settings = { transactions: 1, latencyMs: 20 };
const setting = `${settings.latencyMs} ms latency`;

/** Freezing many cards, one item each (goal 6). */
export async function measureActions(
	bench: ApiBench,
	{ rounds, size }: BenchSize,
): Promise<PartResult> {
	const count = sizes[size];
	const cards = Array.from({ length: count }, (_, index) => cardIdOf(index));
	const { freezeWithThisNode, freezeWithThisNodeEagerly, freezeAllAtOnce, freezeInBatches } =
		bench.workflows;

	const freezing = (workflow: ApiWorkflow): Contender => ({
		setting,
		name: workflow.name,
		async run() {
			await bench.server.set(settings);
			const times = await measureRun(bench, workflow, { cards }, count);
			const { frozen } = await bench.server.set(settings);
			const message = `${workflow.name} froze ${frozen} cards, not ${count}`;
			assert(frozen === count, message, 'Look at the executions of the bench’s n8n.');
			return times;
		},
	});
	const contenders = [
		freezeWithThisNode,
		freezeWithThisNodeEagerly,
		freezeAllAtOnce,
		freezeInBatches,
	];
	const figures = await runInterleaved(
		contenders.map(freezing),
		rounds,
		runUnits,
		bench.context.progress,
	);

	const faster = ({ name }: ApiWorkflow) =>
		medianOf(figures, setting, name, wholeWorkflow) /
		medianOf(figures, setting, freezeWithThisNode.name, wholeWorkflow);
	return {
		name: 'actions',
		title: `Actions: ${count} cards frozen, one item each`,
		about:
			'This node has at most 10 requests in flight, unless its credential says otherwise, and tries again after a failure. The HTTP Request node sends all requests in the same moment, unless its Batching option spreads them; it tries nothing again by itself.',
		reference: { contender: freezeWithThisNode.name, measure: wholeWorkflow },
		figures,
		goals: [freezeAllAtOnce, freezeInBatches].map((workflow) =>
			goal(`times faster than ${workflow.name}`, faster(workflow), 'at least', 3),
		),
	};
}
