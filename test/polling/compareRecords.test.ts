import type { Change, Records, WatchState } from '../../nodes/CardPlatform/polling/compareRecords';
import { compareRecords, watchRecords } from '../../nodes/CardPlatform/polling/compareRecords';
import type { PollApi, PollCircumstances } from '../../nodes/CardPlatform/polling/types';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;

const rowOf = (id: string, status: string, daysAgo = 0) => ({
	id,
	status,
	createdAt: new Date(NOW - daysAgo * DAY).toISOString(),
});

type Row = Omit<ReturnType<typeof rowOf>, 'status'> & { status?: string };

/** A trigger whose state goes through JSON each time, as in n8n. */
function createTrigger({ rememberedDays }: { rememberedDays?: number } = {}) {
	let listed: Row[] = [];
	let stored: WatchState | undefined;
	const circumstances: PollCircumstances = {
		nodeId: 'n',
		baseUrl: 'x',
		replaysNewest: false,
		deadline: Infinity,
		maxItems: Infinity,
		now: () => NOW,
	};
	const records: Records = {
		noun: 'cards',
		...(rememberedDays !== undefined && { rememberedDays }),
		list: async (_, from) => listed.filter(({ createdAt }) => !(Date.parse(createdAt) < from)),
		isChosen: ({ state }: Change) => state === 'frozen',
		describe: () => ({}),
	};
	const poll = async (...rows: Row[]) => {
		listed = rows;
		const { state, changes } = await compareRecords(records, {} as PollApi, stored, circumstances);
		stored = JSON.parse(JSON.stringify(state)) as WatchState;
		return changes;
	};
	const restore = (state?: WatchState) => (stored = state);
	return { circumstances, records, poll, restore, stored: () => stored };
}

test('a record without a status', async () => {
	const { poll } = createTrigger();
	await poll({ ...rowOf('a', ''), status: undefined });
	expect(await poll(rowOf('a', 'frozen'))).toMatchObject([{ id: 'a', before: '' }]);
});

test('a record that is listed without its status keeps the last one', async () => {
	const { poll } = createTrigger();
	await poll(rowOf('a', 'frozen'), rowOf('b', 'active'));
	for (const status of [undefined, '', ' '])
		expect(await poll({ ...rowOf('a', ''), status }, rowOf('b', 'active'))).toEqual([]);
	expect(await poll(rowOf('a', 'frozen'), rowOf('b', 'active'))).toEqual([]);
	expect(await poll(rowOf('a', 'frozen'), rowOf('b', 'frozen'))).toMatchObject([{ id: 'b' }]);
});

test('what all cards have become while they were listed without a status is not known', async () => {
	const { poll } = createTrigger();
	await poll({ ...rowOf('a', '', 5), status: undefined }, { ...rowOf('b', ''), status: undefined });
	// The second one is as old as the watch.
	expect(await poll(rowOf('a', 'frozen', 5), rowOf('b', 'frozen'))).toMatchObject([{ id: 'b' }]);
	expect(await poll(rowOf('a', 'active', 5), rowOf('b', 'active'))).toEqual([]);
	expect(await poll(rowOf('a', 'frozen', 5), rowOf('b', 'active'))).toMatchObject([{ id: 'a' }]);
});

test('a record without a time comes last, and the others in their order', async () => {
	const { poll } = createTrigger();
	const rows = [1, 9, 0, 5, 0, 7, 3, 0, 8, 2, 6, 4].map((day, index) => {
		const row = rowOf(`${day}-${index}`, 'active', day);
		return day === 0 ? { ...row, createdAt: 'unknown' } : row;
	});
	await poll(...rows);
	const found = await poll(...rows.map((row) => ({ ...row, status: 'frozen' })));
	const days = found.map(({ id }) => Number(id.split('-')[0]));
	expect(days).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
});

