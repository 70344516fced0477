import { once } from 'node:events';
import { createServer } from 'node:http';

import { createApi } from './api.ts';

// A separate process, so that the work of what sends the requests never delays a response.

const server = createServer({ keepAliveTimeout: 60_000 }, createApi());
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.once('disconnect', () => process.exit());
process.send?.(server.address());
