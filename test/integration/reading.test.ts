import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { credentialsFor, runNode } from '../../harness/core/runNode.ts';
import { json, startServer } from '../../harness/httpServer';
import type { Purchase } from '../../sandbox/client.ts';
import { startSandbox, type TestSandbox } from '../support/sandbox';

const listSchema = z.object({ data: z.array(z.record(z.unknown())) });
const declined = { decline: { reason: 'suspected_fraud' } };
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => {
	await sandbox.close();
});

const apiList = async (path: string) => listSchema.parse(await sandbox.api(path)).data;

const run = async (parameters: INodeParameters, credentials = sandbox.credentials()) => {
	const { items, error } = await runNode({ parameters, credentials });
	return { json: items.map((item) => item.json), error };
};

/** A server that answers every request with an empty list, and the URLs that it was asked for. */
async function urlsOf(parameters: INodeParameters, credential = {}) {
	const server = await startServer((_request, response) => json(response, 200, { data: [] }));
	const { error } = await run(parameters, credentialsFor(server.url, credential));
	await server.close();
	expect(error).toBeUndefined();
	return server.requests.map(({ url }) => decodeURIComponent(url));
}

describe('transactions', () => {
	test('all, as the API gives them', async () => {
		const all = await apiList('/transactions');
		expect(all.length).toBeGreaterThan(20);
		const { json: items } = await run({
			resource: 'transaction',
			operation: 'getAll',
			returnAll: true,
		});
		expect(items).toEqual(all);
	});

	test('by card, status and time', async () => {
		const own = await startSandbox();
		const [card, other] = await own.cards('active');
		// Longer ago than anything that the sandbox starts with.
		const purchase = async (day: number, cardId = card?.id, more: Partial<Purchase> = declined) => {
			await own.client.setClock(new Date(`2001-01-0${day}T12:00:00Z`));
			const usual = { cardId: z.string().parse(cardId), amount: '1.00', merchantName: 'Bakery' };
			return (await own.client.authorize({ ...usual, ...more })).transaction.id;
		};
		await purchase(1);
		const wanted = await purchase(2);
		await purchase(2, card?.id, {});
		await purchase(2, other?.id);
		await purchase(3);

		const { json: items } = await run(
			{
				resource: 'transaction',
				operation: 'getAll',
				returnAll: true,
				filters: {
					cardId: z.string().parse(card?.id),
					status: 'declined',
					createdAfter: '2001-01-02T00:00:00Z',
					createdBefore: '2001-01-03T00:00:00Z',
				},
			},
			own.credentials(),
		);
		await own.close();
		expect(items.map(({ id }) => id)).toEqual([wanted]);
	});

	test('one, by its ID', async () => {
		const [first] = await apiList('/transactions');
		const { json: items } = await run({
			resource: 'transaction',
			operation: 'get',
			transactionId: z.string().parse(first?.id),
		});
		expect(items).toEqual([first]);
	});

	test('a card ID that is none is refused before any request', async () => {
		const server = await startServer((_request, response) => json(response, 200, { data: [] }));
		const { error } = await run(
			{ resource: 'transaction', operation: 'getAll', filters: { cardId: 'travel' } },
			credentialsFor(server.url),
		);
		await server.close();
		expect(error).toMatchObject({ message: 'Card ID is not a valid ID: "travel"' });
		expect(server.requests).toEqual([]);
	});
});

