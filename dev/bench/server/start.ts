import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { requestOk } from '../../harness/tools/json.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import type { BenchContext } from '../scenario.ts';
import { API_PATH, type Settings } from './api.ts';

/** The bench's API, in a separate process. */
export interface BenchServer {
	/** The base URL over plain HTTP, without a network between. */
	plainUrl: string;
	/** The base URL over TLS, through a network with a round trip. */
	tlsUrl: string;
	/** The certificate, which is for localhost and is its own authority, and its file. */
	certificate: string;
	certificateFile: string;
	/** Changes how the API behaves. */
	set: (settings: Settings) => Promise<unknown>;
}

/** Starts the bench's API. */
export async function startServer({ folder, cleanup }: BenchContext): Promise<BenchServer> {
	const script = join(import.meta.dirname, 'main.ts');
	const child = startProcess(process.execPath, [script], { channel: true });
	cleanup.defer(() => stopProcess(child));
	const [{ port, tlsPort, certificate }] = (await once(child, 'message')) as [
		{ port: number; tlsPort: number; certificate: string },
	];
	const certificateFile = join(folder, 'server.pem');
	await writeFile(certificateFile, certificate);
	const url = `http://127.0.0.1:${port}`;
	return {
		plainUrl: url + API_PATH,
		tlsUrl: `https://localhost:${tlsPort}${API_PATH}`,
		certificate,
		certificateFile,
		set: (body) => requestOk(`${url}/bench`, { method: 'POST', body }),
	};
}
