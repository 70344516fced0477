import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

import { Pool } from 'undici';

import type { WebhookRequest } from '../../harness/signing.ts';

/** What came of sending deliveries. */
export interface Load {
	/** When the first was sent, as performance.now() counts. */
	startedAt: number;
	/** When the last was answered. */
	answeredAt: number;
	/** Answers by their HTTP status. */
	statuses: Map<number, number>;
	/** Times from sending to the end of the answer, in µs. */
	latency: RecordableHistogram;
}

/**
 * Sends deliveries, `inFlight` at a time, each as soon as one before it is answered.
 * Throws when a connection fails.
 */
export async function sendAll(
	url: string,
	deliveries: readonly WebhookRequest[],
	inFlight: number,
	signal: AbortSignal,
): Promise<Load> {
	const { origin, pathname } = new URL(url);
	const pool = new Pool(origin, { connections: inFlight });
	const statuses = new Map<number, number>();
	const latency = createHistogram();
	const queue = deliveries.values();
	const sender = async () => {
		for (const { body, headers } of queue) {
			const sentAt = performance.now();
			const answer = await pool.request({ path: pathname, method: 'POST', headers, body, signal });
			await answer.body.dump();
			latency.record(Math.max(1, Math.round((performance.now() - sentAt) * 1000)));
			statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
		}
	};
	try {
		const startedAt = performance.now();
		await Promise.all(Array.from({ length: inFlight }, sender));
		return { startedAt, answeredAt: performance.now(), statuses, latency };
	} finally {
		await pool.close();
	}
}
