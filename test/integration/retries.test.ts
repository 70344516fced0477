import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor, runNode } from '../../harness/core/runNode.ts';
import { afterTurns, type Answer, json, startServer } from '../../harness/httpServer';
import { waits } from '../support/sleep';

// Only the waiting is taken out: which waits were asked for is looked at instead.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async () => await Promise.resolve()),
}));

beforeEach(() => jest.clearAllMocks());

const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const cardId = { __rl: true, mode: 'id', value: id };

const operations: Record<string, INodeParameters> = {
	'account: rename': { resource: 'account', operation: 'rename', accountId: '1001', name: 'Ops' },
	'account: transfer': {
		resource: 'account',
		operation: 'transfer',
		accountId: '1001',
		toAccountId: '1002',
		amount: '5.00',
	},
	'card: archive': { resource: 'card', operation: 'archive', cardId },
	'card: create': { resource: 'card', operation: 'create', name: 'Travel', type: 'recurring' },
	'card: freeze': { resource: 'card', operation: 'freeze', cardId },
	'card: get': { resource: 'card', operation: 'get', cardId },
	'card: unfreeze': { resource: 'card', operation: 'unfreeze', cardId },
	'card: update': { resource: 'card', operation: 'update', cardId, updateFields: { name: 'New' } },
};

const succeed: Answer = ({ url }, response) => {
	const transfer = { id, fromAccountId: 1001, toAccountId: 1002, status: 'x', createdAt: 'x' };
	if (url.includes('transfers')) json(response, 201, transfer);
	else if (url.includes('accounts')) json(response, 200, { id: 1001, name: 'Ops' });
	else json(response, 200, { id });
};

const failures: Record<string, Answer> = {
	'a dropped connection': (_request, response) => response.destroy(),
	...Object.fromEntries(
		[408, 429, 500, 502, 503, 504].map((status): [string, Answer] => [
			String(status),
			(_request, response) => json(response, status, { code: 'x', message: 'x' }),
		]),
	),
	'503 with Retry-After': (_request, response) =>
		json(response, 503, { code: 'x', message: 'x' }, { 'retry-after': '1' }),
};

const rows = Object.keys(operations).flatMap((operation) =>
	Object.keys(failures).map((failure) => {
		const happensTwice = ['card: create', 'card: update'].includes(operation);
		const isSafe = !happensTwice || ['429', '503 with Retry-After'].includes(failure);
		return { operation, failure, requests: isSafe ? 2 : 1 };
	}),
);

test.each(rows)('$operation after $failure: $requests request(s)', async (row) => {
	const server = await startServer((request, response, count) => {
		const answer = count === 1 ? failures[row.failure] : succeed;
		answer?.(request, response, count);
	});
	const { error } = await runNode({
		parameters: operations[row.operation] ?? {},
		credentials: credentialsFor(server.url, { keyScope: 'customer' }),
	});
	await server.close();
	expect(server.requests).toHaveLength(row.requests);
	expect(error === undefined).toBe(row.requests === 2);
});

test.each([
	['500', (_request, response) => json(response, 500, { code: 'x' })],
	['a dropped connection', (_request, response) => response.destroy()],
] satisfies [string, Answer][])(
	'creating after %s: look before doing it again',
	async (_name, answer) => {
		const server = await startServer(answer);
		const { error } = await runNode({
			parameters: operations['card: create'] ?? {},
			credentials: credentialsFor(server.url),
		});
		await server.close();
		expect(error).toMatchObject({
			description: expect.stringContaining('leave Retry On Fail off'),
		});
	},
);

test('a 503 whose Retry-After says nothing is no reason to create twice', async () => {
	const server = await startServer((_request, response) =>
		json(response, 503, { code: 'x' }, { 'retry-after': 'soon' }),
	);
	await runNode({
		parameters: operations['card: create'] ?? {},
		credentials: credentialsFor(server.url),
	});
	await server.close();
	expect(server.requests).toHaveLength(1);
});

test('an answer that breaks off midway is asked for again', async () => {
	const server = await startServer((request, response, count) => {
		if (count > 1) {
			succeed(request, response, count);
			return;
		}
		response.writeHead(200, { 'content-length': '100' });
		response.write('{"id":');
		setImmediate(() => response.destroy());
	});
	const { error } = await runNode({
		parameters: operations['card: get'] ?? {},
		credentials: credentialsFor(server.url),
	});
	await server.close();
	expect(error).toBeUndefined();
	expect(server.requests).toHaveLength(2);
});

test('a transfer keeps its key when it is sent again', async () => {
	const server = await startServer((request, response, count) => {
		if (count < 4) response.destroy();
		else succeed(request, response, count);
	});
	await runNode({
		parameters: operations['account: transfer'] ?? {},
		credentials: credentialsFor(server.url, { keyScope: 'customer' }),
	});
	await server.close();
	const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
	expect(keys).toHaveLength(4);
	expect(new Set(keys).size).toBe(1);
});

test.each([
	['seconds', '3', 3_000, 3_000],
	['a date gone by', 'Wed, 21 Oct 2015 07:28:00 GMT', 0, 0],
	['a date far ahead', 'Fri, 21 Oct 2095 07:28:00 GMT', 60_000, 60_000],
	['huge', '999999', 60_000, 60_000],
	['garbage', 'soon', 250, 500],
	['negative', '-7', 250, 500],
])('Retry-After: %s', async (_name, retryAfter, least, most) => {
	const server = await startServer((request, response, count) => {
		if (count > 1) succeed(request, response, count);
		else json(response, 429, { code: 'x' }, { 'retry-after': retryAfter });
	});
	await runNode({
		parameters: operations['card: get'] ?? {},
		credentials: credentialsFor(server.url),
	});
	await server.close();
	expect(waits()).toHaveLength(1);
	expect(waits()[0]).toBeGreaterThanOrEqual(least);
	expect(waits()[0]).toBeLessThanOrEqual(most);
});

test('a list goes on where the API was asked too often, one page at a time from there', async () => {
	const items = Array.from({ length: 1_000 }, (_, index) => ({ id: `card-${index}` }));
	let inFlight = 0;
	let mostAfterwards = 0;
	let wasRefused = false;
	const server = await startServer(({ url }, response) => {
		const page = Number(new URL(url, 'http://x').searchParams.get('page'));
		if (page === 2 && !wasRefused) {
			wasRefused = true;
			json(response, 429, { code: 'too-many-requests' }, { 'retry-after': '1' });
			return;
		}
		inFlight++;
		if (page > 7) mostAfterwards = Math.max(mostAfterwards, inFlight);
		afterTurns(() => {
			inFlight--;
			const data = items.slice((page - 1) * 100, page * 100);
			json(response, 200, { data, page, pageSize: 100, totalItemCount: 1_000, totalPages: 10 });
		});
	});
	const { items: found } = await runNode({
		parameters: { resource: 'card', operation: 'getAll', returnAll: true },
		credentials: credentialsFor(server.url),
	});
	await server.close();
	expect(found.map(({ json: card }) => card.id)).toEqual(items.map((card) => card.id));
	expect(mostAfterwards).toBe(1);
});
