import type { INodeParameters } from 'n8n-workflow';

import { execute, expectRefused, send, useFakeClock } from '../support/execute';
import { fakeApi, listOf, type Respond } from '../support/fakeApi';
import { byId, CARD, parametersOf } from '../support/operations';
import { items } from '../support/pages';

// What Get Many of several resources share. test/lists has the pages.

useFakeClock();

const LISTS = ['card', 'transaction', 'settlement'];
const getAll = (resource: string, more: INodeParameters = {}) =>
	parametersOf(`${resource}/getAll`, more);
const filtered = (resource: string, filters: INodeParameters) =>
	getAll(resource, { limit: 5, filters });

/** The option with query parameters of the user's own. */
const custom = (...pairs: [name: string, value: string][]) => ({
	customQuery: { pairs: pairs.map(([name, value]) => ({ name, value })) },
});

describe.each(LISTS)('%s', (resource) => {
	const path = `/${resource}s`;

	test('nothing, unless more is asked for', async () => {
		const { sent } = await send(getAll(resource, { limit: 7 }), []);
		expect(sent).toEqual([{ method: 'GET', path, query: {} }]);
	});

	test('custom query parameters are sent as they are, and override others', async () => {
		const options = custom(['include', 'x'], ['pageSize', '20']);
		const { sent } = await send(getAll(resource, { limit: 7, options }), []);
		expect(sent[0]?.query).toEqual({ pageSize: '20', include: 'x' });
	});

	test.each<[string, object]>([
		['an array', [{ id: 'a' }]],
		['{data}', { data: [{ id: 'a' }] }],
		['an envelope', { data: [{ id: 'a' }], page: 1 }],
		['data beside a code', { data: [{ id: 'a' }], code: 'ok' }],
	])('%s is a list', async (_name, body) => {
		expect((await send(getAll(resource, { returnAll: true }), body)).json).toEqual([{ id: 'a' }]);
	});
});

test.each<[INodeParameters, number]>([
	[{}, 50],
	[{ limit: '={{ "8" }}' }, 8],
	[{ limit: 1 }, 1],
	[{ limit: 101 }, 101],
	[{ returnAll: true, limit: 3 }, 230],
	[{ returnAll: '={{ "true" }}', limit: 3 }, 230],
	[{ returnAll: false, limit: 3 }, 3],
])(
	'with %j, %d of 230 records; only beyond the first page, page and page size are sent',
	async (more, count) => {
		const all = items(230);
		const { sent, json } = await send(getAll('card', more), listOf(all));
		expect(json).toEqual(all.slice(0, count));
		const [first, ...later] = sent.map(({ query }) => query);
		expect(first).toEqual({});
		expect(later).toHaveLength(count === 230 ? 3 : Math.ceil(count / 100) - 1);
		for (const query of later)
			expect(query).toEqual({ page: expect.stringMatching(/^[123]$/), pageSize: '100' });
	},
);

test.each([0, 1.5, 'many'])('a limit of %j is refused', async (limit) => {
	const written = JSON.stringify(limit);
	const message = `Limit is not valid: ${written}`;
	await expectRefused(getAll('card', { limit: `={{ ${written} }}` }), message);
});

test('every filter and option of cards, under the names set in the credential; the name is not sent', async () => {
	const names = {
		status: 'state',
		sort: 'order',
		createdAfter: 'since',
		createdBefore: 'until',
	};
	const filters = {
		name: ' Team travel ',
		status: 'frozen',
		createdAfter: '2026-01-01T00:00:00',
		createdBefore: '={{ new Date("2026-02-01T00:00:00Z") }}',
	};
	const { sent } = await send(
		getAll('card', { limit: 5, filters, sort: { createdAt: 'asc' } }),
		[],
		{ credential: { parameterNames: JSON.stringify(names) } },
	);
	expect(sent[0]?.query).toEqual({
		state: 'frozen',
		order: 'asc',
		// In the time zone of the workflow, and a second more at each end.
		since: '2025-12-31T22:59:59.000Z',
		until: '2026-02-01T00:00:01.000Z',
	});
});

test('a filter that is a DateTime of an expression', async () => {
	const createdAfter = '={{ DateTime.fromISO("2026-01-01T00:00:00Z") }}';
	const { sent } = await send(filtered('card', { createdAfter }), []);
	expect(sent[0]?.query).toMatchObject({ createdAfter: '2025-12-31T23:59:59.000Z' });
});

