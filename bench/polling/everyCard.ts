import { Pool } from 'undici';
import { z } from 'zod';

import { apiKey } from '../server/settings.ts';

const pageSchema = z.object({
	data: z.array(z.object({ id: z.string() })),
	totalPages: z.number(),
});

const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' };

/**
 * Reads the events of every card without n8n: undici, `inFlight` cards at a time, nothing checked. What
 * a poll would take that looks at every card.
 *
 * @returns how many events there are, and the time it took in ms
 */
export async function readEveryCard(
	apiUrl: string,
	inFlight: number,
	signal: AbortSignal,
): Promise<{ events: number; tookMs: number }> {
	const { origin, pathname } = new URL(apiUrl);
	const pool = new Pool(origin, { connections: inFlight });
	const read = async (path: string) => {
		const { body } = await pool.request({ path: pathname + path, method: 'GET', headers, signal });
		return await body.json();
	};
	const pageOfCards = async (page: number) =>
		pageSchema.parse(await read(`/cards?page=${page}&pageSize=100`));
	try {
		const startedAt = performance.now();
		const { data, totalPages } = await pageOfCards(1);
		for (let page = 2; page <= totalPages; page++) data.push(...(await pageOfCards(page)).data);
		const queue = data.values();
		let events = 0;
		const reader = async () => {
			for (const { id } of queue) {
				events += z.array(z.unknown()).parse(await read(`/cards/${id}/financial-events`)).length;
			}
		};
		await Promise.all(Array.from({ length: inFlight }, reader));
		return { events, tookMs: performance.now() - startedAt };
	} finally {
		await pool.close();
	}
}
