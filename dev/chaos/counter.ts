import { setTimeout as pause } from 'node:timers/promises';

import { json, startServer } from '../harness/httpServer.ts';
import { waitUntil } from '../harness/tools/waiting.ts';

/** A service that a workflow calls for each event: what it counts is what has really been done. */
export interface Counter {
	url: string;
	/** How often each event was done, by its id. */
	done: ReadonlyMap<string, number>;
}

/**
 * Starts a service that does something for `POST /<event id>`, which takes it `takesMs` milliseconds.
 * Nothing is done for a caller who is gone by then, so that work which a crash broke off shows.
 */
export async function startCounter(
	takesMs: number,
	cleanup: AsyncDisposableStack,
): Promise<Counter> {
	const done = new Map<string, number>();
	const { url, close } = await startServer(({ url: path }, response) => {
		const id = path.slice(1);
		void pause(takesMs).then(() => {
			if (response.destroyed) return;
			done.set(id, (done.get(id) ?? 0) + 1);
			json(response, 200, { id });
		});
	});
	cleanup.defer(close);
	return { url, done };
}

/** What has been done for events that were delivered. */
interface Executions {
	events: number;
	executed: number;
	/** How many times more than once, over all events. */
	extra: number;
}

export function countExecutions(events: readonly { id: string }[], { done }: Counter): Executions {
	const times = events.map(({ id }) => done.get(id) ?? 0);
	const executed = times.filter((count) => count > 0).length;
	const total = times.reduce((sum, count) => sum + count, 0);
	return { events: events.length, executed, extra: total - executed };
}

/** What was answered at once is executed later: waits until nothing has been done for a while. */
export async function waitUntilIdle({ done }: Counter, idleMs = 30_000): Promise<void> {
	let seen = { count: done.size, at: performance.now() };
	const isIdle = () => {
		if (done.size !== seen.count) seen = { count: done.size, at: performance.now() };
		return performance.now() - seen.at > idleMs;
	};
	await waitUntil(isIdle, { what: 'the end of the work', withinMs: 3_600_000, everyMs: 1_000 });
}
