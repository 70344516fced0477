import { assert } from '../../harness/tools/errors.ts';
import { type Figure, goal, goalsOf, medianOf, type PartResult } from '../result.ts';
import { type Contender, runInterleaved } from '../rounds.ts';
import type { BenchSize } from '../suite.ts';
import type { Access } from './access.ts';
import {
	type ApiBench,
	measureRun,
	nodeAlone,
	runUnits,
	wholeWorkflow,
	withUsage,
} from './measure.ts';
import { readRaw } from './raw.ts';
import type { ApiWorkflow } from './workflows.ts';

const sizes = { full: 20_000, quick: 300 } as const;

const latencies = [0, 20, 100];

/** The latency of the rows with TLS. */
const remoteLatencyMs = 20;

/** Connections of the plain program that uses several. */
const connections = 6;

const raw = (pages: number) =>
	`undici alone, ${pages === 1 ? 'one page' : `${pages} pages`} at a time`;

/** Return All of a long list, with this node, the HTTP Request node, and no n8n at all. */
export async function measureExport(bench: ApiBench, benchSize: BenchSize): Promise<PartResult> {
	const { server, plain, remote, context } = bench;
	const transactions = sizes[benchSize.size];

	const contendersOf = (access: Access, latencyMs: number): Contender[] => {
		const setting = access.settingOf(latencyMs);
		const settings = { transactions, latencyMs };
		const through = (workflow: ApiWorkflow): Contender => ({
			setting,
			name: workflow.name,
			run: () => withUsage(server, settings, () => measureRun(bench, workflow, {}, transactions)),
		});
		const without = (pages: number): Contender => ({
			setting,
			name: raw(pages),
			run: () =>
				withUsage(server, settings, async () => {
					const { items, tookMs } = await readRaw(access, pages, context.signal);
					const message = `undici read ${items.length} items, not ${transactions}`;
					assert(items.length === transactions, message, 'Look at the bench’s API.');
					return { [wholeWorkflow]: tookMs, [nodeAlone]: tookMs };
				}),
		});
		const { exportWithThisNode, exportWithHttpRequest } = access.workflows;
		return [
			through(exportWithThisNode),
			through(exportWithHttpRequest),
			without(1),
			without(connections),
		];
	};

	const figures = await runInterleaved(
		[
			...latencies.flatMap((latencyMs) => contendersOf(plain, latencyMs)),
			...contendersOf(remote, remoteLatencyMs),
		],
		benchSize,
		runUnits,
		context.progress,
	);
	return {
		name: 'export',
		title: `Export: all of ${transactions} transactions, ${transactions / 100} pages`,
		about:
			'A workflow of a Webhook node and Transaction → Get Many with Return All, against the same with the HTTP Request node (its pagination, then Split Out), and against plain undici without n8n, which checks nothing and keeps its connections open. A small API has the list, and responds after the latency. With TLS, there is a network with a round trip between.',
		reference: { contender: plain.workflows.exportWithThisNode.name, measure: wholeWorkflow },
		chart: {
			file: 'images/benchmarks.svg',
			title: `Time to export ${transactions} transactions`,
		},
		figures,
		goals: exportGoals(figures, bench),
	};
}

function exportGoals(figures: readonly Figure[], { plain, remote }: ApiBench) {
	const us = plain.workflows.exportWithThisNode.name;
	const http = plain.workflows.exportWithHttpRequest.name;
	const ratio = (setting: string, measure: string, over: string, under: string) =>
		medianOf(figures, setting, over, measure) / medianOf(figures, setting, under, measure);
	const faster = (setting: string, wanted: number) => () =>
		goal(
			`whole workflow, times faster than HTTP Request: ${setting}`,
			ratio(setting, wholeWorkflow, http, us),
			'at least',
			wanted,
		);
	const remoteSetting = remote.settingOf(remoteLatencyMs);
	return goalsOf(
		faster(remoteSetting, 12),
		() =>
			goal(
				`the node’s time over undici’s with ${connections} open connections: ${remoteSetting}`,
				ratio(remoteSetting, nodeAlone, us, raw(connections)),
				'at most',
				1,
			),
		faster(plain.settingOf(20), 8),
		faster(plain.settingOf(100), 12),
		faster(plain.settingOf(0), 2.3),
	);
}
