import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { z } from 'zod';

/** A service that a workflow calls for each event: what it counts is what has really been done. */
export interface Counter {
	url: string;
	/** How often each event was done, by its id. */
	done: ReadonlyMap<string, number>;
	stop(): Promise<void>;
}

/**
 * Starts a service that does something for `POST /<event id>`, which takes it `takesMs` milliseconds.
 * Nothing is done for a caller who is gone by then, so that work which a crash broke off shows.
 */
export async function startCounter(takesMs: number): Promise<Counter> {
	const done = new Map<string, number>();
	const server = createServer((request, response) => {
		const id = (request.url ?? '').slice(1);
		request.resume();
		void pause(takesMs).then(() => {
			if (response.destroyed) return;
			done.set(id, (done.get(id) ?? 0) + 1);
			response.setHeader('content-type', 'application/json').end(JSON.stringify({ id }));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = z.object({ port: z.number() }).parse(server.address());
	return {
		url: `http://127.0.0.1:${port}`,
		done,
		stop: async () => {
			server.closeAllConnections();
			await new Promise<void>((closed) => server.close(() => closed()));
		},
	};
}
