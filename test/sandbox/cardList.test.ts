import { z } from 'zod/v4';

import { openDatabase } from '../../sandbox/database/open.ts';
import { listPage } from '../../sandbox/database/paging.ts';
import { cardId, startSandbox, type TestSandbox } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const page = z
	.object({
		data: z.array(z.object({ id: z.string(), name: z.string(), createdAt: z.string() }).loose()),
		totalItemCount: z.number(),
		totalPages: z.number(),
		totalItemCountCapped: z.boolean(),
	})
	.loose();

const list = async (sandbox: TestSandbox, query = '') =>
	page.parse((await sandbox.api('GET', `/cards${query}`)).body);

const ids = async (sandbox: TestSandbox, query: string) =>
	(await list(sandbox, query)).data.map(({ id }) => id);

const start = () => startSandbox({ now: () => NOW });

test('the envelope and an item have exactly the documented fields', async () => {
	const sandbox = await start();
	const { body } = await sandbox.api('GET', '/cards?pageSize=1');
	expect(body).toEqual({
		data: [
			{
				id: cardId(5),
				createdAt: '2026-03-10T12:00:00.000Z',
				lastFour: '6640',
				name: 'Conference tickets',
				status: 'active',
				type: 'single-use',
			},
		],
		page: 1,
		pageSize: 1,
		totalItemCount: 13,
		totalPages: 13,
		totalItemCountCapped: false,
	});
});

test('newest first, unless asc asks for the reverse; the pages together are the whole list', async () => {
	const sandbox = await start();
	const all = await list(sandbox);
	expect(all).toMatchObject({ page: 1, pageSize: 100, totalPages: 1 });
	const times = all.data.map(({ createdAt }) => createdAt);
	expect(times).toEqual([...times].sort().reverse());
	const newestFirst = all.data.map(({ id }) => id);
	expect(await ids(sandbox, '?sort=desc')).toEqual(newestFirst);
	expect(await ids(sandbox, '?sort=asc')).toEqual([...newestFirst].reverse());
	const pages = await Promise.all([1, 2, 3].map((n) => ids(sandbox, `?pageSize=5&page=${n}`)));
	expect(pages.flat()).toEqual(newestFirst);
	expect(await ids(sandbox, '?pageSize=5&page=4')).toEqual([]);
});

test.each([
	['name=ADVERTIS', [8, 13]],
	['name=%25', []],
	['status=frozen', [10, 6]],
	['status=archived&name=search', [13]],
	['createdAfter=2026-03-10T12:00:00Z', [5]],
	['createdAfter=2026-03-10T12:00:00.001Z', []],
	['createdAfter=2026-03-10T14:00:00%2B02:00', [5]],
	['createdBefore=2024-04-15T12:00:00.001Z', [7]],
	['createdBefore=2024-04-14T12:00:00Z', []],
])('%s finds cards %j', async (query, numbers) => {
	const sandbox = await start();
	expect(await ids(sandbox, `?${query}`)).toEqual(numbers.map(cardId));
});

test('an empty result still has one page', async () => {
	const sandbox = await startSandbox({ seed: 'none' });
	expect(await list(sandbox)).toMatchObject({ data: [], totalItemCount: 0, totalPages: 1 });
});

test('an account-scoped key lists the cards of its own account only', async () => {
	const sandbox = await start();
	await sandbox.makeKey(1002);
	expect((await ids(sandbox, '')).sort()).toEqual([8, 9, 10, 11, 12, 13].map(cardId));
});

test.each([
	[10_000, false],
	[10_001, true],
])('the total of %d items is a lower bound: %j', (count, totalItemCountCapped) => {
	const numbers = JSON.stringify([...Array(count).keys()]);
	const list = {
		schema: z.object({ value: z.number() }),
		from: `json_each('${numbers}')`,
		filters: [],
		orderBy: ['value'],
	};
	const request = { sort: 'asc', page: 101, pageSize: 100 } as const;
	const expected = { totalItemCount: 10_000, totalPages: 100, totalItemCountCapped };
	expect(listPage(openDatabase(':memory:'), list, request)).toMatchObject(expected);
});
