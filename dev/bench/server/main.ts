import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

import { createApi } from './api.ts';

// A separate process, so that the work of what sends the requests never delays a response.

const [keyFile = '', certificateFile = ''] = process.argv.slice(2);
const api = createApi();

/** Lets a server listen on a free port, which it returns. */
async function listen(server: Server, host: string): Promise<number | undefined> {
	server.keepAliveTimeout = 60_000;
	server.listen(0, host);
	await once(server, 'listening');
	const address = server.address();
	return typeof address === 'object' ? address?.port : undefined;
}

process.once('disconnect', () => process.exit());
const tls = { key: await readFile(keyFile), cert: await readFile(certificateFile) };
const port = await listen(createServer(api), '127.0.0.1');
// The certificate is for the name, and a name may have several addresses.
const tlsPort = await listen(createTlsServer(tls, api), 'localhost');
process.send?.({ port, tlsPort });
