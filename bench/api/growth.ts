import { measureMemory } from '../memory/measure.ts';
import { type Figure, goal, goalsOf, medianOf, type PartResult } from '../result.ts';
import { type Contender, runInterleaved } from '../rounds.ts';
import { growth } from '../statistics.ts';
import type { BenchSize } from '../suite.ts';
import { type ApiBench, measureRun, nodeAlone, wholeWorkflow } from './measure.ts';

const sizes = {
	full: [1_000, 10_000, 100_000],
	quick: [100, 200, 300],
} as const;

const memoryAtPeak = 'memory, at its peak';
const memoryOfItems = 'memory, of the items alone';

const units = {
	[wholeWorkflow]: 'ms',
	[nodeAlone]: 'ms',
	[memoryAtPeak]: 'MB',
	[memoryOfItems]: 'MB',
} as const;

const settingOf = (transactions: number) => `${transactions} items`;

/** What ever longer lists cost, in time and in memory (goals 2, and the memory goal of 1). */
export async function measureGrowth(bench: ApiBench, benchSize: BenchSize): Promise<PartResult> {
	const { context, server, plain } = bench;
	const { exportWithThisNode } = plain.workflows;
	const lengths = sizes[benchSize.size];
	const name = exportWithThisNode.name;
	const contenders = lengths.map((transactions): Contender => ({
		setting: settingOf(transactions),
		name,
		async run() {
			await server.set({ transactions, latencyMs: 0 });
			const times = await measureRun(bench, exportWithThisNode, {}, transactions);
			const memory = await measureMemory(server.apiUrl, transactions, context.signal);
			return { ...times, [memoryAtPeak]: memory.peakMb, [memoryOfItems]: memory.itemsMb };
		},
	}));

	const figures = await runInterleaved(contenders, benchSize, units, context.progress);
	return {
		name: 'growth',
		title: 'Growth: lists of different lengths, no latency',
		about:
			'Transaction → Get Many with Return All. Memory is taken in a separate process, in n8n’s own engine (n8n-core): what is alive after a forced garbage collection, again and again while the node runs (peak), and at the end, when only its items are left.',
		reference: { contender: name, measure: nodeAlone },
		figures,
		goals: growthGoals(figures, name, lengths),
	};
}

function growthGoals(figures: readonly Figure[], name: string, lengths: readonly number[]) {
	const at = (items: number, measure: string) => ({
		items,
		cost: medianOf(figures, settingOf(items), name, measure),
	});
	const steps = lengths.slice(1).flatMap((longer, index) => {
		const shorter = lengths[index] ?? longer;
		const grown = (measure: string) => growth(at(shorter, measure), at(longer, measure));
		const says = (what: string) =>
			`${what} of one item of ${longer} over that of one of ${shorter}`;
		return [
			() => goal(says('time'), grown(nodeAlone), 'at most', 1.15),
			() => goal(says('memory'), grown(memoryAtPeak), 'at most', 1.15),
		];
	});
	// The longest list takes the most looks at the memory.
	const longest = lengths.at(-1) ?? 0;
	const overItems = () => at(longest, memoryAtPeak).cost / at(longest, memoryOfItems).cost;
	const says = `memory at the peak over that of ${longest} items alone`;
	return goalsOf(...steps, () => goal(says, overItems(), 'at most', 1.3));
}
