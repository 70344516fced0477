import { assert } from '../../harness/tools/errors.ts';
import type { BenchSize } from '../suite.ts';
import { type Figure, goal, medianOf, type PartResult } from '../result.ts';
import { type Contender, runInterleaved } from '../rounds.ts';
import { type ApiBench, measureRun, nodeAlone, runUnits, wholeWorkflow } from './measure.ts';
import { readRaw } from './raw.ts';

const sizes = {
	full: { transactions: 20_000, latencies: [0, 20, 100] },
	smoke: { transactions: 300, latencies: [0, 20, 100] },
} as const;

/** Pages that this node has in flight at the same time. */
const inFlight = 6;

const raw = (pages: number) =>
	`undici alone, ${pages === 1 ? 'one page' : `${pages} pages`} at a time`;

const settingOf = (latencyMs: number) => `${latencyMs} ms latency`;

/** Return All of a long list, with this node, the HTTP Request node, and no n8n at all (goals 1). */
export async function measureExport(
	bench: ApiBench,
	{ rounds, size }: BenchSize,
): Promise<PartResult> {
	const { transactions, latencies } = sizes[size];
	const { exportWithThisNode, exportWithHttpRequest } = bench.workflows;

	const contenders = latencies.flatMap((latencyMs): Contender[] => {
		const setting = settingOf(latencyMs);
		const through = (workflow: typeof exportWithThisNode): Contender => ({
			setting,
			name: workflow.name,
			async run() {
				await bench.server.set({ transactions, latencyMs });
				return await measureRun(bench, workflow, {}, transactions);
			},
		});
		const without = (pages: number): Contender => ({
			setting,
			name: raw(pages),
			async run() {
				await bench.server.set({ transactions, latencyMs });
				const { items, tookMs } = await readRaw(bench.server.apiUrl, pages, bench.context.signal);
				const message = `undici read ${items.length} items, not ${transactions}`;
				assert(items.length === transactions, message, 'Look at the bench’s API.');
				return { [wholeWorkflow]: tookMs, [nodeAlone]: tookMs };
			},
		});
		return [
			through(exportWithThisNode),
			through(exportWithHttpRequest),
			without(1),
			without(inFlight),
		];
	});

	const figures = await runInterleaved(contenders, rounds, runUnits, bench.context.progress);
	return {
		name: 'export',
		title: `Export: all of ${transactions} transactions, ${transactions / 100} pages`,
		about:
			'A workflow of a Webhook node and Transaction → Get Many with Return All, against the same with the HTTP Request node (its pagination, then Split Out), and against plain undici in a program of its own, which checks nothing. The list lies on a small API that answers after the latency.',
		reference: { contender: exportWithThisNode.name, measure: wholeWorkflow },
		figures,
		goals: goalsOf(figures, exportWithThisNode.name, exportWithHttpRequest.name),
	};
}

function goalsOf(figures: readonly Figure[], us: string, http: string) {
	const faster = (latencyMs: number) => {
		const [setting, measure] = [settingOf(latencyMs), wholeWorkflow];
		return medianOf(figures, setting, http, measure) / medianOf(figures, setting, us, measure);
	};
	const overRaw = (latencyMs: number) => {
		const [setting, measure] = [settingOf(latencyMs), nodeAlone];
		return (
			medianOf(figures, setting, us, measure) / medianOf(figures, setting, raw(inFlight), measure)
		);
	};
	return [
		goal('whole workflow, times faster than HTTP Request at 0 ms', faster(0), 'at least', 1),
		goal('whole workflow, times faster than HTTP Request at 20 ms', faster(20), 'at least', 4),
		goal('whole workflow, times faster than HTTP Request at 100 ms', faster(100), 'at least', 5),
		goal(
			'the node’s time over undici’s with as many in flight, 20 ms',
			overRaw(20),
			'at most',
			1.6,
		),
		goal(
			'the node’s time over undici’s with as many in flight, 100 ms',
			overRaw(100),
			'at most',
			1.2,
		),
	];
}
