import type { ServerResponse } from 'node:http';

import { credentialsFor } from '../../dev/harness/core/credentials.ts';
import { runNode } from '../../dev/harness/core/runNode.ts';
import { type HttpServer, startServer } from '../../dev/harness/httpServer.ts';
import { parametersOf } from '../support/operations';
import { createPollingTrigger } from '../support/pollingTrigger';

// An API whose fields have other types than §2 says.

const NOW = new Date().toISOString();

const TRANSACTIONS = `[
	{"id": 7, "cardId": "card-1", "createdAt": "${NOW}", "status": 3, "amount": {"value": 1}},
	{"id": null, "cardId": "card-2", "createdAt": 1700000000},
	{"id": null, "cardId": "card-3", "createdAt": 1700000000},
	{"id": "half-a-character", "cardId": "\\ud83d", "createdAt": 1700000000},
	{"id": "no-card", "cardId": 5}
]`;

const E1 = {
	id: 'e1',
	transactionId: 9,
	cardId: 'card-1',
	createdAt: NOW,
	amount: 12.5,
	mcc: 5812,
	issues: ['x'],
	isSuccess: 'yes',
	merchantName: { en: 'Bakery' },
};

const odd = (cardId: string) => ({ id: 17, cardId: [cardId], createdAt: 1700000000 });

const EVENTS: Record<string, object> = {
	'card-1': E1,
	'card-2': odd('card-2'),
	'card-3': odd('card-3'),
	'%EF%BF%BD': odd('card-4'),
};

const polled = (event: object) => ({ ...event, delivery: { source: 'polling' } });

let server: HttpServer;
/** Answers in place of the API where it gives true. */
let inFront: (url: string, response: ServerResponse) => boolean;
let transactions: string;
beforeEach(async () => {
	transactions = '[]';
	inFront = () => false;
	server = await startServer(({ url }, response) => {
		if (inFront(url, response)) return;
		const [, cardId = ''] = /^\/cards\/([^/]+)\//.exec(url) ?? [];
		response.writeHead(200, { 'content-type': 'application/json' });
		const rows = cardId === '' ? transactions : JSON.stringify([EVENTS[cardId]]);
		const isFirst = !/\bpage=(?!1\b)/.test(url);
		response.end(`{"data": ${isFirst ? rows : '[]'}}`);
	});
});
afterEach(async () => {
	await server.close();
});

/** A trigger that was published before there was a transaction. */
async function publish() {
	const poll = createPollingTrigger(credentialsFor(server.url)).activate();
	await poll();
	transactions = TRANSACTIONS;
	return poll;
}

/** The events of all cards of the last second. */
const getMany = async (more: object = {}) => {
	const filters = { createdAfter: new Date(Date.parse(NOW) - 1_000).toISOString() };
	const all = { cardScope: 'all', returnAll: true, filters, ...more };
	const parameters = parametersOf('cardEvent/getAll', all);
	return await runNode({ parameters, credentials: credentialsFor(server.url) });
};

test('a poll finds each event once, as it is', async () => {
	const poll = await publish();
	const items = (await poll()) ?? [];
	expect(items).toHaveLength(4);
	const others = ['card-2', 'card-3', 'card-4'].map((cardId) => polled(odd(cardId)));
	expect(items).toEqual(expect.arrayContaining([polled(E1), ...others]));
	expect(await poll()).toBeNull();
});

test('Fetch Test Event and Get Many find an event as it is', async () => {
	transactions = TRANSACTIONS;
	const credentials = credentialsFor(server.url);
	const readable = { eventType: 'other', summary: 'Other event: 12.50', declineReason: null };
	expect(await createPollingTrigger(credentials).execute([{}], 'manual')).toEqual([
		{ ...readable, ...polled(E1) },
	]);
	const get = async (simplify: boolean) => {
		const { items, error } = await getMany({ simplify });
		expect(error).toBeUndefined();
		return items.map(({ json }) => json);
	};
	expect(await get(false)).toEqual([{ ...readable, ...E1 }]);
	const [simple] = await get(true);
	expect(simple).toMatchObject({ ...readable, transactionId: 9, amount: 12.5 });
	expect(simple).not.toHaveProperty('id');
});

test('a list that ends too early fails the poll, and the hint says what shortens it here', async () => {
	const poll = await publish();
	transactions = `${TRANSACTIONS}, "totalPages": 3`;
	await expect(poll()).rejects.toMatchObject({
		message: 'The API sent an empty page 2 of 3, so records may be missing',
		description: expect.stringContaining('(in a trigger: lower "Look Back"'),
	});
});

test('events that drip hold a poll no longer than its time, and change nothing later', async () => {
	const timeout = AbortSignal.timeout.bind(AbortSignal);
	const trigger = createPollingTrigger(credentialsFor(server.url));
	const poll = trigger.activate();
	const timed = jest.spyOn(AbortSignal, 'timeout').mockImplementation(timeout);
	await poll();
	transactions = TRANSACTIONS;
	let dripping: ServerResponse | undefined;
	inFront = (url, response) => {
		if (!url.includes('/card-1/')) return false;
		dripping = response;
		response.write(' ');
		return true;
	};
	timed.mockImplementation(() => timeout(1_500));
	expect(await poll()).toHaveLength(3);
	const stored = trigger.stored();
	await new Promise<void>((resolve) => dripping?.end('{"data": []}', resolve));
	expect(trigger.stored()).toBe(stored);
	const message = 'The events of these cards cannot be read: card-1';
	const description: unknown = expect.stringMatching(/^No event is lost/);
	expect(trigger.errors).toMatchObject([{ message, description }]);
	timed.mockImplementation(timeout);
	inFront = () => false;
	expect(await poll()).toEqual([polled(E1)]);
	expect(timed.mock.calls).toEqual([[45_000], [255_000], [255_000]]);
	jest.restoreAllMocks();
});
