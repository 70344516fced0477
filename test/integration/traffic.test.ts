import { credentialsFor } from '../support/credentials';
import { afterTurns, json, startServer } from '../support/httpServer';
import { runNode } from '../support/n8n';

// Only the waiting is taken out.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async () => await Promise.resolve()),
}));

const cardId = { __rl: true, mode: 'id', value: '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10' };

/** Answers after a while; notes how many requests were there when each came. */
async function startSlowServer(refused: number[] = []) {
	const atOnce: number[] = [];
	let inFlight = 0;
	const server = await startServer(({ url }, response, count) => {
		atOnce.push(++inFlight);
		const page = Number(new URL(url, 'http://x').searchParams.get('page'));
		afterTurns(() => {
			inFlight--;
			if (refused.includes(count)) json(response, 429, { code: 'x' }, { 'retry-after': '1' });
			else if (page === 0) json(response, 200, { id: cardId.value });
			else {
				const data = Array.from({ length: 100 }, (_, index) => ({ id: `${page}-${index}` }));
				json(response, 200, { data, page, pageSize: 100, totalItemCount: 500, totalPages: 5 });
			}
		});
	});
	return { server, atOnce };
}

test('the pages of all items share one limit', async () => {
	const { server, atOnce } = await startSlowServer();
	const { items } = await runNode({
		parameters: { resource: 'transaction', operation: 'getAll', returnAll: true },
		items: Array.from({ length: 12 }, () => ({})),
		credentials: credentialsFor(server.url),
	});
	await server.close();
	expect(items).toHaveLength(12 * 500);
	expect(Math.max(...atOnce)).toBe(10);
});

test.each([1, 3, 25])(
	'the credential says that at most %i requests go at the same time',
	async (most) => {
		const { server, atOnce } = await startSlowServer();
		const { items, error } = await runNode({
			parameters: { resource: 'card', operation: 'get', cardId },
			items: Array.from({ length: 40 }, () => ({})),
			credentials: credentialsFor(server.url, { maxInFlight: most }),
		});
		await server.close();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(40);
		expect(Math.max(...atOnce)).toBe(most);
	},
);

test('pages that are read ahead keep to the limit of the credential', async () => {
	const { server, atOnce } = await startSlowServer();
	const { items } = await runNode({
		parameters: { resource: 'transaction', operation: 'getAll', returnAll: true },
		credentials: credentialsFor(server.url, { maxInFlight: 2 }),
	});
	await server.close();
	expect(items).toHaveLength(500);
	expect(Math.max(...atOnce)).toBe(2);
});

test('after a 429 the requests of all items go one by one, and every item gets its answer', async () => {
	const { server, atOnce } = await startSlowServer([1]);
	const { items, error } = await runNode({
		parameters: { resource: 'card', operation: 'get', cardId },
		items: Array.from({ length: 30 }, () => ({})),
		credentials: credentialsFor(server.url),
	});
	await server.close();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(30);
	expect(server.requests).toHaveLength(31);
	// Ten were on their way, and the refused one is sent again in its place.
	expect(new Set(atOnce.slice(11))).toEqual(new Set([1]));
	expect(Math.max(...atOnce)).toBe(10);
});
