import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { afterTurns, type HttpServer, json, startServer } from '../../harness/httpServer';
import { skipTime } from '../support/sleep';

// Only the waiting is taken out.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => await skipTime(ms),
}));

let server: HttpServer;
// However a test ends: an open server would keep jest from ending.
afterEach(() => server.close());

const cardId = { __rl: true, mode: 'id', value: '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10' };

/**
 * Notes how many requests were there when each came, and responds a little later.
 *
 * @param isRefused says which requests get 429, counted from 1
 */
async function startSlowServer(isRefused: (count: number) => boolean = () => false) {
	const atOnce: number[] = [];
	let inFlight = 0;
	server = await startServer(({ url }, response, count) => {
		atOnce.push(++inFlight);
		const page = Number(new URL(url, 'http://x').searchParams.get('page'));
		afterTurns(() => {
			inFlight--;
			if (isRefused(count)) json(response, 429, { code: 'x' }, { 'retry-after': '1' });
			else if (page === 0) json(response, 200, { id: cardId.value });
			else {
				const data = Array.from({ length: 100 }, (_, index) => ({ id: `${page}-${index}` }));
				json(response, 200, { data, page, pageSize: 100, totalItemCount: 500, totalPages: 5 });
			}
		});
	});
	return atOnce;
}

const cards = (count: number) => Array.from({ length: count }, () => ({}));

test('the pages of all items share one limit, and grow up to it', async () => {
	const atOnce = await startSlowServer();
	const { items } = await runNode({
		parameters: { resource: 'transaction', operation: 'getAll', returnAll: true },
		items: cards(40),
		credentials: credentialsFor(server.url, { maxConcurrentRequests: 10 }),
	});
	expect(items).toHaveLength(40 * 500);
	expect(Math.max(...atOnce.slice(0, 4))).toBeLessThanOrEqual(4);
	expect(Math.max(...atOnce)).toBe(10);
});

test('a burst of 429: all items go on, and none fails', async () => {
	await startSlowServer((count) => count > 100 && count <= 120);
	const { items, error } = await runNode({
		parameters: { resource: 'card', operation: 'get', cardId },
		items: cards(200),
		credentials: credentialsFor(server.url, { maxConcurrentRequests: 40 }),
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(200);
	expect(server.requests).toHaveLength(200 + 20);
});
