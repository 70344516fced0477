import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { type Answer, json, startServer } from '../../harness/httpServer';
import { skipTime, waits } from '../support/sleep';

// Only the waiting is taken out: which waits were asked for is looked at instead.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async (ms: number) => await skipTime(ms)),
}));

beforeEach(() => jest.clearAllMocks());

const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const cardId = { __rl: true, mode: 'id', value: id };

// unit/action/retries.test.ts tells which failures of which operations are retried.
test.each<[string, Answer]>([
	['a dropped connection', (_request, response) => response.destroy()],
	[
		'a response that breaks off midway',
		(_request, response) => {
			response.writeHead(200, { 'content-length': '100' });
			response.write('{"id":');
			setImmediate(() => response.destroy());
		},
	],
])('%s: a read is retried, and creating is not', async (_name, fail) => {
	for (const [operation, requests] of [
		['get', 2],
		['create', 1],
	] as const) {
		const server = await startServer((request, response, count) => {
			if (count > 1) json(response, 200, { id });
			else fail(request, response, count);
		});
		const { error } = await runNode({
			parameters: { resource: 'card', operation, cardId, name: 'Travel', type: 'recurring' },
			credentials: credentialsFor(server.url),
		});
		await server.close();
		expect(server.requests).toHaveLength(requests);
		expect(error === undefined).toBe(requests === 2);
	}
});

test('the Retry-After header of a response decides the wait', async () => {
	const server = await startServer((_request, response, count) => {
		if (count > 1) json(response, 200, { id });
		else json(response, 429, { code: 'x' }, { 'Retry-After': '3' });
	});
	await runNode({
		parameters: { resource: 'card', operation: 'get', cardId },
		credentials: credentialsFor(server.url),
	});
	await server.close();
	// Some milliseconds have passed since the response.
	expect(waits().map((ms) => Math.ceil(ms / 1000))).toEqual([3]);
});
