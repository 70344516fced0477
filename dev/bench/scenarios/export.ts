import assert from 'node:assert/strict';

import { Pool } from 'undici';

import { type Network, run, startActionBench, type Task } from '../actionRuns.ts';
import type { BenchContext, Contender, Scenario } from '../scenario.ts';
import { API_PATH, apiKey, roundTripMs } from '../server/api.ts';

const wholeWorkflow = 'whole workflow, ms';
const connections = 6;
const undici = `undici, ${connections} pages at a time`;

/** All of a long list: with this node, with the HTTP Request node, and without n8n. */
export async function exportAll(context: BenchContext): Promise<Scenario> {
	const bench = await startActionBench(context);
	const { server, plain, tls } = bench;
	const transactions = 20_000;

	const contendersOf = (network: Network, latencyMs: number): Contender[] => {
		const contender = (name: string, work: Contender['run']): Contender => ({
			setting: network.settingOf(latencyMs),
			name,
			run: async () => (await server.during({ transactions, latencyMs }, work)).result,
		});
		const workflow = (task: Task) =>
			contender(task.name, async () => {
				const { failed, items, tookMs } = await run(bench, task, {});
				const message = `${task.name} returned ${items} items, not ${transactions}`;
				assert(!failed && items === transactions, message);
				return { [wholeWorkflow]: tookMs };
			});
		return [
			workflow(network.tasks.exportOurs),
			workflow(network.tasks.exportHttp),
			contender(undici, async () => {
				const tookMs = await readWithUndici(network, transactions);
				return { [wholeWorkflow]: tookMs };
			}),
		];
	};
	const [ours, http] = [plain.tasks.exportOurs.name, plain.tasks.exportHttp.name];
	const remote = tls.settingOf(20);
	return {
		title: `Export: all of ${transactions} transactions, ${transactions / 100} pages`,
		about: `A workflow of a Webhook node and Transaction → Get Many with Return All, compared with the HTTP Request node (its pagination, then Split Out), and with undici without n8n. The API responds after the latency; with TLS, there is a network with a round trip of ${roundTripMs} ms between.`,
		rounds: 3,
		measures: [wholeWorkflow],
		reference: ours,
		contenders: [
			...contendersOf(plain, 0),
			...contendersOf(plain, 20),
			...contendersOf(plain, 100),
			...contendersOf(tls, 20),
		],
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
					wanted: 1.1,
				},
				faster(plain.settingOf(0), 2.3),
				faster(plain.settingOf(20), 7),
				faster(plain.settingOf(100), 12),
			];
		},
	};
}

/**
 * Reads all transactions without n8n, over connections that stay open: the least that reading can cost.
 * Returns the time it took in ms. Throws if there are others than wanted.
 */
async function readWithUndici({ url, certificate }: Network, wanted: number): Promise<number> {
	const connect = certificate === undefined ? {} : { ca: certificate };
	const pool = new Pool(new URL(url).origin, { connections, connect });
	const read = async (page: number) => {
		const { body } = await pool.request({
			path: `${API_PATH}/transactions?page=${page}&pageSize=100`,
			method: 'GET',
			headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
		});
		return (await body.json()) as { data: unknown[]; totalPages: number };
	};
	const startedAt = performance.now();
	const { data: items, totalPages } = await read(1);
	const rest = Array.from({ length: totalPages - 1 }, (_, index) => index + 2).values();
	const reader = async () => {
		for (const page of rest) items.push(...(await read(page)).data);
	};
	await Promise.all(Array.from({ length: connections }, reader));
	const tookMs = performance.now() - startedAt;
	await pool.close();
	assert.equal(items.length, wanted);
	return tookMs;
}
