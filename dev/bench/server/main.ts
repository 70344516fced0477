import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createNetwork } from 'node:net';

import { generateCACertificate } from 'mockttp';

import { api, latencyMs, roundTripMs } from './api.ts';

// A separate process, so that the work of what sends the requests never delays a response.

process.once('disconnect', () => process.exit());
const { key, cert } = await generateCACertificate({ subject: { commonName: 'localhost' } });
// Connections stay open between the pages of a list.
const server = createServer({ keepAliveTimeout: 60_000, key, cert }, (request, response) => {
	setTimeout(() => api(request, response), latencyMs + roundTripMs);
});
// With a network between, a new connection takes two round trips longer: one for TCP, one for TLS.
const network = createNetwork({ noDelay: true, pauseOnConnect: true }, (socket) => {
	setTimeout(() => server.emit('connection', socket), 2 * roundTripMs);
});
// The certificate is for the name, and a name may have several addresses.
network.listen(0, 'localhost');
await once(network, 'listening');
process.send?.({ port: (network.address() as AddressInfo).port, certificate: cert });
