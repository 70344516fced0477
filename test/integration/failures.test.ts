import { createServer as createTcpServer } from 'node:net';

import { credentialsFor, runNode } from '../../harness/core/runNode.ts';
import { type Answer, type HttpServer, json, startServer } from '../../harness/httpServer';
import { waits } from '../support/sleep';

// Only the waiting is taken out: which waits were asked for is looked at instead.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async () => await Promise.resolve()),
}));

const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';

let server: HttpServer | undefined;
beforeEach(() => jest.clearAllMocks());
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const operations = {
	get: { resource: 'card', operation: 'get', cardId: { __rl: true, mode: 'id', value: id } },
	freeze: { resource: 'card', operation: 'freeze', cardId: { __rl: true, mode: 'id', value: id } },
	check: { resource: 'connection', operation: 'check' },
	list: { resource: 'card', operation: 'getAll', returnAll: true },
};

async function run(operation: keyof typeof operations, answer: Answer) {
	server = await startServer(answer);
	const { requests } = server;
	const credentials = credentialsFor(`${server.url}/v1/public`);
	const result = await runNode({ parameters: operations[operation], credentials });
	return { ...result, requests };
}

const thenSucceed =
	(fail: Answer, times: number): Answer =>
	(request, response, count) => {
		if (count <= times) fail(request, response, count);
		else if (request.method === 'GET') json(response, 200, { id });
		else response.writeHead(204).end();
	};

const status =
	(code: number, headers = {}): Answer =>
	(_request, response) =>
		json(response, code, { code: 'some-code', message: 'Some message' }, headers);

const drop: Answer = (_request, response) => response.destroy();

test.each([
	...([408, 429, 500, 502, 503, 504] as const).map(
		(code) => [`status ${code}`, status(code)] as const,
	),
	['a dropped connection', drop] as const,
])('%s is tried again, for a read and for a repeatable write', async (_name, fail) => {
	for (const operation of ['get', 'freeze'] as const) {
		const { error, requests } = await run(operation, thenSucceed(fail, 3));
		expect(error).toBeUndefined();
		expect(requests).toHaveLength(4);
		await server?.close();
	}
});

test('after three retries the error is shown, with the key nowhere in it', async () => {
	const { error, requests, stored } = await run('freeze', status(503));
	expect(requests).toHaveLength(4);
	expect(error).toMatchObject({ message: 'Some message (503 some-code)', httpCode: '503' });
	expect(stored).not.toContain('secret-key-1234');
	expect(requests[0]?.headers.authorization).toBe('Bearer secret-key-1234');
});

test.each([400, 401, 403, 404, 409, 501])('status %d is not tried again', async (code) => {
	const { error, requests } = await run('freeze', status(code));
	expect(requests).toHaveLength(1);
	expect(error).toMatchObject({ httpCode: String(code) });
});

test('Retry-After decides the wait; without it the waits double', async () => {
	await run('get', thenSucceed(status(429, { 'retry-after': '7' }), 2));
	expect(waits()).toEqual([7_000, 7_000]);
	await server?.close();

	jest.clearAllMocks();
	await run('get', thenSucceed(status(500), 3));
	expect(waits()).toHaveLength(3);
	for (const [retry, wait] of waits().entries()) {
		expect(wait).toBeGreaterThanOrEqual(250 * 2 ** retry);
		expect(wait).toBeLessThanOrEqual(500 * 2 ** retry);
	}
});

test('sandbox down', async () => {
	const gone = await startServer(drop);
	await gone.close();
	const { error, stored } = await runNode({
		parameters: operations.freeze,
		credentials: credentialsFor(gone.url),
	});
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: `No server is listening at ${new URL(gone.url).host} (connection refused)`,
		description: expect.stringContaining('npm run sandbox'),
		context: { itemIndex: 0 },
	});
	expect(stored).not.toContain('secret-key-1234');
});

test('a connection that is dropped every time', async () => {
	const { error, stored } = await run('freeze', drop);
	expect(error).toMatchObject({
		message: expect.stringMatching(/^The connection to .* was interrupted/),
	});
	expect(stored).not.toContain('secret-key-1234');
});

test('no encryption where it is expected', async () => {
	const plain = createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
	await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
	const address = plain.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	const { error } = await runNode({
		parameters: operations.get,
		credentials: credentialsFor(`https://127.0.0.1:${port}`),
	});
	plain.close();
	expect(error).toMatchObject({
		message: expect.stringContaining('No trusted TLS connection'),
	});
});

test.each<[keyof typeof operations, string, string, string]>([
	[
		'get',
		'a web page',
		'<!DOCTYPE html><html><body>Hi</body></html>',
		'a web page instead of a card',
	],
	['get', 'no JSON', 'OK', '"OK" instead of a card'],
	['get', 'an empty body', '', 'an empty body instead of a card'],
	['get', 'an array', '[]', 'unexpected JSON instead of a card'],
	[
		'get',
		'a float for money',
		`{"id":"${id}","balance":12.5}`,
		'instead of a card (missing or invalid: balance)',
	],
	['list', 'no data', '{"items":[]}', 'instead of a list of cards'],
	['list', 'no cards in it', '{"data":[{"name":"x"}]}', '(missing or invalid: 0.id)'],
	[
		'freeze',
		'a web page',
		'<html>Sign in</html>',
		'a web page instead of an object or an empty body',
	],
	['freeze', 'an array', '[]', 'unexpected JSON instead of an object or an empty body'],
])('%s: an answer with %s breaks the contract', async (operation, _name, body, message) => {
	const { error } = await run(operation, (_request, response) => response.end(body));
	expect(error).toMatchObject({
		message: expect.stringContaining(message),
		description: expect.stringContaining('Base URL'),
		httpCode: '200',
		context: { itemIndex: 0 },
	});
});

