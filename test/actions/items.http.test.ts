import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode, type RunOptions } from '../../harness/core/runNode.ts';
import { type HttpServer, json, startServer } from '../../harness/httpServer';

const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

let server: HttpServer;
/** Requests that are answered together, as soon as so many are waiting. */
let batch = 1;
let waiting: (() => void)[] = [];
let mostWaiting = 0;

beforeEach(async () => {
	batch = 1;
	waiting = [];
	mostWaiting = 0;
	server = await startServer((request, response) => {
		waiting.push(() => {
			if (request.url.includes(idOf(3)))
				json(response, 404, { code: 'not-found', message: 'None' });
			else if (request.method === 'GET') json(response, 200, { id: request.url.split('/').at(-1) });
			else response.writeHead(204).end();
		});
		mostWaiting = Math.max(mostWaiting, waiting.length);
		if (waiting.length >= batch) for (const answer of waiting.splice(0)) answer();
	});
});
afterEach(async () => {
	await server.close();
});

const run = async (count: number, more: Partial<RunOptions> = {}) =>
	await runNode({
		parameters: {
			resource: 'card',
			operation: 'get',
			cardId: { __rl: true, mode: 'id', value: '={{ $json.cardId }}' },
		},
		items: Array.from({ length: count }, (_, index) => ({ cardId: idOf(index + 10) })),
		credentials: credentialsFor(server.url),
		...more,
	});

const cardIds = (ids: number[]) => ids.map((index) => ({ cardId: idOf(index) }));

test.each([1000])('%d items: output in the order of the input, each paired', async (count) => {
	const { items, error } = await run(count);
	expect(error).toBeUndefined();
	expect(items.map(({ json: { id } }) => id)).toEqual(
		Array.from({ length: count }, (_, index) => idOf(index + 10)),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		Array.from({ length: count }, (_, item) => ({ item })),
	);
});

test('items run a few at once', async () => {
	// Were they sent one by one, the first would wait for its answer for ever.
	batch = 4;
	const ids = Array.from({ length: 20 }, (_, index) => index + 10);
	const { items } = await run(0, { items: cardIds(ids) });
	expect(items).toHaveLength(20);
	expect(mostWaiting).toBe(4);
});

test('Continue On Fail: the failing item becomes an error item, the others are unharmed', async () => {
	const { items, error } = await run(0, {
		items: cardIds([10, 3, 11]),
		onError: 'continueRegularOutput',
	});
	expect(error).toBeUndefined();
	expect(items).toMatchObject([
		{ json: { id: idOf(10) }, pairedItem: { item: 0 } },
		{
			json: {
				error: 'None (404 not-found)',
				message: { httpCode: '404', hint: expect.stringContaining('No card with this ID') },
			},
			pairedItem: { item: 1 },
		},
		{ json: { id: idOf(11) }, pairedItem: { item: 2 } },
	]);
});

test('Continue using error output: the failing item goes there, with its input', async () => {
	const { items, errorItems } = await run(0, {
		items: cardIds([10, 3, 11]),
		onError: 'continueErrorOutput',
	});
	expect(items.map(({ json: { id } }) => id)).toEqual([idOf(10), idOf(11)]);
	expect(errorItems).toMatchObject([
		{ json: { error: 'None (404 not-found)', cardId: idOf(3) }, pairedItem: { item: 1 } },
	]);
});

describe('a credential with expressions', () => {
	const runWith = async (expression: string, keys: string[], more: Partial<RunOptions> = {}) =>
		await runNode({
			parameters: {
				resource: 'card',
				operation: 'get',
				cardId: { __rl: true, mode: 'id', value: idOf(1) },
			},
			items: keys.map((key) => ({ key })),
			credentials: credentialsFor(server.url, { apiKey: expression }),
			...more,
		});
	const PER_ITEM = '={{ $json.key }}';
	const keysSent = () => server.requests.map(({ headers }) => headers.authorization);

	test.each([
		[PER_ITEM, ['key-1', 'key-2']],
		[PER_ITEM, ['key-1', 'key-2', 'key-1']],
		["={{ $json.key === 'key-2' ? 'eu' : 'us' }}", ['key-1', 'key-2', 'key-1']],
		["={{ $('Items').item.json.key }}", ['key-1', 'key-1', 'key-2', 'key-1']],
		["={{ 'key-' + $itemIndex }}", ['key-1', 'key-2']],
		["={{ $json?.key === 'key-2' ? 'eu' : 'us' }}", ['key-1', 'key-2', 'key-1']],
		["={{ $json.key?.includes('2') ? 'eu' : 'us' }}", ['key-1', 'key-2', 'key-1']],
	])('that gives another value for another item: %s of %j: nothing is sent', async (each, keys) => {
		const { error } = await runWith(each, keys);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^The credential has different values for item 0 and item /),
			description: expect.stringContaining('Loop Over Items'),
		});
		const { items } = await runWith(each, keys, { onError: 'continueRegularOutput' });
		expect(items).toHaveLength(keys.length);
		expect(keysSent()).toEqual([]);
	});

	test.each([
		[PER_ITEM, ['key-1', 'key-1'], 'key-1'],
		["={{ $('Items').first().json.key }}", ['key-1', 'key-2'], 'key-1'],
		["={{ 'a-' + 'key' }}", ['key-1', 'key-2'], 'a-key'],
	])('that gives one value for all items is used: %s of %j', async (expression, keys, sent) => {
		const { error } = await runWith(expression, keys);
		expect(error).toBeUndefined();
		expect(keysSent()).toEqual(keys.map(() => `Bearer ${sent}`));
	});

	test('Loop Over Items with a batch size of 1: each run has the value of its item', async () => {
		for (const key of ['key-1', 'key-2']) {
			const { error } = await runWith(PER_ITEM, [key]);
			expect(error).toBeUndefined();
		}
		expect(keysSent()).toEqual(['Bearer key-1', 'Bearer key-2']);
	});
});
