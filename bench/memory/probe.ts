import { setTimeout as pause } from 'node:timers/promises';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';

const [apiUrl = '', apiKey = ''] = process.argv.slice(2);

/** Time between two looks, as a multiple of what a look takes: collecting garbage must not be all it does. */
const restFactor = 3;

/** Bytes that are in use when all garbage is gone. */
function alive(): number {
	gc?.();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

/** Looks at the memory until told to stop; gives the most that was ever alive. */
async function watch(signal: AbortSignal): Promise<number> {
	let peak = 0;
	while (!signal.aborted) {
		const started = performance.now();
		peak = Math.max(peak, alive());
		await pause((performance.now() - started) * restFactor);
	}
	return peak;
}

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
const watching = watch(over.signal);
const kept = { items: await read({ returnAll: true }) };
over.abort();
const peakWatched = await watching;
const withItems = alive();
const items = kept.items.length;
kept.items = [];
// What the run has left behind for good, such as compiled code, is there whatever the length.
const without = alive();
const megabytes = (bytes: number) => (bytes - without) / 1e6;
process.stdout.write(
	JSON.stringify({
		items,
		peakMb: megabytes(Math.max(peakWatched, withItems)),
		itemsMb: megabytes(withItems),
	}),
);
