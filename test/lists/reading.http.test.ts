import type { INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode } from '../../harness/core/runNode.ts';
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

	test('by amount, merchant and currency, which the API cannot; the limit counts those that pass', async () => {
		const all = await apiList('/transactions');
		const amountOf = ({ amount }: Record<string, unknown>) => Number(amount);
		const [least = 0, most = 0] = [0.25, 0.75].map(
			(share) => all.map(amountOf).sort((a, b) => a - b)[Math.floor(all.length * share)],
		);
		const getMany = async (filters: INodeParameters, more: INodeParameters = { returnAll: true }) =>
			(await run({ resource: 'transaction', operation: 'getAll', filters, ...more })).json;

		const amounts = { minimumAmount: String(least), maximumAmount: String(most) };
		const between = all.filter((each) => amountOf(each) >= least && amountOf(each) <= most);
		expect(between.length).toBeGreaterThan(3);
		expect(between.length).toBeLessThan(all.length);
		expect(await getMany(amounts)).toEqual(between);
		expect(await getMany(amounts, { limit: 3 })).toEqual(between.slice(0, 3));

		const name = z.string().parse(all.findLast((each) => each.merchantName)?.merchantName);
		const part = name.slice(1).toUpperCase();
		const atMerchant = await getMany({ merchantName: part, currencies: 'usd' }, { limit: 1 });
		expect(atMerchant).toEqual([all.find(({ merchantName }) => merchantName === name)]);
		expect(await getMany({ currencies: 'JPY' })).toEqual([]);
	});

	test('a few in a long list: pages are read until enough pass, and no more than a few ahead', async () => {
		const server = await startServer(({ url }, response) => {
			const page = Number(new URL(url, 'http://localhost').searchParams.get('page'));
			const data = Array.from({ length: 100 }, (_, index) => ({
				id: `t${page}-${index}`,
				amount: index === 50 && page % 4 === 0 ? '900.00' : '1.00',
			}));
			json(response, 200, {
				data,
				page,
				pageSize: 100,
				totalPages: 1_000,
				totalItemCount: 100_000,
			});
		});
		const { json: found } = await run(
			{
				resource: 'transaction',
				operation: 'getAll',
				limit: 2,
				filters: { minimumAmount: '900' },
			},
			credentialsFor(server.url),
		);
		await server.close();
		expect(found.map(({ id }) => id)).toEqual(['t4-50', 't8-50']);
		const pages = server.requests.map(({ url }) => Number(/[?&]page=(\d+)/.exec(url)?.[1]));
		expect(Math.max(...pages)).toBeLessThanOrEqual(8 + 6);
	});

	test('of a card that was picked from the list', async () => {
		const [first] = await apiList('/transactions');
		const cardId = z.string().parse(first?.cardId);
		const all = await apiList(`/transactions?cardId=${cardId}`);
		for (const value of [{ __rl: true, mode: 'list', value: cardId }, byId(cardId), cardId]) {
			const { json: items } = await run({
				resource: 'transaction',
				operation: 'getAll',
				returnAll: true,
				filters: { cardId: value },
			});
			expect(items).toEqual(all);
		}
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
			simplify: false,
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

	test('by default their main fields, with the exact amounts', async () => {
		const { items, all } = await events({}, { simplify: true });
		const { json: byDefault } = await run({
			resource: 'cardEvent',
			operation: 'getAll',
			cardId: byId(z.string().parse(all[0]?.cardId)),
			returnAll: true,
		});
		expect(byDefault).toEqual(items);
		expect(all).toMatchObject(items);
		for (const item of items) {
			expect(Object.keys(item).length).toBeLessThanOrEqual(10);
			expect(item).toMatchObject({ amount: expect.any(String), cardId: expect.any(String) });
		}
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

test('on the wire: every filter and option, under the names of the credential', async () => {
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
