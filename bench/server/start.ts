import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { generateCACertificate } from 'mockttp';
import { z } from 'zod';

import { startListener } from '../listener.ts';
import type { BenchContext } from '../n8n/start.ts';
import { type BenchServer, toBenchServer } from './control.ts';

/** The bench's API, and how to reach it with TLS. */
export interface StartedServer extends BenchServer {
	tlsPort: number;
	/** The file of the certificate, which is for localhost and is its own authority. */
	certificateFile: string;
}

/** Starts the bench's API, with http and https; `cleanup` ends it. */
export async function startServer(
	context: Pick<BenchContext, 'folder' | 'cleanup' | 'signal'>,
): Promise<StartedServer> {
	const { key, cert } = await generateCACertificate({ subject: { commonName: 'localhost' } });
	const keyFile = join(context.folder, 'server-key.pem');
	const certificateFile = join(context.folder, 'server.pem');
	await writeFile(keyFile, key);
	await writeFile(certificateFile, cert);
	const script = join(import.meta.dirname, 'main.ts');
	const report = z.object({ port: z.number(), tlsPort: z.number() });
	const { port, tlsPort } = await startListener(
		context,
		[script, keyFile, certificateFile],
		report,
	);
	const server = toBenchServer(`http://127.0.0.1:${port}`, context.signal);
	return { ...server, tlsPort, certificateFile };
}
