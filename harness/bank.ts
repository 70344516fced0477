import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { afterTurns, type HttpServer, json, startServer } from './httpServer.ts';

/**
 * What becomes of a request: `lose` breaks the connection before the transfer is made, `drop` after it;
 * `hang` makes it and never responds; `refuse` responds with a 400, `lock` with a 401, `redirect` with a 303.
 */
export type Fate = 'answer' | 'lose' | 'drop' | 'hang' | 'refuse' | 'lock' | 'redirect';

/** A server that makes transfers. */
export interface Bank extends HttpServer {
	/** The transfers that were made, by Idempotency-Key. */
	transfers: Map<string, object>;
	/** Requests at the same time, at most. */
	mostAtOnce: () => number;
	/** What becomes of the next requests; all others are answered. */
	plan: (...fates: Fate[]) => void;
}

/** Parameters of a node that makes a transfer of the item's amount. */
export const transferParameters = {
	resource: 'account',
	operation: 'transfer',
	accountId: '1001',
	toAccountId: '1002',
	amount: '={{ $json.amount }}',
};

/** The body of a transfer request (§4.2). */
export const transferBodySchema = z
	.object({ amount: z.string(), toAccountId: z.number().int() })
	.strict();

/** Starts a bank as §4.2 has it, which makes one transfer for each key. */
export async function startBank(...fates: Fate[]): Promise<Bank> {
	const transfers = new Map<string, object>();
	let planned = fates;
	let atOnce = 0;
	let mostAtOnce = 0;
	const server = await startServer((request, response) => {
		const fate = planned.shift() ?? 'answer';
		if (fate === 'lose') {
			response.destroy();
			return;
		}
		if (fate === 'refuse' || fate === 'lock') {
			const code = fate === 'refuse' ? 'bad-request' : 'unauthorized';
			json(response, fate === 'refuse' ? 400 : 401, { code, message: 'Refused' });
			return;
		}
		if (!request.url.endsWith('/transfers')) {
			json(response, 200, {});
			return;
		}
		if (fate === 'redirect') {
			response.writeHead(303, { location: '/' }).end();
			return;
		}
		const key = z.string().parse(request.headers['idempotency-key']);
		const { toAccountId } = transferBodySchema.parse(JSON.parse(request.body));
		const fromAccountId = Number(request.url.split('/').at(-2));
		const made = transfers.get(key) ?? {
			id: randomUUID(),
			fromAccountId,
			toAccountId,
			status: 'completed',
			createdAt: new Date().toISOString(),
		};
		transfers.set(key, made);
		if (fate === 'hang') return;
		mostAtOnce = Math.max(mostAtOnce, ++atOnce);
		// An answer takes a while, so that a second request beside it would be seen.
		afterTurns(() => {
			atOnce--;
			if (fate === 'drop') response.destroy();
			else json(response, 201, made);
		});
	});
	return {
		...server,
		transfers,
		mostAtOnce: () => mostAtOnce,
		plan: (...next) => (planned = next),
	};
}