test.each([
	['a web page', '<html>Bad gateway</html>', 'The API returned 502 with a web page'],
	['an empty body', '', 'The API returned 502 with an empty body'],
	['a text', 'upstream\n  failed', 'The API returned 502 with "upstream failed"'],
])('an error status with %s from a proxy', async (_name, body, message) => {
	const { error } = await run('get', (_request, response) => response.writeHead(502).end(body));
	expect(error).toMatchObject({ message: expect.stringContaining(message), httpCode: '502' });
});

test('a key that the API repeats in its message is taken out', async () => {
	const { error, stored } = await run('get', (_request, response) =>
		json(response, 401, { code: 'unauthorized', message: 'Key secret-key-1234 is unknown' }),
	);
	expect(error?.message).toBe('Key [API key] is unknown (401 unauthorized)');
	expect(stored).not.toContain('secret-key-1234');
});

test('nor does its form in JSON or in an address get through', async () => {
	const apiKey = 'sec"ret/key';
	server = await startServer((_request, response) =>
		json(response, 401, {
			code: 'unauthorized',
			message: `Keys ${JSON.stringify(apiKey)}, ${encodeURIComponent(apiKey)}`,
		}),
	);
	const { error } = await runNode({
		parameters: operations.get,
		credentials: credentialsFor(server.url, { apiKey }),
	});
	expect(error?.message).toBe('Keys "[API key]", [API key] (401 unauthorized)');
});

test('what may be secret in an answer of the wrong form is not quoted', async () => {
	const { error, stored } = await run('get', (_request, response) =>
		json(response, 200, { token: 'ONE-TIME-TOKEN' }),
	);
	expect(error?.message).toContain('missing or invalid: id');
	expect(stored).not.toContain('ONE-TIME-TOKEN');
});

test('the key does not follow a redirect', async () => {
	const other = await startServer((_request, response) => json(response, 200, { id }));
	const { error } = await run('get', (_request, response) =>
		response.writeHead(302, { location: `${other.url}/v1/public/cards/${id}` }).end(),
	);
	await other.close();
	expect(other.requests).toEqual([]);
	expect(error).toMatchObject({
		httpCode: '302',
		description: expect.stringContaining('redirected'),
	});
});

test('a health answer of any form passes the check', async () => {
	for (const [body, response] of [
		['OK', 'OK'],
		['', ''],
		['{"up":true}', { up: true }],
	]) {
		const { items } = await run('check', (_request, answer) => answer.end(body));
		expect(items[0]?.json).toEqual({ success: true, response });
		await server?.close();
	}
});

/** The key as a program may write it into JSON or into an address. */
const escapedBy: Record<string, (key: string) => string> = {
	'as it is': (key) => JSON.stringify(key).slice(1, -1),
	'with escaped slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
	'in code units': (key) =>
		Array.from({ length: key.length }, (_, i) => key.charCodeAt(i).toString(16).padStart(4, '0'))
			.map((hex, i) => `\\u${i % 2 === 0 ? hex : hex.toUpperCase()}`)
			.join(''),
	'in an address': encodeURIComponent,
	'in an address, all of it': (key) =>
		Array.from({ length: key.length }, (_, i) => `%${key.charCodeAt(i).toString(16)}`).join(''),
};

test.each(Object.entries(escapedBy))(
	'a key that the API repeats in its data, %s, is in no item',
	async (_name, escape) => {
		const apiKey = 'sk/live+"a-b_1=';
		server = await startServer((_request, response) =>
			response.end(
				`{"id":"${id}","name":"<${escape(apiKey)}> ${escape(apiKey)}","lastFour":"1234"}`,
			),
		);
		const { items, stored } = await runNode({
			parameters: operations.get,
			credentials: credentialsFor(server.url, { apiKey }),
		});
		expect(items).toMatchObject([
			{ json: { id, name: '<[API key]> [API key]', lastFour: '1234' } },
		]);
		expect(stored).not.toContain(apiKey);
	},
);

test('a key behind a backslash is removed, and the response can still be read', async () => {
	const apiKey = 'live-key-123456';
	const name = `C:\\${apiKey}\\`;
	server = await startServer((_request, response) => json(response, 200, { id, name }));
	const { items } = await runNode({
		parameters: operations.get,
		credentials: credentialsFor(server.url, { apiKey }),
	});
	expect(items).toMatchObject([{ json: { id, name: 'C:\\[API key]\\' } }]);
});

test('a key of digits leaves numbers as they are', async () => {
	const apiKey = '1234567890123';
	server = await startServer((_request, response) =>
		response.end(`{"id":"${id}","reference":${apiKey}}`),
	);
	const { items } = await runNode({
		parameters: operations.get,
		credentials: credentialsFor(server.url, { apiKey }),
	});
	expect(items).toMatchObject([{ json: { id, reference: Number(apiKey) } }]);
});

test('a key that is hardly longer than a word leaves data as it is', async () => {
	server = await startServer((_request, response) => json(response, 200, { id, name: 'active' }));
	const { items } = await runNode({
		parameters: operations.get,
		credentials: credentialsFor(server.url, { apiKey: 'active' }),
	});
	expect(items).toMatchObject([{ json: { id, name: 'active' } }]);
});