describe('events of a card', () => {
	const events = async (filters: INodeParameters = {}, more: INodeParameters = {}) => {
		const [transaction] = await apiList('/transactions?status=declined');
		const cardId = z.string().parse(transaction?.cardId);
		const { json: items, error } = await run({
			resource: 'cardEvent',
			operation: 'getAll',
			cardId: byId(cardId),
			returnAll: true,
			filters,
			...more,
		});
		return { items, error, all: await apiList(`/cards/${cardId}/financial-events`) };
	};

	test('all, newest first', async () => {
		const { items, all } = await events();
		expect(all.length).toBeGreaterThan(1);
		expect(items).toEqual(all);
	});

	test('only the declined ones', async () => {
		const { items, all } = await events({ events: ['declined'] });
		expect(items).toEqual(all.filter(({ isSuccess }) => isSuccess === false));
		expect(items.length).toBeLessThan(all.length);
	});

	test('from an amount on, and at most one', async () => {
		const { all } = await events();
		const largest = all.map(({ amount }) => Number(amount)).sort((a, b) => b - a)[0];
		const { items } = await events({ minimumAmount: String(largest) });
		expect(items.map(({ amount }) => Number(amount))).toEqual([largest]);
		expect((await events({}, { returnAll: false, limit: 1 })).items).toEqual(all.slice(0, 1));
	});

	test('simplified, an event has its ten main fields', async () => {
		const { items } = await events({}, { simplify: true });
		expect(Object.keys(items[0] ?? {}).sort()).toEqual([
			'amount',
			'amountDirection',
			'cardId',
			'createdAt',
			'currency',
			'id',
			'isReversal',
			'isSuccess',
			'merchantName',
			'transactionId',
		]);
	});

	test('a filter that can never match is refused', async () => {
		const { error } = await events({ currencies: 'dollars' });
		expect(error?.message).toContain('Currencies');
	});
});

