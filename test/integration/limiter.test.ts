import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { afterTurns, type HttpServer, json, startServer } from '../../harness/httpServer';

let mockRest: () => Promise<void>;

// Only the waiting is taken out.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async () => await mockRest(),
}));

let server: HttpServer;
// However a test ends: an open server would keep jest from ending.
afterEach(() => server.close());

const cardId = { __rl: true, mode: 'id', value: '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10' };

/**
 * Notes how many requests were there when each came. Answers none until `most` are there; refuses the
 * first ones, and answers no other until the node knows. From then on it answers each after a while.
 *
 * @param rested when the waits that the node asks for are over
 */
async function startSlowServer({ most = 10, refused = 0, rested = Promise.resolve() } = {}) {
	const atOnce: number[] = [];
	let inFlight = 0;
	let rests = 0;
	const held: (() => void)[] = [];
	const release = (answers: (() => void)[]) => {
		for (const answer of answers) afterTurns(answer);
	};
	mockRest = async () => {
		if (++rests === refused) release(held.splice(0));
		await rested;
	};
	server = await startServer(({ url }, response, count) => {
		atOnce.push(++inFlight);
		const page = Number(new URL(url, 'http://x').searchParams.get('page'));
		held.push(() => {
			inFlight--;
			if (count <= refused) json(response, 429, { code: 'x' }, { 'retry-after': '1' });
			else if (page === 0) json(response, 200, { id: cardId.value });
			else {
				const data = Array.from({ length: 100 }, (_, index) => ({ id: `${page}-${index}` }));
				json(response, 200, { data, page, pageSize: 100, totalItemCount: 500, totalPages: 5 });
			}
		});
		if (count === most) release(held.splice(0, refused));
		if (count >= most && rests >= refused) release(held.splice(0));
	});
	return { atOnce, rests: () => rests };
}

const getCards = async (url: string, items: number, maxConcurrentRequests: number | string = 10) =>
	await runNode({
		parameters: { resource: 'card', operation: 'get', cardId },
		items: Array.from({ length: items }, () => ({})),
		credentials: credentialsFor(url, { maxConcurrentRequests }),
	});

test('the pages of all items share one limit', async () => {
	const { atOnce } = await startSlowServer();
	const { items } = await runNode({
		parameters: { resource: 'transaction', operation: 'getAll', returnAll: true },
		items: Array.from({ length: 12 }, () => ({})),
		credentials: credentialsFor(server.url),
	});
	expect(items).toHaveLength(12 * 500);
	expect(Math.max(...atOnce)).toBe(10);
});

test('of 40 at the same time 39 are refused: all go on one by one, and none fails', async () => {
	const { atOnce } = await startSlowServer({ most: 40, refused: 39 });
	const { items, error } = await getCards(server.url, 60, 40);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(60);
	expect(server.requests).toHaveLength(60 + 39);
	expect(new Set(atOnce.slice(40))).toEqual(new Set([1]));
});
