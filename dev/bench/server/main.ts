import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createNetwork, type Server } from 'node:net';

import { generateCACertificate } from 'mockttp';

import { createApi, roundTripMs } from './api.ts';

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
// With a network between, a response takes a round trip longer, and a new connection two: one for TCP, one for TLS.
const tlsServer = createTlsServer({ ...options, key, cert }, (request, response) => {
	setTimeout(() => api(request, response), roundTripMs);
});
const network = createNetwork({ noDelay: true, pauseOnConnect: true }, (socket) => {
	setTimeout(() => tlsServer.emit('connection', socket), 2 * roundTripMs);
});
// The certificate is for the name, and a name may have several addresses.
const tlsPort = await listen(network, 'localhost');
process.send?.({ port, tlsPort, certificate: cert });
