import { setTimeout as pause } from 'node:timers/promises';

import { assert } from '../../harness/tools/errors.ts';
import type { Scenario } from '../scenario.ts';
import { apiKey } from '../server/api.ts';
import { startServer } from '../server/start.ts';

const contender = 'this node';
const peak = 'at the peak, MB';
const itemsAlone = 'the items alone, MB';

/** The memory of lists of different lengths. */
export const memory: Scenario = {
	name: 'memory',
	async plan(context) {
		const server = await startServer(context);
		const lengths = [1_000, 10_000, 100_000];
		const settingOf = (length: number) => `${length} items`;
		const longest = settingOf(lengths.at(-1) ?? 0);
		return {
			title: 'Memory: lists of different lengths',
			about: 'Transaction → Get Many with Return All, in n8n’s own engine (n8n-core).',
			rounds: 3,
			warmUp: true,
			measures: [peak, itemsAlone],
			contenders: lengths.map((transactions) => ({
				setting: settingOf(transactions),
				name: contender,
				run: async () =>
					(await server.during({ transactions }, () => measureRead(server.plainUrl, transactions)))
						.result,
			})),
			goals: (medianOf) => [
				...lengths.slice(1).map((longer, index) => {
					const shorter = lengths[index] ?? NaN;
					const perItem = (length: number) => medianOf(settingOf(length), contender, peak) / length;
					return {
						says: `memory for one item of ${longer}, over that for one of ${shorter}`,
						value: perItem(longer) / perItem(shorter),
						bound: 'at most' as const,
						wanted: 1.15,
					};
				}),
				{
					says: `memory at the peak, over that of the items alone: ${longest}`,
					value: medianOf(longest, contender, peak) / medianOf(longest, contender, itemsAlone),
					bound: 'at most',
					wanted: 1.3,
				},
			],
		};
	},
};

/** Reads a whole list with this node, and watches the memory. */
async function measureRead(apiUrl: string, wanted: number) {
	const { credentialsFor } = await import('../../harness/core/credentials.ts');
	const { runNode } = await import('../../harness/core/runNode.ts');
	const read = async (parameters: object) => {
		const { items, error } = await runNode({
			parameters: { resource: 'transaction', operation: 'getAll', ...parameters },
			credentials: credentialsFor(apiUrl, { apiKey }),
		});
		if (error !== undefined) throw error;
		return items;
	};
	// What n8n loads and compiles at first is no cost of a list.
	await read({ returnAll: false, limit: 1000 });

	const over = new AbortController();
	const watching = watchMemory(over.signal);
	const kept = { items: await read({ returnAll: true }) };
	over.abort();
	const peakWatched = await watching;
	const withItems = memoryInUse();
	const { length } = kept.items;
	assert(
		length === wanted,
		`This node read ${length} items, not ${wanted}`,
		'Look at bench/server.',
	);
	kept.items = [];
	// Other memory that is in use, such as compiled code, does not depend on the list.
	const without = memoryInUse();
	return {
		[peak]: (Math.max(peakWatched, withItems) - without) / 1e6,
		[itemsAlone]: (withItems - without) / 1e6,
	};
}

/** Measures repeatedly until aborted; returns the most memory that was in use. */
async function watchMemory(signal: AbortSignal): Promise<number> {
	let most = 0;
	while (!signal.aborted) {
		const started = performance.now();
		most = Math.max(most, memoryInUse());
		// Collecting garbage must not be all that the process does.
		await pause(3 * (performance.now() - started));
	}
	return most;
}

/** Bytes that are in use without garbage. */
function memoryInUse(): number {
	assert(gc !== undefined, 'Garbage cannot be collected', 'Start the bench with npm run bench.');
	gc();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
