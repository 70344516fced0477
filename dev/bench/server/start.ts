import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import type { BenchContext } from '../scenario.ts';
import { API_PATH } from './api.ts';

/** Starts the bench's API in a separate process, with TLS and a network between. */
export async function startServer({ folder, cleanup }: BenchContext) {
	const script = join(import.meta.dirname, 'main.ts');
	const child = startProcess(process.execPath, [script], { channel: true });
	cleanup.defer(() => stopProcess(child));
	const [{ port, certificate }] = (await once(child, 'message')) as [
		{ port: number; certificate: string },
	];
	const certificateFile = join(folder, 'server.pem');
	await writeFile(certificateFile, certificate);
	return {
		url: `https://localhost:${port}${API_PATH}`,
		/** For localhost, and its own authority. */
		certificate,
		certificateFile,
	};
}