test('changes beyond a number are left to the next polls, also over a restart and a new day', async () => {
	const { poll, circumstances } = createTrigger({ rememberedDays: 30 });
	circumstances.maxItems = 100;
	const rows = Array.from({ length: 250 }, (_, n) => rowOf(`${n}`, 'active', 30 - n / 10));
	await poll(...rows);
	const frozen = rows.map((row) => ({ ...row, status: 'frozen' }));
	const first = await poll(...frozen);
	circumstances.now = () => NOW + 25 * DAY;
	const isNewer = rowOf('newer', 'frozen', -25);
	circumstances.replaysNewest = true;
	const again = await poll(...frozen, isNewer);
	expect(again.map(({ changeId }) => changeId)).toEqual(
		expect.arrayContaining(first.map(({ changeId }) => changeId)),
	);
	circumstances.replaysNewest = false;
	const last = await poll(...frozen, isNewer);
	const ids = [...again, ...last].map(({ id }) => id);
	expect([first.length, again.length, ids.length]).toEqual([100, 200, 251]);
	expect(new Set(ids).size).toBe(251);
	expect(await poll(...frozen, isNewer)).toEqual([]);
});

test.each(['__proto__', 'constructor'])('the status %s is one like any other', async (status) => {
	const { poll, stored } = createTrigger();
	await poll(rowOf('a', status), rowOf('b', 'active'));
	await poll(rowOf('a', status), rowOf('b', 'active'));
	expect(stored()?.records).toHaveLength(2);
	expect(await poll(rowOf('a', 'frozen'), rowOf('b', 'active'))).toMatchObject([
		{ before: status },
	]);
	expect(Object.keys(Object.prototype)).toEqual([]);
});

test('a record from the future does not end the window of the others', async () => {
	const { poll } = createTrigger({ rememberedDays: 30 });
	await poll(rowOf('a', 'active'));
	await poll(rowOf('a', 'active'), rowOf('b', 'active', -300));
	expect(await poll(rowOf('a', 'frozen'))).toMatchObject([{ id: 'a', before: 'active' }]);
});

test('what is older than the window is forgotten', async () => {
	const { poll, circumstances, stored } = createTrigger({ rememberedDays: 30 });
	await poll(rowOf('a', 'active'));
	circumstances.now = () => NOW + 40 * DAY;
	await poll(rowOf('b', 'active', -40));
	expect(stored()?.records).toHaveLength(1);
});

test('and is not new if an API lists it all the same', async () => {
	const { poll, records, circumstances } = createTrigger({ rememberedDays: 30 });
	await poll();
	const old = rowOf('a', 'frozen', -1);
	expect(await poll(old)).toMatchObject([{ id: 'a' }]);
	circumstances.now = () => NOW + 40 * DAY;
	records.list = async () => await Promise.resolve([old, rowOf('b', 'active', -40)]);
	for (let polls = 0; polls < 2; polls++) expect(await poll()).toEqual([]);
});

test('no change is taken for an earlier one, though n8n has gone back to an older state', async () => {
	const { poll, stored, restore, circumstances } = createTrigger();
	await poll(rowOf('a', 'active'));
	const before = stored();
	const earlier = await poll(rowOf('a', 'frozen'));
	restore(before);
	circumstances.replaysNewest = true;
	expect(await poll(rowOf('a', 'active'))).toEqual([]);
	circumstances.replaysNewest = false;
	const [later] = await poll(rowOf('a', 'frozen'));
	expect(later).toMatchObject({ id: 'a' });
	expect(later?.changeId).not.toBe(earlier[0]?.changeId);
});

test('a change that comes twice is two changes', async () => {
	const { poll } = createTrigger();
	await poll(rowOf('a', 'active'));
	const [first] = await poll(rowOf('a', 'frozen'));
	await poll(rowOf('a', 'active'));
	const [second] = await poll(rowOf('a', 'frozen'));
	expect(second?.changeId).not.toBe(first?.changeId);
});

test.each<[string, Row[], { rememberedDays?: number; maxItems?: number }, object]>([
	['nothing', [rowOf('a', 'frozen')], {}, { mustStore: false, endedEarly: undefined }],
	['a record that may return to its state', [rowOf('a', 'active')], {}, { mustStore: true }],
	['not one that cannot', [rowOf('a', 'active')], { rememberedDays: 30 }, { mustStore: false }],
	['nor a new one', [rowOf('a', 'frozen'), rowOf('b', 'active')], {}, { mustStore: false }],
	['more than a poll emits', [rowOf('b', 'frozen')], { maxItems: 0 }, { endedEarly: 'events' }],
])('what changed, and what n8n must store: %s', async (_name, rows, more, expected) => {
	const { poll, records, circumstances, stored } = createTrigger(more);
	await poll(rowOf('a', 'frozen'));
	const now = { ...records, list: async () => await Promise.resolve(rows) };
	const settings = { ...circumstances, ...more };
	expect(await compareRecords(now, {} as PollApi, stored(), settings)).toMatchObject(expected);
});

