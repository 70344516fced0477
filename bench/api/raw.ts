import { Pool } from 'undici';
import { z } from 'zod';

import { apiKey } from '../server/settings.ts';
import type { Access } from './access.ts';

const pageSchema = z.object({ data: z.array(z.unknown()), totalPages: z.number() });

const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' };

/**
 * Reads all transactions without n8n: undici, `inFlight` pages at a time, nothing checked but the
 * envelope. The least that this work can cost here.
 *
 * @returns the items, and the time it took in ms
 */
export async function readRaw(
	{ apiUrl, certificate }: Pick<Access, 'apiUrl' | 'certificate'>,
	inFlight: number,
	signal: AbortSignal,
): Promise<{ items: unknown[]; tookMs: number }> {
	const { origin, pathname } = new URL(apiUrl);
	// The process runs already: NODE_EXTRA_CA_CERTS, which n8n gets, would come too late.
	const connect = certificate === undefined ? {} : { ca: certificate };
	const pool = new Pool(origin, { connections: inFlight, connect });
	const readPage = async (page: number) => {
		const path = `${pathname}/transactions?page=${page}&pageSize=100`;
		const { body } = await pool.request({ path, method: 'GET', headers, signal });
		return pageSchema.parse(await body.json());
	};
	try {
		const startedAt = performance.now();
		const first = await readPage(1);
		const pages = [first.data];
		const queue = Array.from({ length: first.totalPages - 1 }, (_, index) => index + 2).values();
		const reader = async () => {
			for (const page of queue) pages[page - 1] = (await readPage(page)).data;
		};
		await Promise.all(Array.from({ length: inFlight }, reader));
		const items = pages.flat();
		return { items, tookMs: performance.now() - startedAt };
	} finally {
		await pool.close();
	}
}
