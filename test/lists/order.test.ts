import type { INodeParameters } from 'n8n-workflow';

import { send, useFakeClock } from '../support/execute';
import { listOf } from '../support/fakeApi';
import { parametersOf } from '../support/operations';

// Sort: the order of the output is the one that was chosen, or an error says what to set.

useFakeClock();

const records = (count: number, step: number) =>
	Array.from({ length: count }, (_, index) => ({
		id: String(index),
		createdAt: new Date(Date.UTC(2026, 0, 1) + step * index).toISOString(),
	}));
const oldestFirst = records(250, 1);
const newestFirst = records(250, -1);

const sorted = (createdAt: string, more: INodeParameters = { returnAll: true }) =>
	parametersOf('transaction/getAll', { sort: { createdAt }, ...more });

const idsOf = (rows: { id?: unknown }[]) => rows.map(({ id }) => id);

const NOT_SORTED = {
	message: expect.stringMatching(/^The API ignored the sort order/),
	description: expect.stringContaining('Parameter Names'),
};

test.each([
	['desc', oldestFirst],
	['asc', newestFirst],
])('with Return All, the node sorts itself: %s', async (direction, all) => {
	const { json, sent } = await send(sorted(direction), listOf(all));
	expect(idsOf(json)).toEqual(idsOf([...all].reverse()));
	expect(sent[0]?.query.sort).toBe(direction);
});

test.each([1, 2, 100, 150, 249])('with a Limit of %d, another order is an error', async (limit) => {
	const first = await send(sorted('desc', { limit }), listOf(newestFirst));
	expect(idsOf(first.json)).toEqual(idsOf(newestFirst.slice(0, limit)));
	const { error, json } = await send(sorted('desc', { limit }), listOf(oldestFirst));
	expect(error).toMatchObject(NOT_SORTED);
	expect(json).toEqual([]);
});

test('with a Limit of 1, a first record that is newer than the second by chance is not enough', async () => {
	const mixed = [5, 7, 0, 1].flatMap((index) => newestFirst[index] ?? []);
	const { error, json } = await send(sorted('desc', { limit: 1 }), listOf(mixed));
	expect(error).toMatchObject(NOT_SORTED);
	expect(json).toEqual([]);
});

test('what the filters leave out shows the order, too', async () => {
	const all = oldestFirst.map((each, index) => ({
		...each,
		currency: index % 90 === 0 ? 'EUR' : '',
	}));
	const filters = { currencies: 'EUR' };
	const { error } = await send(sorted('desc', { limit: 1, filters }), listOf(all));
	expect(error).toMatchObject(NOT_SORTED);
});

test('a record without a time does not hide that the others are in another order', async () => {
	const all = [
		{ id: 'b', createdAt: '2026-01-02' },
		{ id: 'c' },
		{ id: 'a', createdAt: '2026-01-01' },
	];
	const { error } = await send(sorted('asc', { limit: 3 }), listOf(all));
	expect(error).toMatchObject(NOT_SORTED);
});

test('a list that is shorter than the Limit is sorted by the node', async () => {
	const { json } = await send(sorted('desc', { limit: 300 }), listOf(oldestFirst));
	expect(idsOf(json)).toEqual(idsOf([...oldestFirst].reverse()));
});

test('records of one time keep the order of the API, and those without a time come last', async () => {
	const time = (id: string, createdAt?: unknown) => ({ id, createdAt });
	const all = [
		time('none'),
		time('b', '2026-01-02'),
		time('c', '2026-01-02'),
		time('a', '2026-01-01'),
	];
	expect(idsOf((await send(sorted('asc'), listOf(all))).json)).toEqual(['a', 'b', 'c', 'none']);
	// They are in order: nothing is moved.
	expect(idsOf((await send(sorted('desc'), listOf(all))).json)).toEqual(idsOf(all));
});

test('without any readable time, the order is that of the API, and a hint says so', async () => {
	const all = [{ id: 'b' }, { id: 'a' }];
	const settlements = parametersOf('settlement/getAll', { sort: { createdAt: 'asc' }, limit: 2 });
	const { json, hints } = await send(settlements, listOf(all));
	expect(idsOf(json)).toEqual(['b', 'a']);
	const message = expect.stringContaining('Could not verify the order');
	expect(hints).toContainEqual(expect.objectContaining({ message }));
	expect((await send(settlements, listOf([{ id: 'b' }]))).hints).toEqual([]);
});

test('Parameter Names may have no name for sort: then the node sorts, or cannot tell the first ones', async () => {
	const credential = { parameterNames: '{"sort": ""}' };
	const all = await send(sorted('desc'), listOf(oldestFirst), { credential });
	expect(idsOf(all.json)).toEqual(idsOf([...oldestFirst].reverse()));
	expect(all.sent[0]?.query).not.toHaveProperty('sort');
	const some = await send(sorted('desc', { limit: 2 }), listOf(oldestFirst), { credential });
	expect(some.error).toMatchObject(NOT_SORTED);
});
