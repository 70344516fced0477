import { once } from 'node:events';
import { join } from 'node:path';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { z } from 'zod';
import type { BenchContext } from '../n8n/start.ts';
import { type BenchServer, toBenchServer } from './control.ts';

const readySchema = z.tuple([z.object({ port: z.number() })]).rest(z.unknown());

/** Starts the bench’s API; `cleanup` ends it. */
export async function startServer({ cleanup, signal }: BenchContext): Promise<BenchServer> {
	const child = startProcess(process.execPath, [join(import.meta.dirname, 'main.ts')], {
		channel: true,
	});
	cleanup.defer(() => stopProcess(child));
	const [{ port }] = readySchema.parse(await once(child, 'message', { signal }));
	return toBenchServer(`http://127.0.0.1:${port}`, signal);
}
