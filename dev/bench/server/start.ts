import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { requestJson } from '../../harness/tools/json.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import type { BenchContext } from '../scenario.ts';
import { API_PATH, type Settings, type Usage } from './api.ts';

/** The bench's API, in a separate process. */
export interface BenchServer {
	/** The base URL. */
	url: string;
	/** Does work while the API has these settings; returns its result, and what the API was used for. */
	during: <T>(settings: Settings, work: () => Promise<T>) => Promise<{ result: T; usage: Usage }>;
}

/** Starts the bench's API. */
export async function startServer({ cleanup, signal }: BenchContext): Promise<BenchServer> {
	const file = join(import.meta.dirname, 'main.ts');
	const child = startProcess(process.execPath, [file], { channel: true });
	cleanup.defer(() => stopProcess(child));
	const [{ port }] = (await once(child, 'message', { signal })) as [AddressInfo];
	const url = `http://127.0.0.1:${port}`;
	const set = async (settings: Settings) =>
		await requestJson<Usage>(`${url}/bench`, { method: 'POST', body: settings, signal });
	return {
		url: url + API_PATH,
		async during(settings, work) {
			await set(settings);
			const result = await work();
			return { result, usage: await set(settings) };
		},
	};
}
