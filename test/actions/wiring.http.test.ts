import '../support/noWaits';

import { inspect } from 'node:util';

import { Logger } from '@n8n/backend-common';
import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor } from '../../dev/harness/core/credentials.ts';
import { runNode, type RunOptions } from '../../dev/harness/core/runNode.ts';
import { type Answer, type HttpServer, json, startServer } from '../../dev/harness/httpServer';
import { byId, parametersOf } from '../support/operations';

// What only n8n's own engine and HTTP client can show. test/sandbox/contract runs every operation in them.

const API_KEY = 'secret-key-1234';
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const get = parametersOf('card/get', { cardId: byId(idOf(1)) });
const create = parametersOf('card/create');

let server: HttpServer;
beforeEach(() => jest.clearAllMocks());
afterEach(() => server.close());

async function run(
	parameters: INodeParameters,
	answer: Answer,
	more: Partial<RunOptions> = {},
	credential = {},
) {
	server = await startServer(answer);
	const credentials = credentialsFor(`${server.url}/v1/public`, credential);
	return await runNode({ parameters, credentials, ...more });
}

/** Responds with the card that was requested; only the third does not exist. */
const cards: Answer = ({ url }, response) => {
	if (url.endsWith(idOf(3))) json(response, 404, { code: 'not-found', message: 'None' });
	else json(response, 200, { id: url.split('/').at(-1) });
};

const drop: Answer = (_request, response) => response.destroy();

describe('a credential with expressions', () => {
	const runWith = async (apiKey: string, keys: string[], more: Partial<RunOptions> = {}) =>
		await run(get, cards, { items: keys.map((key) => ({ key })), ...more }, { apiKey });
	const PER_ITEM = '={{ $json.key }}';
	const keysSent = () => server.requests.map(({ headers }) => headers.authorization);

	test.each([
		[PER_ITEM, ['key-1', 'key-2']],
		[PER_ITEM, ['key-1', 'key-2', 'key-1']],
		["={{ $('Items').item.json.key }}", ['key-1', 'key-1', 'key-2']],
		["={{ 'key-' + $itemIndex }}", ['key-1', 'key-2']],
	])('sends nothing where an item has another value: %s of %j', async (apiKey, keys) => {
		const message: unknown = expect.stringMatching(
			/^The credential has different values for item 0 and item /,
		);
		expect((await runWith(apiKey, keys)).error).toMatchObject({ message });
		expect(keysSent()).toEqual([]);
		await server.close();
		const { items } = await runWith(apiKey, keys, { onError: 'continueRegularOutput' });
		expect(items).toMatchObject(keys.map(() => ({ json: { error: message } })));
		expect(keysSent()).toEqual([]);
	});

	test.each([
		[PER_ITEM, ['key-1', 'key-1'], 'key-1'],
		["={{ $('Items').first().json.key }}", ['key-1', 'key-2'], 'key-1'],
		["={{ 'a-' + 'key' }}", ['key-1', 'key-2'], 'a-key'],
	])('is used where all items have one value: %s of %j', async (apiKey, keys, sent) => {
		const { error, lookups } = await runWith(apiKey, keys);
		expect(error).toBeUndefined();
		// Once for each item, to compare them, and not again for each request.
		expect(lookups).toBe(keys.length);
		expect(keysSent()).toEqual(keys.map(() => `Bearer ${sent}`));
	});
});

// actions/retries.test.ts has which failures of which operations are retried.
test.each<[string, Answer]>([
	['a dropped connection', drop],
	[
		'a response that breaks off midway',
		(_request, response) => {
			response.writeHead(200, { 'content-length': '100' });
			response.write('{"id":');
			setImmediate(() => response.destroy());
		},
	],
])('after %s, a read is retried, and creating is not', async (_name, fail) => {
	for (const [parameters, requests] of [
		[get, 2],
		[create, 1],
	] as const) {
		const { error } = await run(parameters, (request, response, count) => {
			if (count > 1) json(response, 200, { id: idOf(1) });
			else fail(request, response, count);
		});
		expect(server.requests).toHaveLength(requests);
		expect(error === undefined).toBe(requests === 2);
		await server.close();
	}
});

test(
	'a stop of the execution ends a request in flight',
	async () => {
		let stopNow: () => void;
		const stop = new Promise<void>((resolve) => (stopNow = resolve));
		const { error } = await run(create, () => stopNow(), { stop });
		const description: unknown = expect.stringContaining('may have made the change');
		expect(error).toMatchObject({ message: 'The execution was stopped', description });
		expect(server.requests).toHaveLength(1);
	},
	// A bound for what the stop does not end.
	30_000,
);

describe('the key', () => {
	test('does not follow a redirect', async () => {
		const other = await startServer((_request, response) => json(response, 200, { id: idOf(1) }));
		const { error } = await run(get, (_request, response) =>
			response.writeHead(302, { location: `${other.url}/v1/public/cards/${idOf(1)}` }).end(),
		);
		await other.close();
		expect(other.requests).toEqual([]);
		const description: unknown = expect.stringContaining('redirected');
		expect(error).toMatchObject({ httpCode: '302', description });
	});

	test.each<[string, Answer]>([
		['data that repeats it', (_, response) => json(response, 200, { id: idOf(1), name: API_KEY })],
		['an error', (_, response) => json(response, 401, { code: 'x', message: API_KEY })],
		['a dropped connection', drop],
	])('is neither stored nor logged after %s', async (_name, answer) => {
		const logged: unknown[] = [];
		for (const level of ['error', 'warn', 'info', 'debug'] as const) {
			jest.spyOn(Logger.prototype, level).mockImplementation((...line) => void logged.push(line));
		}
		const { stored } = await run(get, answer);
		jest.restoreAllMocks();
		expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
		expect(stored).not.toContain(API_KEY);
		// n8n's engine logs each run: the lines are seen.
		expect(logged).not.toEqual([]);
		expect(inspect(logged, { depth: null })).not.toContain(API_KEY);
	});
});