test('of two records with one ID, the newest counts', async () => {
	const { poll } = createTrigger();
	const old = rowOf('a', 'frozen', 5);
	await poll(rowOf('a', 'active'), old);
	expect(await poll(rowOf('a', 'active'), old)).toEqual([]);
	expect(await poll(rowOf('a', 'frozen'), old)).toMatchObject([{ before: 'active' }]);
});

test('another kind of records starts over', async () => {
	const { poll, records } = createTrigger();
	await poll(rowOf('a', 'active'));
	records.noun = 'payments';
	expect(await poll(rowOf('a', 'frozen'))).toEqual([]);
	expect(await poll(rowOf('a', 'frozen'), rowOf('b', 'frozen'))).toMatchObject([{ id: 'b' }]);
});

test('so does the state of card events', async () => {
	const { records, circumstances } = createTrigger();
	const state = { version: 2, cards: {} };
	const found = await compareRecords(records, {} as PollApi, state, circumstances);
	expect(found).toMatchObject({ opened: { startsOver: true }, changes: [] });
});

test('a hint says when a watch starts over, not when it starts', async () => {
	const { records, circumstances } = createTrigger();
	const hints: string[] = [];
	const api = { report: (hint: string) => hints.push(hint) } as unknown as PollApi;
	const { find } = watchRecords({ ...records, list: async () => await Promise.resolve([]) });
	const { state, mustStore } = await find(api, undefined, circumstances);
	expect([hints, mustStore]).toEqual([[], true]);
	await find(api, state, { ...circumstances, nodeId: 'm' });
	expect(hints).toEqual([
		expect.stringMatching(/^Watching cards since 2027-.*Z\. Nothing from before/),
	]);
	hints.pop();
	const { failures } = await find(api, { ...state, version: 0 }, circumstances);
	expect(failures).toMatchObject([{ message: expect.stringMatching(/^The trigger starts over/) }]);
	expect(hints).toHaveLength(1);
	const newer = find(api, { ...state, version: 2 }, circumstances);
	await expect(newer).rejects.toThrow('A newer version of this node');
});

describe('a key for another account', () => {
	test('is noticed by a record that an earlier list would have had', async () => {
		const { poll } = createTrigger();
		await poll(rowOf('a', 'frozen', 2), rowOf('b', 'active', 10));
		await expect(poll(rowOf('other', 'frozen', 5))).rejects.toThrow('shows none of the cards');
		expect(await poll(rowOf('a', 'frozen', 2), rowOf('b', 'frozen', 10))).toMatchObject([
			{ id: 'b', before: 'active' },
		]);
	});

	test('is not what a list is in which all known records are replaced by new ones', async () => {
		for (const ago of [2, 0]) {
			const { poll } = createTrigger();
			await poll(rowOf('a', 'active', ago));
			expect(await poll(rowOf('b', 'frozen'))).toMatchObject([{ id: 'b', before: undefined }]);
		}
	});

	test('starts nothing by what was there before, even if nothing was known', async () => {
		const { poll } = createTrigger();
		await poll();
		const others = [rowOf('old', 'frozen', 5), rowOf('older', 'active', 50)];
		expect(await poll(...others, rowOf('new', 'frozen'))).toMatchObject([{ id: 'new' }]);
		expect(await poll(...others, rowOf('older', 'frozen', 50))).toMatchObject([{ id: 'older' }]);
	});
});

test.each([1_000, 10_000, 100_000])('the state of %i records', async (count) => {
	const { poll, stored } = createTrigger({ rememberedDays: 30 });
	const statuses = ['pending', 'settled', 'settled', 'settled', 'declined', 'released'];
	const rows = Array.from({ length: count }, (_, number) =>
		rowOf(`id ${number}`, statuses[number % 6] ?? '', (number * 30) / count),
	);
	await poll(...rows);
	const { length } = JSON.stringify(stored());
	expect(length).toBeGreaterThan(8 * count);
	expect(length).toBeLessThan(8 * count + 3_000);
});
