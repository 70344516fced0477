import type { INodeParameters } from 'n8n-workflow';

import { execute, send, useFakeClock } from '../support/execute';
import { fakeApi, listOf, type Respond } from '../support/fakeApi';

useFakeClock();

const CARD_A = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const CARD_B = '5a1c6a52-3b0e-4d69-9c58-2f6d0d1f7a11';

/** Runs Get Many, and gives its hints, too. */
async function run(respond: Respond, parameters: INodeParameters, parameterNames = '{}') {
	const credential = { keyScope: 'account', advanced: true, parameterNames };
	const all = { operation: 'getAll', returnAll: true, ...parameters };
	const { hints, ...result } = await send(all, respond, { credential });
	return { ...result, hints: hints.map(({ message }) => message) };
}

const at = (time: string, more: object = {}) => ({ id: time, createdAt: time, ...more });
const idsOf = (json: { id?: unknown }[]) => json.map(({ id }) => id);

describe('an API that ignores filters', () => {
	const cards = Array.from({ length: 250 }, (_, index) => ({
		id: `card-${index}`,
		name: index % 2 === 0 ? `Travel ${index}` : `Office ${index}`,
		status: index % 10 === 3 ? 'frozen' : 'active',
		createdAt: '2026-11-20T10:00:00Z',
	}));
	const transactions = [
		at('2026-11-20T10:00:00Z', { cardId: CARD_A, status: 'settled' }),
		at('2026-11-19T10:00:00Z', { cardId: CARD_B, status: 'settled' }),
		at('2026-10-20T10:00:00Z', { cardId: CARD_A, status: 'pending' }),
		at('2025-10-20T10:00:00Z', { cardId: CARD_A, status: 'settled' }),
	];
	const settlements = transactions.map((each) => ({ settled: true, ...each }));
	const days = ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'];
	const payments = days.map((dueDate) => ({
		id: dueDate,
		dueDate: dueDate === '2026-11-30' ? `${dueDate}T09:00:00Z` : dueDate,
	}));
	const all: Record<string, object[]> = {
		...{ card: cards, transaction: transactions, settlement: settlements, payment: payments },
	};
	const cardId = { __rl: true, mode: 'id', value: CARD_A.toUpperCase() };
	const frozen = cards.filter(({ status }) => status === 'frozen').map(({ id }) => id);
	const [newest, october] = [['2026-11-20T10:00:00Z'], ['2026-10-20T10:00:00Z']];
	const both = 'createdAfter and createdBefore';
	const ignores = (label: string, names = '.*') =>
		new RegExp(`^The API ignores the filter ${label}: .* ${names} .* Parameter Names`);

	const thisMonth = /^The period is 2026-11-01 to 2026-11-30/;
	const november = ['2026-11-01', '2026-11-30'];
	const december = ['2026-12-01'];

	test.each<[string, INodeParameters, string[], RegExp]>([
		['card', { filters: { status: 'frozen' } }, frozen, ignores('Status', 'status')],
		[
			'transaction',
			{ filters: { cardId, period: 'thisMonth' } },
			newest,
			ignores('Card', 'cardId'),
		],
		['settlement', { filters: { period: 'lastMonth' } }, october, ignores('Period', both)],
		['transaction', { filters: { createdAfter: '2026-11-20' } }, newest, ignores('Created From')],
		['settlement', { filters: { createdBefore: '2025-10-19' } }, [], ignores('Created Until')],
		['payment', { period: 'thisMonth' }, november, thisMonth],
		[
			'payment',
			{ period: 'nextMonth' },
			december,
			/^The API .* Period: .* left out the records that do not match\.$/,
		],
	])('%s, %j: what does not match is left out, and a hint says so', async (...each) => {
		const [resource, parameters, ids, hint] = each;
		const { json, hints } = await run(listOf(all[resource] ?? []), { resource, ...parameters });
		expect(idsOf(json)).toEqual(ids);
		expect(hints).toEqual(expect.arrayContaining([expect.stringMatching(hint)]));
	});

	test('Limit counts what matches', async () => {
		const limited = { returnAll: false, limit: 12, filters: { status: 'frozen' } };
		const { json, hints, requests } = await run(listOf(cards), { resource: 'card', ...limited });
		expect(requests.map(({ query }) => query.page)).toEqual([undefined, '2']);
		expect(idsOf(json)).toEqual(Array.from({ length: 12 }, (_, index) => `card-${10 * index + 3}`));
		expect(hints).toHaveLength(1);
	});
});

test('names are compared by the node alone: the API may compare whole names, or by case', async () => {
	const cards = ['Team travel', 'TRAVEL', 'Trave\u0301l'].map((name) => ({ id: name, name }));
	const respond: Respond = ({ query }) => listOf('name' in query ? [] : cards)({ query });
	const { json, hints } = await run(respond, { resource: 'card', filters: { name: 'Travel' } });
	expect(idsOf(json)).toEqual(['Team travel', 'TRAVEL']);
	expect(hints).toEqual([]);
});

