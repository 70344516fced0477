import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { generateCACertificate } from 'mockttp';

import { requestJson } from '../../harness/tools/json.ts';
import { startProcess, stopProcess } from '../../harness/tools/processes.ts';
import type { BenchContext } from '../scenario.ts';
import { API_PATH, type Settings, type Usage } from './api.ts';

/** The round trip of the network in the settings with TLS, in milliseconds. */
export const roundTripMs = 30;

/** The bench's API, in a separate process. */
export interface BenchServer {
	/** The base URL over plain HTTP, without a network between. */
	plainUrl: string;
	/** The base URL over TLS, through a network with a round trip. */
	tlsUrl: string;
	/** The certificate, which is for localhost and is its own authority, and its file. */
	certificate: string;
	certificateFile: string;
	/** Does work while the API has these settings; returns its result, and what the API was used for. */
	during: <T>(settings: Settings, work: () => Promise<T>) => Promise<{ result: T; usage: Usage }>;
}

/** Starts the bench's API. */
export async function startServer(context: BenchContext): Promise<BenchServer> {
	const { folder } = context;
	const { key, cert } = await generateCACertificate({ subject: { commonName: 'localhost' } });
	const keyFile = join(folder, 'server-key.pem');
	const certificateFile = join(folder, 'server.pem');
	await writeFile(keyFile, key);
	await writeFile(certificateFile, cert);
	const api = await startListener(context, ['main.ts', keyFile, certificateFile]);
	const link = await startListener(context, ['link.ts', api.tlsPort, roundTripMs]);
	const url = `http://127.0.0.1:${api.port}`;
	const set = async (settings: Settings) =>
		await requestJson<Usage>(`${url}/bench`, { method: 'POST', body: settings });
	return {
		plainUrl: url + API_PATH,
		tlsUrl: `https://localhost:${link.port}${API_PATH}`,
		certificate: cert,
		certificateFile,
		async during(settings, work) {
			await set(settings);
			const result = await work();
			return { result, usage: await set(settings) };
		},
	};
}

/** Starts a script of this folder in a separate process; returns its ports once it listens. */
async function startListener(
	{ cleanup }: BenchContext,
	[script, ...args]: readonly [string, ...unknown[]],
): Promise<{ port: number; tlsPort?: number }> {
	const file = join(import.meta.dirname, script);
	const child = startProcess(process.execPath, [file, ...args.map(String)], { channel: true });
	cleanup.defer(() => stopProcess(child));
	const [ports] = (await once(child, 'message')) as [{ port: number; tlsPort?: number }];
	return ports;
}
