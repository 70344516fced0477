import { once } from 'node:events';

import { z } from 'zod';

import { startProcess, stopProcess } from '../harness/tools/processes.ts';
import type { BenchContext } from './n8n/start.ts';

/**
 * Starts a script that listens and reports back, in a separate process; `cleanup` ends it.
 *
 * @returns what it reports, once it listens
 */
export async function startListener<T>(
	{ cleanup, signal }: Pick<BenchContext, 'cleanup' | 'signal'>,
	[script, ...args]: readonly [string, ...string[]],
	schema: z.ZodType<T>,
): Promise<T> {
	const child = startProcess(process.execPath, [script, ...args], { channel: true });
	cleanup.defer(() => stopProcess(child));
	const [report] = z
		.tuple([schema])
		.rest(z.unknown())
		.parse(await once(child, 'message', { signal }));
	return report;
}