// It is 21 November, 12:00 UTC; the workflow is in Berlin. dates.test.ts has the other periods.
test.each(['transaction', 'settlement'])(
	'a period of %ss is named once, in a hint',
	async (resource) => {
		const filters = { period: '={{ $json.period ?? "lastMonth" }}' };
		const today = { period: 'today' };
		const ofToday = await send(filtered(resource, filters), [], { items: [today] });
		expect(ofToday.hints).toMatchObject([{ message: expect.stringMatching(/ is 2026-11-21 in /) }]);
		const { sent, hints } = await send(filtered(resource, filters), [], { items: [{}, {}, today] });
		const query = {
			createdAfter: '2026-09-30T21:59:59.000Z',
			createdBefore: '2026-10-31T23:00:01.000Z',
		};
		expect(sent).toHaveLength(3);
		expect(sent.slice(0, 2)).toMatchObject([{ query }, { query }]);
		const message =
			'The period of item 0 is 2026-10-01 to 2026-10-31 in the time zone Europe/Berlin. To change the time zone, open the settings of the workflow.';
		expect(hints).toEqual([{ message, type: 'info', location: 'outputPane' }]);
	},
);

test.each<[string, INodeParameters[string]]>([
	['from the list', { __rl: true, mode: 'list', value: CARD, cachedResultName: 'Travel' }],
	['by its ID', byId(` ${CARD.toUpperCase()} `)],
	['by an expression', byId(`={{ "${CARD}" }}`)],
	['by an expression for the whole field', `={{ "${CARD}" }}`],
	['as a string', CARD],
])('a card chosen %s filters', async (_name, cardId) => {
	for (const resource of ['transaction', 'settlement']) {
		const { sent } = await send(filtered(resource, { cardId }), []);
		expect(sent[0]?.query).toEqual({ cardId: CARD });
	}
});

const [time, day] = ['2026-02-01T00:00', '2026-02-01'];

test.each<[string, INodeParameters]>([
	['Name is not a string: [42]', { filters: { name: '={{ [42] }}' } }],
	['Name is not a string: 1152921504606847000', { filters: { name: '={{ 2 ** 60 }}' } }],
	['Created From is not a valid date: 17', { filters: { createdAfter: '={{ 17 }}' } }],
	[
		'Created From: 2026-01-31T23:00:00.000Z, 2026-01-31T23:00:00.000Z',
		{ filters: { createdAfter: time, createdBefore: time } },
	],
	['Period and Created From cannot', { filters: { createdAfter: day, period: 'today' } }],
	['Period has an invalid value: "century"', { filters: { period: '={{ "century" }}' } }],
	['Creation Time has an invalid value: [1]', { sort: { createdAt: '={{ [1] }}' } }],
	['Custom Query Parameters is not', { options: custom([' ', '1']) }],
	[
		'Custom Query Parameters has the name "tag" twice',
		{ options: custom(['tag', 'a'], ['tag', 'b']) },
	],
	['Card is not a valid ID: "travel"', { resource: 'transaction', filters: { cardId: 'travel' } }],
])('%s: refused, not left out', async (message, more) => {
	await expectRefused(getAll('card', more), message);
});

test('without a page parameter one request is the whole list', async () => {
	const credential = { parameterNames: '{"page": " "}' };
	const all = getAll('card', { returnAll: true });
	const { sent, json } = await send(all, items(99), { credential });
	expect(sent).toEqual([{ method: 'GET', path: '/cards', query: { pageSize: '100' } }]);
	expect(json).toEqual(items(99));
	const { error } = await send(all, items(100), { credential });
	expect(error?.message).toMatch('a full page of 100 records, so there may be more');
});

test('nulls and a page size of 0 in an envelope say nothing', async () => {
	const empty = { page: null, pageSize: 0, totalPages: null, totalItemCountCapped: null };
	const api = fakeApi(({ query }) => ({
		body: { data: (query.page ?? '1') === '1' ? [{ id: 'a' }] : [], ...empty },
	}));
	const { json } = await execute(api, getAll('card', { returnAll: true }));
	expect(json).toEqual([{ id: 'a' }]);
});

describe('the hint that a list was cut at its Limit', () => {
	const record = { cardId: CARD, currency: 'USD', createdAt: '2026-11-21T10:00:00Z' };
	const rows = (count: number) =>
		Array.from({ length: count }, (_, id) => ({ ...record, dueDate: '2026-01-31', id: `${id}` }));
	const list = (resource: string, more = {}) => getAll(resource, { limit: 2, ...more });
	const ofAll = { cardScope: 'all', filters: { createdAfter: '2026-11-01' } };
	const days = { period: 'custom', from: '2026-01-01', to: '2027-06-30' };

	test.each<[string, INodeParameters, unknown, boolean]>([
		['as many as the limit', list('card'), rows(2), true],
		['more', list('card'), rows(3), true],
		['fewer', list('card'), rows(1), false],
		['Return All', list('card', { returnAll: true }), rows(2), false],
		['a filter', list('transaction', { filters: { currencies: 'USD' } }), rows(5), true],
		['events of a card', list('cardEvent'), rows(3), true],
		['events of all cards', list('cardEvent', ofAll), rows(2), true],
		['payments', list('payment', days), rows(3), true],
		['fewer payments', list('payment', days), rows(1), false],
	])('%s', async (_name, parameters, body, mayBeMore) => {
		const { error, hints } = await send(parameters, body, { items: [{}, {}] });
		expect(error).toBeUndefined();
		const message = expect.stringMatching(/^Limit was reached, so there may be more\./);
		expect(hints).toEqual(mayBeMore ? [{ message, type: 'info', location: 'outputPane' }] : []);
	});

	test.each<[unknown, number]>([
		[2, 0],
		['={{ 2 }}', 1],
	])('for one item, n8n says it itself if the limit is fixed: %s', async (limit, count) => {
		const { hints } = await send(list('card', { limit }), rows(2));
		expect(hints).toHaveLength(count);
	});
});

