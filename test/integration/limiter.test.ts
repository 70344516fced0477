import { eventually } from '../../harness/tools/waiting.ts';
import { credentialsFor, runNode } from '../../harness/core/runNode.ts';
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

test.each([1, 3, 25, '7'])(
	'the credential says that %s requests go at the same time',
	async (said) => {
		const most = Number(said);
		const { atOnce } = await startSlowServer({ most });
		const { items, error } = await getCards(server.url, 40, said);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(40);
		expect(Math.max(...atOnce)).toBe(most);
	},
);

test('pages that are read ahead keep to the limit of the credential', async () => {
	const { atOnce } = await startSlowServer({ most: 2 });
	const { items } = await runNode({
		parameters: { resource: 'transaction', operation: 'getAll', returnAll: true },
		items: [{}, {}],
		credentials: credentialsFor(server.url, { maxConcurrentRequests: 2 }),
	});
	expect(items).toHaveLength(2 * 500);
	expect(Math.max(...atOnce)).toBe(2);
});

test.each([
	[10, 1],
	[10, 10],
	[40, 39],
])(
	'of %i at the same time %i are refused: all go on one by one, and none fails',
	async (most, refused) => {
		const { atOnce } = await startSlowServer({ most, refused });
		const { items, error } = await getCards(server.url, 60, most);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(60);
		expect(server.requests).toHaveLength(60 + refused);
		expect(new Set(atOnce.slice(most))).toEqual(new Set([1]));
	},
);

test('after a 429 nothing is sent before the API wants it', async () => {
	let end: () => void = () => undefined;
	const rested = new Promise<void>((resolve) => (end = resolve));
	const { rests } = await startSlowServer({ refused: 3, rested });
	const done = getCards(server.url, 60);
	await eventually(() => expect(rests()).toBe(3));
	// Time for the others to be answered, and for what would follow them.
	await new Promise<void>((resolve) => afterTurns(resolve, 1_000));
	expect(server.requests).toHaveLength(10);
	end();
	expect((await done).items).toHaveLength(60);
});
