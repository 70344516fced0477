import { randomUUID } from 'node:crypto';

import { type HttpServer, json, startServer } from './httpServer.ts';

/**
 * How the API reacts to a request: `dropAfter` makes the transfer and breaks the connection, `hang` makes it and never
 * responds; `reject400` responds with a 400, `reject401` with a 401.
 */
export type Reaction = 'answer' | 'dropAfter' | 'hang' | 'reject400' | 'reject401';

export interface TransferApi extends HttpServer {
	/** The transfers that were made, by Idempotency-Key. */
	transfers: Map<string, object>;
	/** How it reacts to the next requests; all others are answered. */
	plan: (...reactions: Reaction[]) => void;
}

/** Parameters of a node that makes a transfer of the item's amount for the item's invoice. */
export const transferParameters = {
	resource: 'account',
	operation: 'transfer',
	accountId: '1001',
	toAccountId: '1002',
	amount: '={{ $json.amount }}',
	idempotencyKey: '={{ $json.invoice }}',
};

/** Starts an API as §4.2 has it, which makes one transfer for each key. */
export async function startTransferApi(): Promise<TransferApi> {
	const transfers = new Map<string, object>();
	let planned: Reaction[] = [];
	const server = await startServer((request, response) => {
		const reaction = planned.shift() ?? 'answer';
		if (reaction === 'reject400' || reaction === 'reject401') {
			const code = reaction === 'reject400' ? 'bad-request' : 'unauthorized';
			json(response, reaction === 'reject400' ? 400 : 401, { code, message: 'Refused' });
			return;
		}
		const key = request.headers['idempotency-key'] as string;
		const { toAccountId } = JSON.parse(request.body) as { toAccountId: number };
		const fromAccountId = Number(request.url.split('/').at(-2));
		const made = transfers.get(key) ?? {
			id: randomUUID(),
			fromAccountId,
			toAccountId,
			status: 'completed',
			createdAt: new Date().toISOString(),
		};
		transfers.set(key, made);
		if (reaction === 'hang') return;
		if (reaction === 'dropAfter') response.destroy();
		else json(response, 201, made);
	});
	return {
		...server,
		transfers,
		plan: (...next) => (planned = next),
	};
}