describe('payments', () => {
	const payments = (more: INodeParameters = {}): INodeParameters => ({
		resource: 'payment',
		operation: 'getAll',
		from: '2026-01-01T00:00:00',
		to: '2026-12-31T00:00:00',
		returnAll: true,
		...more,
	});
	const customer = { keyScope: 'customer', accountId: '1001' };

	test('a range within a year is one request; the account comes from the credential', async () => {
		expect(await urlsOf(payments(), customer)).toEqual([
			'/payments?accountId=1001&from=2026-01-01&to=2026-12-31',
		]);
	});

	test('a day is that of the time zone of the workflow', async () => {
		expect(await urlsOf(payments({ from: '2026-01-01T23:30:00Z' }))).toEqual([
			'/payments?from=2026-01-02&to=2026-12-31',
		]);
	});

	test.each([
		['={{ $now }}', '={{ $today.plus({ days: 1 }) }}'],
		['={{ DateTime.now().setZone("Asia/Tokyo") }}', '={{ $today.plus({ days: 1 }).toJSDate() }}'],
		['={{ $now.toISO() }}', '={{ $today.plus({ days: 1 }).toFormat("yyyy-MM-dd") }}'],
	])('from %s to %s: a day in the time zone of the workflow', async (from, to) => {
		const day = () =>
			new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(Date.now());
		const before = day();
		const urls = await urlsOf(payments({ from, to }));
		// Midnight may pass during the test.
		const expected = [before, day()].map((today) => {
			const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
			return `/payments?from=${today}&to=${tomorrow}`;
		});
		expect(expected).toContain(urls[0]);
	});

	test('a longer range is asked year by year', async () => {
		expect(await urlsOf(payments({ from: '2023-06-01', to: '2025-07-01' }))).toEqual([
			'/payments?from=2023-06-01&to=2024-05-31',
			'/payments?from=2024-05-31&to=2025-05-30',
			'/payments?from=2025-05-30&to=2025-07-01',
		]);
	});

	test('what two requests both give comes once', async () => {
		const server = await startServer((request, response) => {
			const from = new URL(request.url, server.url).searchParams.get('from');
			json(response, 200, { data: [{ id: 'same' }, { id: from }] });
		});
		const { json: items } = await run(
			payments({ from: '2023-06-01', to: '2025-01-01' }),
			credentialsFor(server.url),
		);
		await server.close();
		expect(items).toEqual([{ id: 'same' }, { id: '2023-06-01' }, { id: '2024-05-31' }]);
	});

	test('a limit stops at it, and asks for no further year', async () => {
		const server = await startServer((_request, response) =>
			json(response, 200, { data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }),
		);
		const { json: items } = await run(
			payments({ from: '2020-01-01', returnAll: false, limit: 2 }),
			credentialsFor(server.url),
		);
		await server.close();
		expect(items).toEqual([{ id: 'a' }, { id: 'b' }]);
		expect(server.requests).toHaveLength(1);
	});

	test('the account of the node wins over that of the credential', async () => {
		expect(await urlsOf(payments({ options: { accountId: '1002' } }), customer)).toEqual([
			'/payments?accountId=1002&from=2026-01-01&to=2026-12-31',
		]);
	});

	test('the account of the credential may be a number', async () => {
		expect(await urlsOf(payments(), { ...customer, accountId: 1001 })).toEqual([
			'/payments?accountId=1001&from=2026-01-01&to=2026-12-31',
		]);
	});

	test('an account-scoped key needs to name none', async () => {
		expect(await urlsOf(payments(), { keyScope: 'account', accountId: '1001' })).toEqual([
			'/payments?from=2026-01-01&to=2026-12-31',
		]);
	});

	test.each<[string, INodeParameters, object, string]>([
		[
			'a customer-scoped key without an account',
			{},
			{ accountId: '' },
			'Choose the account whose payments to list',
		],
		[
			'an account that is none',
			{},
			{ accountId: 'Marketing' },
			'Default Account ID is not a whole',
		],
		['half an account', {}, { accountId: 1001.5 }, 'Default Account ID is not a whole'],
		['no first day', { from: '' }, {}, 'From is empty'],
		['days the wrong way round', { from: '2027-01-01' }, {}, 'is later than To'],
		['a day beyond all reason', { to: '9999-12-31' }, {}, 'To is out of range'],
		[
			'an invalid DateTime',
			{ from: '={{ DateTime.invalid("x") }}' },
			{},
			'From is not a valid date',
		],
		['an invalid Date', { to: '={{ new Date("x") }}' }, {}, 'To is not a valid date'],
		['a span of time', { to: '={{ $now.diff($today) }}' }, {}, 'To is not a valid date'],
		['a day that is a number', { from: '={{ 20260101 }}' }, {}, 'From is not a valid date'],
		['a day that does not exist', { to: '2026-02-30' }, {}, 'To is not a valid date'],
	])('%s is refused before any request', async (_name, change, credential, message) => {
		const server = await startServer((_request, response) => json(response, 200, { data: [] }));
		const { error } = await run(
			payments(change),
			credentialsFor(server.url, { ...customer, ...credential }),
		);
		await server.close();
		expect(error).toMatchObject({
			message: expect.stringContaining(message),
			context: { itemIndex: 0 },
		});
		expect(server.requests).toEqual([]);
	});

	test('should the API page its payments after all, every page is read', async () => {
		const server = await startServer((request, response) => {
			const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
			json(response, 200, { data: [{ id: `p${page}` }], page, pageSize: 1, totalPages: 3 });
		});
		const { json: items } = await run(payments(), credentialsFor(server.url));
		await server.close();
		expect(items).toEqual([{ id: 'p1' }, { id: 'p2' }, { id: 'p3' }]);
	});

	test('a total that is a lower bound does not end the list', async () => {
		const all = Array.from({ length: 250 }, (_, index) => ({ id: `p${index}` }));
		const server = await startServer((request, response) => {
			const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
			json(response, 200, {
				data: all.slice((page - 1) * 100, page * 100),
				page,
				pageSize: 100,
				totalItemCount: 100,
				totalPages: 1,
				totalItemCountCapped: true,
			});
		});
		const { json: items } = await run(payments(), credentialsFor(server.url));
		expect(items).toEqual(all);
		const cardId = byId('ca4d0000-0000-4000-8000-000000000003');
		const { json: events } = await run(
			{ resource: 'cardEvent', operation: 'getAll', cardId, returnAll: true },
			credentialsFor(server.url),
		);
		await server.close();
		expect(events).toEqual(all);
	});

	test.each<[string, object]>([
		['an array', [{ id: 'a' }]],
		['{data}', { data: [{ id: 'a' }] }],
		['{data} with its number', { data: [{ id: 'a' }], totalItemCount: 1 }],
		['an exact envelope', { data: [{ id: 'a' }], page: 1, pageSize: 1, totalPages: 1 }],
		[
			'a short page with a lower bound',
			{ data: [{ id: 'a' }], pageSize: 2, totalPages: 1, totalItemCountCapped: true },
		],
	])('%s is read with one request', async (_name, body) => {
		const server = await startServer((_request, response) => json(response, 200, body));
		const { json: items } = await run(payments(), credentialsFor(server.url));
		await server.close();
		expect(items).toEqual([{ id: 'a' }]);
		expect(server.requests).toHaveLength(1);
	});

	test('the payments of the sandbox over several years, each once', async () => {
		const thisYear = new Date().getFullYear();
		const years = [thisYear - 2, thisYear - 1, thisYear, thisYear + 1];
		const lists = await Promise.all(
			years.map(async (year) => {
				const days = { from: `${year}-01-01`, to: `${year}-12-31` };
				const query = new URLSearchParams({ ...days, accountId: '1001' }).toString();
				return await apiList(`/payments?${query}`);
			}),
		);
		const { json: items } = await run(
			payments({
				from: `${thisYear - 2}-01-01`,
				to: `${thisYear + 1}-12-31`,
				options: { accountId: '1001' },
			}),
		);
		const all = lists.flat();
		expect(all.length).toBeGreaterThan(1);
		expect(items).toHaveLength(all.length);
		expect(items).toEqual(expect.arrayContaining(all));
	});
});