describe.each(['payment', 'cardEvent'])('%s: a list that may not be paged', (resource) => {
	test('custom query parameters are sent', async () => {
		const { sent } = await send(getAll(resource, { options: custom(['include', 'x']) }), []);
		expect(sent).toMatchObject([{ query: { include: 'x' } }]);
	});

	/** How many items there are, and how many requests were sent; `others` is what the last page does not say. */
	async function read(count: number, more: object, others: object = {}, size = 100) {
		const respond: Respond = ({ query }) => {
			const page = Number(query.page ?? 1);
			const data = items(count).slice((page - 1) * size, page * size);
			return { body: { data, page, ...more, ...(page * size < count && others) } };
		};
		const { json, sent, error } = await send(getAll(resource, { returnAll: true }), respond);
		expect(error).toBeUndefined();
		return [new Set(json.map(({ id }) => id)).size, sent.length];
	}

	test.each<[number, object]>([
		[1, { pageSize: 100, totalItemCount: 1 }],
		[100, { pageSize: 100, totalItemCount: 100 }],
		[60, { page: undefined, has_more: false, next: null }],
		// A cursor may also be there at the end.
		[60, { page: undefined, has_more: false, next_cursor: 'x' }],
		[60, { page: undefined, hasMore: false, cursor: 'x' }],
		[60, { page: undefined, pageInfo: { hasNextPage: false, endCursor: 'x' } }],
		// Words of other things.
		[67, { page: undefined, rateLimit: { remaining: 599 } }],
		[67, { page: undefined, remainingCredit: '5000.00', nextPaymentDate: '2026-02-01' }],
		[67, { page: undefined, links: { learnMore: 'https://example.com' } }],
		[67, { page: undefined, total: '3000.00' }],
		[67, { page: undefined, total: '3000', count: 99.5 }],
		[100, { page: undefined, meta: { requestId: 'x', from: '2026-01-01' }, included: [] }],
		[67, { page: undefined, limit: 200, offset: 0 }],
	])('%d items with %j: one request', async (count, more) => {
		expect(await read(count, more)).toEqual([count, 1]);
	});

	test.each<[number, object]>([
		[100, {}],
		[60, { pageSize: 100 }],
		[60, { pageSize: 100, totalPages: 1 }],
		[60, { pageSize: 100, totalPages: 1, totalItemCountCapped: true }],
		[0, { totalPages: 1, totalItemCountCapped: true }],
	])(
		'%d items with %j, which is no exact total: the list is read to its end',
		async (count, more) => {
			const [found, requests] = await read(count, more);
			expect(found).toBe(count);
			expect(requests).toBeGreaterThan(1);
		},
	);

	test.each<[object]>([
		[{ pageSize: 100, totalPages: 3, totalItemCount: 250 }],
		[{ totalPages: 3 }],
		[{ pageSize: 100, totalItemCount: 250 }],
		[{ pageSize: 100 }],
		[{ page: undefined, meta: { total: 250 } }],
		[{ page: undefined, meta: { total: '250' } }],
		[{ pageSize: 100, totalItemCount: 100, totalPages: 1, totalItemCountCapped: true }],
		[{ pageSize: 100, totalItemCount: 100, totalPages: 3 }],
		[{ totalItemCount: 100, totalItemCountCapped: true }],
	])('%j: every page is read', async (more) => {
		expect((await read(250, more))[0]).toBe(250);
	});

	test.each<[object, number?]>([
		[{ nextCursor: 'x' }],
		[{ next_page_token: 'x' }],
		[{ '@odata.nextLink': '/x' }],
		[{ pageInfo: { hasNextPage: true, endCursor: 'x' } }],
		[{ has_more: true }],
		[{ hasMore: true }],
		[{ meta: { links: { next: '/x' } } }],
		[{ truncated: true }],
		[{ isLast: false }],
		[{ more: true }],
		// Not known words, and as many records as a page may have.
		[{ remaining: 150 }, 100],
		[{ pagination: { pages: 3 } }, 100],
		[{ last_page: 3 }, 100],
		[{ lastEvaluatedKey: { id: 'x' } }, 100],
		[{ limit: 100, offset: 0 }, 100],
	])('%j on pages with others after them: every page is read', async (others, size = 67) => {
		expect((await read(250, { page: undefined }, others, size))[0]).toBe(250);
	});
});