describe('values that cannot be read', () => {
	const amounts = ['600.00', '1,234.50', '-1234.50', '.5', '700', '', null, '5.00'];
	const records = amounts.map((amount, index) =>
		at('2026-11-20T10:00:00Z', { id: `${index}`, amount }),
	);
	const left = 'This node left out records whose amount it could not read: 2.';

	test.each<[string, INodeParameters, string[]]>([
		['transaction', { minimumAmount: '500' }, ['0', '2', '4']],
		['transaction', { maximumAmount: '650', minimumAmount: '1' }, ['0', '7']],
		['cardEvent', { minimumAmount: '500' }, ['0', '2', '4']],
		['cardEvent', { minimumAmount: '500', period: 'thisMonth' }, ['0', '2', '4']],
	])('%s: a hint says how many amounts: %j', async (resource, filters, ids) => {
		const cardScope = filters.period === undefined ? 'one' : 'all';
		const ofAll = [{ ...records[0], cardId: CARD_A }];
		const respond: Respond = ({ path, query: { page = '1' } }) => {
			const rows = path === '/transactions' && cardScope === 'all' ? ofAll : records;
			return { body: page > '1' ? [] : rows };
		};
		const card = { __rl: true, mode: 'id', value: CARD_A };
		const parameters = { resource, filters, cardScope, cardId: card, simplify: false };
		const { json, hints } = await run(respond, parameters);
		expect(idsOf(json)).toEqual(ids);
		expect(hints).toContain(left);
	});
});

describe('the ends of a range', () => {
	test.each([true, false])(
		'of time are cut exactly, though more is asked for; the API includes them: %s',
		async (isIncluded) => {
			const filters = { createdAfter: '2026-10-01T00:00Z', createdBefore: '2026-11-01T00:00Z' };
			const all = Object.values(filters).flatMap((end) =>
				[-1_000, -1, 0, 1, 1_000].map((ms) => at(new Date(Date.parse(end) + ms).toISOString())),
			);
			const respond: Respond = ({ query: { createdAfter = '', createdBefore = '' } }) => {
				const isIn = ({ createdAt }: { createdAt: string }) =>
					isIncluded
						? createdAt >= createdAfter && createdAt <= createdBefore
						: createdAt > createdAfter && createdAt < createdBefore;
				return listOf(all.filter(isIn))({ query: {} });
			};
			const { json, hints } = await run(respond, { resource: 'transaction', filters });
			expect(json).toEqual(all.slice(2, 7));
			// What was asked for at the ends is no sign that the API ignores the filter.
			expect(hints).toEqual([]);
		},
	);

	test.each([true, false])(
		'payments of a month have its last day; ends included: %s',
		async (isIncluded) => {
			const days = ['2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01'];
			const respond: Respond = ({ query: { from = '', to = '' } }) => {
				const isIn = (day: string) =>
					isIncluded ? day >= from && day <= to : day > from && day < to;
				return { body: days.filter(isIn).map((dueDate) => ({ id: dueDate, dueDate })) };
			};
			const { json, hints } = await run(respond, { resource: 'payment', period: 'lastMonth' });
			expect(idsOf(json)).toEqual(['2026-10-01', '2026-10-31']);
			expect(hints).toHaveLength(1);
		},
	);
});

describe('records without the field', () => {
	test.each([
		[150, { returnAll: true }],
		[150, { returnAll: false, limit: 10 }],
		[90, { returnAll: false, limit: 10 }],
	])('do not pass, also if they come first: %d, %j', async (count, limit) => {
		const records = [
			...Array.from({ length: count }, (_, index) => ({ id: `none-${index}` })),
			{ id: 'a', status: 'frozen' },
			{ id: 'b', status: 'active' },
			{ id: 'c', status: null },
		];
		const filters = { status: 'frozen' };
		const { json } = await run(listOf(records), { resource: 'card', filters, ...limit });
		expect(idsOf(json)).toEqual(['a']);
	});

	test('where no record has it, the filter of the API is trusted, and a hint says so', async () => {
		const records = [{ id: 'x' }, { id: 'y' }];
		const cardId = { __rl: true, mode: 'id', value: CARD_A };
		const parameters = { resource: 'settlement', filters: { cardId } };
		const { json, hints, requests } = await run(listOf(records), parameters);
		expect(idsOf(json)).toEqual(['x', 'y']);
		expect(hints).toEqual([expect.stringContaining('no record has cardId')]);
		expect(requests[0]?.query).toMatchObject({ cardId: CARD_A });
	});

	test.each(['settlement', 'card'])(
		'a time in another format does not pass: %s',
		async (resource) => {
			const records = [{ id: 'x', createdAt: '20.11.2026, 10 h' }];
			const filters = { createdAfter: '2026-11-01' };
			const { json, hints } = await run(listOf(records), { resource, filters });
			expect(json).toEqual([]);
			expect(hints).toEqual(['This node left out records whose createdAt it could not read: 1.']);
		},
	);

	test('do not pass if the API was not asked, as Parameter Names has no name for the filter', async () => {
		const records = [{ id: 'x' }, { id: 'y', status: null }];
		const parameters = { resource: 'card', filters: { status: 'frozen' } };
		const { json, hints, requests } = await run(listOf(records), parameters, '{"status": ""}');
		expect([json, hints]).toEqual([[], []]);
		expect(requests[0]?.query).not.toHaveProperty('status');
	});
});

test('a limit is reached by records that were checked only: a later page may have the field', async () => {
	const page = (from: number, more: object) =>
		Array.from({ length: 100 }, (_, index) => ({ id: String(from + index), ...more }));
	const pages = [page(0, {}), page(100, { name: 'Office' }), [{ id: 'x', name: 'Cafe\u0301' }], []];
	const api = fakeApi(({ query }) => ({ body: pages[Number(query.page ?? 1) - 1] }));
	const parameters = { resource: 'card', operation: 'getAll', limit: 50 };
	const { json } = await execute(api, { ...parameters, filters: { name: 'caf\u00e9' } });
	expect(idsOf(json)).toEqual(['x']);
});
