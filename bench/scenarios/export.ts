import { z } from 'zod';

import { assert } from '../../harness/tools/errors.ts';
import {
	aboutNetworks,
	type Network,
	runFully,
	startActionBench,
	type Task,
	wholeWorkflow,
} from '../actionRuns.ts';
import type { Contender, Scenario } from '../scenario.ts';
import { UndiciReader } from '../undici.ts';

const connections = 6;
const undici = `undici, ${connections} pages at a time`;

const pageSchema = z.object({ data: z.array(z.unknown()), totalPages: z.number() });

/** All of a long list: with this node, with the HTTP Request node, and without n8n. */
export const exportAll: Scenario = {
	name: 'export',
	async plan(context) {
		const bench = await startActionBench(context);
		const { server, plain, tls } = bench;
		const transactions = context.quick ? 300 : 20_000;

		const contendersOf = (network: Network, latencyMs: number): Contender[] => {
			const contender = (name: string, work: Contender['run']): Contender => ({
				setting: network.settingOf(latencyMs),
				name,
				run: async () => (await server.during({ transactions, latencyMs }, work)).result,
			});
			const workflow = (task: Task) =>
				contender(task.name, () => runFully(bench, task, {}, transactions));
			return [
				workflow(network.tasks.exportOurs),
				workflow(network.tasks.exportHttp),
				contender(undici, async () => {
					const tookMs = await readWithUndici(network, transactions, context.signal);
					return { [wholeWorkflow]: tookMs };
				}),
			];
		};
		const [ours, http] = [plain.tasks.exportOurs.name, plain.tasks.exportHttp.name];
		const remote = tls.settingOf(20);
		return {
			title: `Export: all of ${transactions} transactions, ${transactions / 100} pages`,
			about: `A workflow of a Webhook node and Transaction → Get Many with Return All, compared with the HTTP Request node (its pagination, then Split Out), and with undici without n8n. ${aboutNetworks}`,
			rounds: 3,
			measures: [wholeWorkflow],
			reference: ours,
			chart: {
				file: 'images/benchmarks.svg',
				title: `Time to export ${transactions} transactions`,
			},
			contenders: [
				...contendersOf(plain, 0),
				...contendersOf(plain, 20),
				...contendersOf(plain, 100),
				...contendersOf(tls, 20),
			],
			ifMissed:
				'What is left is n8n’s own work: in a profile, four fifths of the node’s time are n8n’s request helper, a connection for each page, and garbage collection.',
			goals(medianOf) {
				const faster = (setting: string, wanted: number) => ({
					says: `times faster than HTTP Request: ${setting}`,
					value: medianOf(setting, http, wholeWorkflow) / medianOf(setting, ours, wholeWorkflow),
					bound: 'at least' as const,
					wanted,
				});
				return [
					faster(remote, 12),
					{
						says: `time over that of undici: ${remote}`,
						value: medianOf(remote, ours, wholeWorkflow) / medianOf(remote, undici, wholeWorkflow),
						bound: 'at most',
						wanted: 1,
					},
					faster(plain.settingOf(0), 2.3),
					faster(plain.settingOf(20), 8),
					faster(plain.settingOf(100), 12),
				];
			},
		};
	},
};

/** Reads all transactions; returns the time it took in ms. Throws if there are others than wanted. */
async function readWithUndici(
	{ url, certificate }: Network,
	wanted: number,
	signal: AbortSignal,
): Promise<number> {
	await using reader = new UndiciReader(url, connections, signal, certificate);
	const pathOf = (page: number) => `/transactions?page=${page}&pageSize=100`;
	const startedAt = performance.now();
	const first = pageSchema.parse(await reader.get(pathOf(1)));
	const paths = Array.from({ length: first.totalPages - 1 }, (_, index) => pathOf(index + 2));
	const others = await reader.getAll(paths);
	const items = [first, ...others.map((page) => pageSchema.parse(page))].flatMap(
		({ data }) => data,
	);
	const tookMs = performance.now() - startedAt;
	assert(items.length === wanted, `undici read ${items.length} items`, 'Look at bench/server.');
	return tookMs;
}
