import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
import { type HttpServer, startServer } from '../../harness/httpServer.ts';
import { createPollingTrigger } from '../support/pollingTrigger';

// An API whose fields have other types than §2 says.

const NOW = new Date().toISOString();

const TRANSACTIONS = `[
	{"id": 7, "cardId": "card-1", "createdAt": "${NOW}", "status": 3, "amount": {"value": 1}},
	{"id": null, "cardId": "card-2", "createdAt": 1700000000},
	{"id": null, "cardId": "card-3", "createdAt": 1700000000},
	{"id": "no-card", "cardId": 5}
]`;

/** What is odd about each event is in its other fields. */
const EVENTS: Record<string, string> = {
	'card-1': `[{"id": "e1", "transactionId": 9, "cardId": "card-1", "createdAt": "${NOW}", "amount": 12.5,
		"mcc": 5812, "issues": ["x"], "isSuccess": "yes", "merchantName": {"en": "Bakery"}}]`,
	'card-2': `[{"id": 17, "cardId": ["card-2"], "createdAt": 1700000000}]`,
	'card-3': `[{"id": 17, "cardId": ["card-3"], "createdAt": 1700000000}]`,
};

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

const polled = (event: object) => ({ ...event, delivery: { source: 'polling' } });

let server: HttpServer;
let transactions: string;
let events: Record<string, string>;
beforeEach(async () => {
	transactions = '[]';
	events = EVENTS;
	server = await startServer(({ url }, response) => {
		const [, cardId = ''] = /^\/cards\/([^/]+)\//.exec(url) ?? [];
		response.writeHead(200, { 'content-type': 'application/json' });
		const rows = cardId === '' ? transactions : (events[cardId] ?? '[]');
		const isFirst = !/\bpage=(?!1\b)/.test(url);
		response.end(`{"data": ${isFirst ? rows : '[]'}}`);
	});
});
afterEach(async () => {
	await server.close();
});

/** A trigger that was published before there was a transaction. */
async function publish(parameters: INodeParameters = {}) {
	const poll = createPollingTrigger(credentialsFor(server.url), parameters).activate();
	await poll();
	transactions = TRANSACTIONS;
	return poll;
}

test('a poll finds each event once, as it is', async () => {
	const poll = await publish();
	const items = (await poll()) ?? [];
	expect(items).toHaveLength(3);
	expect(items).toEqual(
		expect.arrayContaining([
			polled(E1),
			polled({ id: 17, cardId: ['card-2'], createdAt: 1700000000 }),
			polled({ id: 17, cardId: ['card-3'], createdAt: 1700000000 }),
		]),
	);
	expect(await poll()).toBeNull();
});

test('a filter accepts a number, but nothing else that is not a string', async () => {
	const numbers = { minimumAmount: '12.50', merchantCategoryCodes: '5812' };
	expect(await (await publish({ filters: numbers }))()).toEqual([polled(E1)]);
	const others = [
		{ filters: { cardIds: '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10' } },
		{ filters: { merchantName: 'Bakery' } },
		{ events: ['approved', 'declined', 'refunded', 'reversed'] },
	];
	for (const parameters of others) {
		transactions = '[]';
		expect(await (await publish(parameters))()).toBeNull();
	}
});

test('Fetch Test Event and Get Many find an event as it is', async () => {
	transactions = TRANSACTIONS;
	const credentials = credentialsFor(server.url);
	expect(await createPollingTrigger(credentials).execute([{}], 'manual')).toEqual([polled(E1)]);
	const get = async (simplify: boolean) => {
		const parameters = {
			resource: 'cardEvent',
			operation: 'getAll',
			cardScope: 'all',
			returnAll: true,
			simplify,
			filters: { createdAfter: new Date(Date.parse(NOW) - 1_000).toISOString() },
		};
		const { items, error } = await runNode({ parameters, credentials });
		expect(error).toBeUndefined();
		return items.map(({ json }) => json);
	};
	expect(await get(false)).toEqual([E1]);
	const [simple] = await get(true);
	expect(simple).toMatchObject({ id: 'e1', transactionId: 9, amount: 12.5 });
	expect(simple).not.toHaveProperty('mcc');
});

test.each(['event', 'transaction'])(
	'a list with an entry that is not an object fails the poll: %s',
	async (what) => {
		const poll = await publish();
		if (what === 'event') events = { 'card-1': '[5]' };
		else transactions = '["x"]';
		await expect(poll()).rejects.toThrow(`instead of a list of ${what}s`);
	},
);
