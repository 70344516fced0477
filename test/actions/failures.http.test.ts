import { createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';

import { Logger } from '@n8n/backend-common';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { type Answer, type HttpServer, json, startServer } from '../../harness/httpServer';
import { skipTime } from '../support/sleep';

// Only the waiting is taken out.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async (ms: number) => await skipTime(ms),
}));

const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';

let server: HttpServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const operations = {
	get: { resource: 'card', operation: 'get', cardId: { __rl: true, mode: 'id', value: id } },
	freeze: { resource: 'card', operation: 'freeze', cardId: { __rl: true, mode: 'id', value: id } },
};

async function run(operation: keyof typeof operations, answer: Answer) {
	server = await startServer(answer);
	const { requests } = server;
	const credentials = credentialsFor(`${server.url}/v1/public`);
	const result = await runNode({ parameters: operations[operation], credentials });
	return { ...result, requests };
}

const status =
	(code: number, headers = {}): Answer =>
	(_request, response) =>
		json(response, code, { code: 'some-code', message: 'Some message' }, headers);

const drop: Answer = (_request, response) => response.destroy();

test('after three retries the error is shown, with the key nowhere in it', async () => {
	const { error, requests, stored } = await run('freeze', status(503));
	expect(requests).toHaveLength(4);
	expect(error).toMatchObject({ message: 'Some message (503 some-code)', httpCode: '503' });
	expect(stored).not.toContain('secret-key-1234');
	expect(requests[0]?.headers.authorization).toBe('Bearer secret-key-1234');
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
		description: expect.stringContaining('npx card-platform-sandbox'),
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
		message: expect.stringMatching(
			/^The server at 127\.0\.0\.1:\d+ did not accept https \(EPROTO\)$/,
		),
	});
});

test('a key that the API repeats in its message is taken out', async () => {
	const { error, stored } = await run('get', (_request, response) =>
		json(response, 401, { code: 'unauthorized', message: 'Key secret-key-1234 is unknown' }),
	);
	expect(error?.message).toBe('Key [API key] is unknown (401 unauthorized)');
	expect(stored).not.toContain('secret-key-1234');
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

test('a response that breaks the contract: n8n hands it over as it came', async () => {
	const page = '<!DOCTYPE html><html><body>Hi</body></html>';
	const { error } = await run('get', (_request, response) => response.end(page));
	expect(error).toMatchObject({
		message: `The API responded to GET /cards/${id} with a web page instead of a card`,
		httpCode: '200',
		context: { itemIndex: 0 },
	});
});

test('a key that the API repeats in its data is in no item', async () => {
	const { items, stored } = await run('get', (_request, response) =>
		json(response, 200, { id, name: 'of secret-key-1234' }),
	);
	expect(items).toMatchObject([{ json: { id, name: 'of [API key]' } }]);
	expect(stored).not.toContain('secret-key-1234');
});

test('the key is in no line of the log, even if the API repeats it', async () => {
	const logged: unknown[] = [];
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		jest.spyOn(Logger.prototype, level).mockImplementation((...line) => void logged.push(line));
	}
	const answers: Answer[] = [
		(_request, response) => json(response, 200, { id, name: 'of secret-key-1234' }),
		(_request, response) => json(response, 401, { code: 'x', message: 'secret-key-1234' }),
		drop,
	];
	for (const answer of answers) {
		await run('get', answer);
		await server?.close();
	}
	jest.restoreAllMocks();
	// n8n's engine logs each run: the lines are seen.
	expect(logged).not.toEqual([]);
	expect(inspect(logged, { depth: null })).not.toContain('secret-key-1234');
});