describe('what goes on the wire', () => {
	test('only page and page size, where nothing was asked for', async () => {
		for (const resource of ['card', 'transaction', 'settlement']) {
			expect(await urlsOf({ resource, operation: 'getAll', limit: 7 })).toEqual([
				`/${resource}s?page=1&pageSize=7`,
			]);
		}
	});

	test('every filter and option, under the names of the credential', async () => {
		const names = {
			name: 'q',
			status: 'state',
			sort: 'order',
			createdAfter: 'since',
			createdBefore: 'until',
			page: 'p',
			pageSize: 'size',
		};
		const urls = await urlsOf(
			{
				resource: 'card',
				operation: 'getAll',
				limit: 5,
				filters: {
					name: 'Team travel',
					status: 'frozen',
					createdAfter: '2026-01-01T00:00:00Z',
					createdBefore: '2026-02-01T00:00:00Z',
				},
				options: { sort: 'asc' },
			},
			{ parameterNames: JSON.stringify(names) },
		);
		expect(Object.fromEntries(new URL(`http://x${urls[0]}`).searchParams)).toEqual({
			q: 'Team travel',
			state: 'frozen',
			order: 'asc',
			since: '2026-01-01T00:00:00.000Z',
			until: '2026-02-01T00:00:00.000Z',
			p: '1',
			size: '5',
		});
	});

	test('filters that are numbers or dates from an expression', async () => {
		const [url] = await urlsOf({
			resource: 'card',
			operation: 'getAll',
			limit: 5,
			filters: {
				name: '={{ 2024 }}',
				status: '={{ 7 }}',
				createdAfter: '={{ DateTime.fromISO("2026-01-01T00:00:00Z") }}',
				createdBefore: '={{ new Date("2026-02-01T00:00:00Z") }}',
			},
		});
		expect(Object.fromEntries(new URL(`http://x${url}`).searchParams)).toMatchObject({
			name: '2024',
			status: '7',
			createdAfter: '2026-01-01T00:00:00.000Z',
			createdBefore: '2026-02-01T00:00:00.000Z',
		});
	});

	test('custom query parameters go as they are, and win', async () => {
		const customQuery = {
			pairs: [{ name: 'include', value: 'limits' }],
			json: [{ value: '{"pageSize":"20"}' }],
		};
		for (const resource of ['card', 'transaction', 'settlement']) {
			expect(
				await urlsOf({ resource, operation: 'getAll', limit: 7, options: { customQuery } }),
			).toEqual([`/${resource}s?page=1&pageSize=20&include=limits`]);
		}
	});

	test.each<[string, INodeParameters, ICredentialDataDecryptedObject]>([
		['Custom Query Parameters', { options: { customQuery: { json: [{ value: '[1]' }] } } }, {}],
		['Parameter Names', {}, { parameterNames: '{"page": 1}' }],
	])('%s that are no object of strings are refused', async (label, more, credential) => {
		const { error } = await run(
			{ resource: 'card', operation: 'getAll', ...more },
			sandbox.credentials(credential),
		);
		expect(error?.message).toContain(label);
	});

	test('wrong Parameter Names do not stop what needs none', async () => {
		const { error } = await run(
			{ resource: 'connection', operation: 'check' },
			sandbox.credentials({ parameterNames: 'nonsense' }),
		);
		expect(error).toBeUndefined();
	});
});
