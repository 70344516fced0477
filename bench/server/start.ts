import { once } from 'node:events';
import { join } from 'node:path';
import { requestJson } from '../../harness/tools/json.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { z } from 'zod';
import type { BenchContext } from '../n8n/start.ts';
import type { Settings } from './settings.ts';

const readySchema = z.tuple([z.object({ port: z.number() })]).rest(z.unknown());
const frozenSchema = z.object({ frozen: z.number() });

/** An API that does nothing but answer after a while, in a process of its own. */
export interface BenchServer {
	/** Base URL, with the API's prefix. */
	apiUrl: string;
	/** Changes how it behaves; gives how many different cards were frozen since the last change. */
	set: (settings: Settings) => Promise<number>;
}

/** Starts the bench’s API; `cleanup` ends it. */
export async function startServer({ cleanup, signal }: BenchContext): Promise<BenchServer> {
	const child = startProcess(process.execPath, [join(import.meta.dirname, 'main.ts')], {
		channel: true,
	});
	cleanup.defer(() => stopProcess(child));
	const [{ port }] = readySchema.parse(await once(child, 'message', { signal }));
	const url = `http://127.0.0.1:${port}`;
	return {
		apiUrl: `${url}/v1/public`,
		async set(settings) {
			const request = { method: 'POST' as const, body: settings, signal };
			return (await requestJson(`${url}/bench`, frozenSchema, request)).frozen;
		},
	};
}
