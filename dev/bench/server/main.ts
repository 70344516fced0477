import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { generateCACertificate } from 'mockttp';

import { createApi } from './api.ts';

// A separate process, so that the work of what sends the requests never delays a response.

const api = createApi();

/** Lets a server listen on a free port, which it returns. */
async function listen(server: Server, host: string) {
	server.listen(0, host);
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

/** Keeps connections open between the pages of a list. */
const options = { keepAliveTimeout: 60_000 };

process.once('disconnect', () => process.exit());
const { key, cert } = await generateCACertificate({ subject: { commonName: 'localhost' } });
const port = await listen(createServer(options, api), '127.0.0.1');
// The certificate is for the name, and a name may have several addresses.
const tlsPort = await listen(createTlsServer({ ...options, key, cert }, api), 'localhost');
const link = new Worker(join(import.meta.dirname, 'link.ts'), { workerData: tlsPort });
const [{ port: linkPort }] = (await once(link, 'message')) as [AddressInfo];
process.send?.({ port, linkPort, certificate: cert });
