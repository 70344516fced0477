import type { INodeParameters } from 'n8n-workflow';

import { CardPlatform } from '../../nodes/CardPlatform/CardPlatform.node';
import { execute, useFakeClock } from '../support/execute';
import { type ApiRequest, fakeApi, refusal, type Reply, type Respond } from '../support/fakeApi';

useFakeClock();

const ID = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const card = { __rl: true, mode: 'id', value: ` ${ID.toUpperCase()} ` };

/** Runs an operation against an API that gives one response, and shows what went on the wire. */
async function run(parameters: INodeParameters, body: Reply['body'], credential = {}, node = {}) {
	const api = fakeApi(() => ({ body }));
	const { json, error } = await execute(api, parameters, { credential, node });
	const sent = api.requests.map(({ method, path, query, body: written }) => ({
		method,
		path,
		query,
		...(written !== undefined && { body: written }),
	}));
	return { json, error, sent };
}

const event = {
	id: 'e1',
	transactionId: ID,
	cardId: ID,
	amount: '12.00',
	amountDirection: 'debit',
	currency: 'USD',
	isSuccess: true,
	isReversal: false,
	createdAt: '2026-11-21T10:00:00Z',
	merchantName: 'Bakery',
};
const balance = {
	availableCreditLimit: '5.00',
	overallCreditLimit: '9.00',
	last24HoursSpend: '1.00',
	last30DaysSpend: '4.00',
};
const details = { method: 'POST', url: 'https://x', bodyJson: { cardId: ID } };

test.each<[string, INodeParameters, string, unknown, unknown[]]>([
	['balance', { resource: 'balance', operation: 'get' }, 'GET /balance', balance, [balance]],
	[
		'a card',
		{ resource: 'card', operation: 'get', cardId: card },
		`GET /cards/${ID}`,
		{ id: ID },
		[{ id: ID }],
	],
	[
		'freeze',
		{ resource: 'card', operation: 'freeze', cardId: card },
		`POST /cards/${ID}/freeze`,
		undefined,
		[{ id: ID, status: 'frozen', success: true }],
	],
	[
		'unfreeze',
		{ resource: 'card', operation: 'unfreeze', cardId: card },
		`POST /cards/${ID}/unfreeze`,
		' \n',
		[{ id: ID, status: 'active', success: true }],
	],
	[
		'archive',
		{ resource: 'card', operation: 'archive', cardId: card },
		`POST /cards/${ID}/archive`,
		{},
		[{ id: ID, status: 'archived', success: true }],
	],
	[
		'sensitive details',
		{ resource: 'card', operation: 'getSensitiveDetails', cardId: card },
		`GET /cards/${ID}/sensitive-details`,
		{ method: 'x', details },
		[{ method: 'x', details }],
	],
	[
		'the connection',
		{ resource: 'connection', operation: 'check' },
		'GET /health',
		{ up: true },
		[{ success: true, response: { up: true } }],
	],
	[
		'the connection, if its response is a string',
		{ resource: 'connection', operation: 'check' },
		'GET /health',
		'OK',
		[{ success: true, response: 'OK' }],
	],
	[
		'the connection, if its response is empty',
		{ resource: 'connection', operation: 'check' },
		'GET /health',
		undefined,
		[{ success: true, response: '' }],
	],
	[
		'a transaction',
		{ resource: 'transaction', operation: 'get', transactionId: ID },
		`GET /transactions/${ID}`,
		{ id: ID },
		[{ id: ID }],
	],
	[
		'events of a card',
		{ resource: 'cardEvent', operation: 'getAll', cardId: card },
		`GET /cards/${ID}/financial-events`,
		[event],
		[event],
	],
])(
	'%s: one request, and its response as items',
	async (_name, parameters, request, body, items) => {
		const { json, sent, error } = await run(parameters, body);
		expect(error).toBeUndefined();
		expect(sent).toEqual([
			{ method: request.split(' ')[0], path: request.split(' ')[1], query: {} },
		]);
		expect(json).toEqual(items);
	},
);

test('the key and nothing else of the credential is sent, for a response in JSON, not compressed', async () => {
	const api = fakeApi(() => ({ body: { id: ID } }));
	await execute(api, { resource: 'card', operation: 'get', cardId: card });
	expect(api.requests.map(({ headers }) => headers)).toEqual([
		{
			Accept: 'application/json',
			'Accept-Encoding': 'identity',
			Authorization: 'Bearer secret-key-1234',
		},
	]);
});

test.each([
	['http://127.0.0.1:4010/v1', { protocol: 'http', host: '127.0.0.1', port: 4010 }],
	['http://localhost/v1', { protocol: 'http', host: 'localhost', port: 80 }],
	// This goes as n8n sends it.
	['https://127.0.0.1:4010/v1', undefined],
])('a request to %s has the API as its proxy if it is not encrypted', async (baseUrl, proxy) => {
	const api = fakeApi(() => ({ body: { id: ID } }), { baseUrl });
	const { error } = await execute(api, { resource: 'card', operation: 'get', cardId: card });
	expect(error).toBeUndefined();
	expect(api.requests.map((request) => request.proxy)).toEqual([proxy]);
});

test('a response whose empty body n8n leaves out', async () => {
	const api = fakeApi(() => ({ status: 204 }));
	const send = async () => await Promise.resolve({ statusCode: 204, headers: {}, body: undefined });
	const freeze = { resource: 'card', operation: 'freeze', cardId: card };
	const { json } = await execute({ ...api, send }, freeze);
	expect(json).toEqual([{ id: ID, status: 'frozen', success: true }]);
});

test('a rename', async () => {
	const account = { id: 1001, name: 'Ops' };
	const { json, sent } = await run(
		{ resource: 'account', operation: 'rename', accountId: ' 1001 ', name: ' Ops ' },
		account,
	);
	expect(sent).toEqual([
		{ method: 'PATCH', path: '/accounts/1001', query: {}, body: { name: 'Ops' } },
	]);
	expect(json).toEqual([account]);
});

test.each([
	['no account', { accountId: '' }, 'Account ID is empty'],
	['no name', { name: ' ' }, 'Name is empty'],
])('a rename with %s is refused before any request', async (_name, more, message) => {
	const rename = { resource: 'account', operation: 'rename', accountId: '1001', name: 'Ops' };
	const { error, sent } = await run({ ...rename, ...more }, undefined);
	expect(error?.message).toBe(message);
	expect(sent).toEqual([]);
});

test.each([
	['', 'Transaction ID is empty'],
	['travel', 'Transaction ID is not a valid ID: "travel"'],
])('a transaction %j is refused before any request', async (transactionId, message) => {
	const parameters = { resource: 'transaction', operation: 'get', transactionId };
	const { error, sent } = await run(parameters, undefined);
	expect(error?.message).toBe(message);
	expect(sent).toEqual([]);
});

describe('sensitive details', () => {
	const parameters = { resource: 'card', operation: 'getSensitiveDetails', cardId: card };

	test.each([false, undefined])(
		'are refused if the credential says %s',
		async (sensitiveDetails) => {
			const { error, sent } = await run(parameters, { method: 'x', details }, { sensitiveDetails });
			expect(error).toMatchObject({
				message: expect.stringMatching(/nothing was sent.*Allow Sensitive Details/),
				context: { itemIndex: 0 },
			});
			expect(sent).toEqual([]);
		},
	);

	test('are hidden by n8n', async () => {
		const { sensitiveOutputFields } = new CardPlatform().description;
		expect(sensitiveOutputFields).toEqual(['details']);
	});

	test('of another shape are refused', async () => {
		const { error } = await run(parameters, { method: 'x' });
		expect(error?.message).toContain(
			'instead of retrieval instructions (missing or invalid: details)',
		);
	});
});

describe('creating and updating a card', () => {
	const create = (more: INodeParameters = {}) => ({
		resource: 'card',
		operation: 'create',
		name: ' Travel ',
		type: 'single-use',
		...more,
	});
	const update = (updateFields: INodeParameters = {}) => ({
		resource: 'card',
		operation: 'update',
		cardId: card,
		updateFields,
	});
	const limit = (amount: string, type?: string): INodeParameters => ({
		value: { amount, ...(type !== undefined && { type }) },
	});

	test.each<[string, INodeParameters, object]>([
		['nothing more', {}, {}],
		[
			'categories',
			{ categories: ['airlines', 'lodging'] },
			{ categories: ['airlines', 'lodging'] },
		],
		[
			'a limit',
			{ limit: limit('500', ' monthly ') },
			{ limit: { amount: '500.00', type: 'monthly' } },
		],
		['custom fields', { customFields: { pairs: [{ name: 'memo', value: 'Q4' }] } }, { memo: 'Q4' }],
		[
			'custom fields that win',
			{ customFields: { pairs: [{ name: 'type', value: 'x' }] } },
			{ type: 'x' },
		],
	])('create with %s', async (_name, additionalFields, more) => {
		const { sent, json } = await run(create({ additionalFields }), undefined);
		expect(sent).toEqual([
			{
				method: 'POST',
				path: '/cards',
				query: {},
				body: { name: 'Travel', type: 'single-use', ...more },
			},
		]);
		expect(json).toEqual([{ success: true }]);
	});

	test('custom fields are any JSON, numbers with all their digits', async () => {
		const value = '{"vip":true,"seats":3,"tags":["a",null],"big":12345678901234567890}';
		const { sent } = await run(
			create({ additionalFields: { customFields: { json: [{ value }] } } }),
			undefined,
		);
		expect(sent[0]?.body).toMatchObject({
			vip: true,
			seats: 3,
			tags: ['a', null],
			big: '12345678901234567890',
		});
	});

	test('the response is the output', async () => {
		const made = { id: ID, name: 'Travel' };
		expect((await run(create(), made)).json).toEqual([made]);
		expect((await run(update({ name: 'x' }), made)).json).toEqual([made]);
	});

	test.each<[string, INodeParameters, object]>([
		['a name', { name: ' New ' }, { name: 'New' }],
		['categories', { categories: ['parking'] }, { categories: ['parking'] }],
		[
			'switches that are off',
			{ name: 'x', clearCategories: 'false', removeLimit: false },
			{ name: 'x' },
		],
		['no categories any more', { clearCategories: true }, { categories: [] }],
		['no limit any more', { removeLimit: 'true' }, { limit: null }],
		[
			'a limit',
			{ limit: limit('7.5', 'daily'), removeLimit: false },
			{ limit: { amount: '7.50', type: 'daily' } },
		],
		['custom fields only', { customFields: { json: [{ value: '{"a":1}' }] } }, { a: 1 }],
	])('update with %s', async (_name, updateFields, body) => {
		const { sent, json } = await run(update(updateFields), undefined);
		expect(sent).toEqual([{ method: 'PATCH', path: `/cards/${ID}`, query: {}, body }]);
		expect(json).toEqual([{ id: ID, success: true }]);
	});

	test.each<[string, INodeParameters, string]>([
		['nothing', update(), 'There is nothing to update'],
		[
			'nothing that counts',
			update({ clearCategories: false, removeLimit: false }),
			'There is nothing to update',
		],
		[
			'both for categories',
			update({ clearCategories: true, categories: ['parking'] }),
			'Clear Categories conflicts with Categories',
		],
		[
			'both for the limit',
			update({ removeLimit: true, limit: limit('5', 'daily') }),
			'Remove Limit conflicts with Limit',
		],
		[
			'a switch that is neither',
			update({ removeLimit: 'yes' }),
			'Remove Limit is not true or false: "yes"',
		],
		[
			'no card',
			{ ...update({ name: 'x' }), cardId: { __rl: true, mode: 'id', value: '' } },
			'Card is empty',
		],
		['no name', create({ name: ' ' }), 'Name is empty'],
		['a type that there is not', create({ type: 'gold' }), 'Type has an invalid value: "gold"'],
		['a type that is no string', create({ type: '={{ 7 }}' }), 'Type has an invalid value: 7'],
		[
			'a limit that is no amount',
			create({ additionalFields: { limit: limit('much', 'x') } }),
			'Limit Amount is not a valid amount: "much"',
		],
		[
			'custom fields that are no object',
			create({ additionalFields: { customFields: { json: [{ value: '[1]' }] } } }),
			'Custom Fields is not a JSON object',
		],
		...['parking', { parking: true }, [5], ['']].map(
			(categories): [string, INodeParameters, string] => [
				`categories of ${JSON.stringify(categories)}`,
				update({ categories: `={{ ${JSON.stringify(categories)} }}` }),
				'Categories is not a list',
			],
		),
	])('%s is refused before any request', async (_name, parameters, message) => {
		const { error, sent } = await run(parameters, undefined);
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringContaining(message),
			context: { itemIndex: 0 },
		});
		expect(sent).toEqual([]);
	});

	test('the hint lists the values of a field', async () => {
		const { error } = await run(create({ type: 'gold' }), undefined);
		expect(error?.description).toBe('"Type" must be one of: recurring, single-use.');
	});
});

describe('lists', () => {
	const LISTS = [
		['card', '/cards'],
		['transaction', '/transactions'],
		['settlement', '/settlements'],
	] as const;

	test.each(LISTS)(
		'%s: only page and page size, unless more is asked for',
		async (resource, path) => {
			const { sent } = await run({ resource, operation: 'getAll', limit: 7 }, []);
			expect(sent).toEqual([{ method: 'GET', path, query: { page: '1', pageSize: '7' } }]);
		},
	);

	test.each(LISTS)(
		'%s: 50 items unless said otherwise, at most 100 on a page',
		async (resource) => {
			const sizeOf = async (more: INodeParameters) =>
				(await run({ resource, operation: 'getAll', ...more }, [])).sent[0]?.query.pageSize;
			expect(await sizeOf({})).toBe('50');
			expect(await sizeOf({ limit: '={{ "8" }}' })).toBe('8');
			expect(await sizeOf({ limit: 101 })).toBe('100');
			expect(await sizeOf({ returnAll: true, limit: 3 })).toBe('100');
			expect(await sizeOf({ returnAll: '={{ "true" }}', limit: 3 })).toBe('100');
			expect(await sizeOf({ returnAll: false, limit: 3 })).toBe('3');
		},
	);

	test.each([0, -1, 1.5, 'many'])('a limit of %j is refused', async (limit) => {
		const { error, sent } = await run(
			{ resource: 'card', operation: 'getAll', limit: `={{ ${JSON.stringify(limit)} }}` },
			[],
		);
		expect(error).toMatchObject({
			message: `Limit is not a whole number greater than zero: ${JSON.stringify(limit)}`,
			context: { itemIndex: 0 },
		});
		expect(sent).toEqual([]);
	});

	const names = {
		name: 'q',
		status: 'state',
		sort: 'order',
		createdAfter: 'since',
		createdBefore: 'until',
		page: 'p',
		pageSize: 'size',
	};
	const filters = {
		name: ' Team travel ',
		status: 'frozen',
		createdAfter: '2026-01-01T00:00:00',
		createdBefore: '2026-02-01T00:00:00Z',
	};

	test('every filter and option of cards, under the names set in the credential', async () => {
		const { sent } = await run(
			{ resource: 'card', operation: 'getAll', limit: 5, filters, sort: { createdAt: 'asc' } },
			[],
			{ parameterNames: JSON.stringify(names) },
		);
		expect(sent[0]?.query).toEqual({
			q: 'Team travel',
			state: 'frozen',
			order: 'asc',
			// In the time zone of the workflow.
			since: '2025-12-31T23:00:00.000Z',
			until: '2026-02-01T00:00:00.000Z',
			p: '1',
			size: '5',
		});
	});

	test.each(['transaction', 'settlement'])('%s: the card as a filter', async (resource) => {
		const { sent } = await run(
			{ resource, operation: 'getAll', limit: 5, filters: { cardId: ID.toUpperCase() } },
			[],
		);
		expect(sent[0]?.query).toEqual({ cardId: ID, page: '1', pageSize: '5' });
	});

	test('filters that are numbers or dates from an expression', async () => {
		const { sent } = await run(
			{
				resource: 'card',
				operation: 'getAll',
				limit: 5,
				filters: {
					name: '={{ 2024 }}',
					createdAfter: '={{ DateTime.fromISO("2026-01-01T00:00:00Z") }}',
					createdBefore: '={{ new Date("2026-02-01T00:00:00Z") }}',
				},
			},
			[],
		);
		expect(sent[0]?.query).toMatchObject({
			name: '2024',
			createdAfter: '2026-01-01T00:00:00.000Z',
			createdBefore: '2026-02-01T00:00:00.000Z',
		});
	});

	// It is 21 November, 12:00 UTC; the workflow is in Berlin.
	test.each<[INodeParameters, object, string]>([
		[
			{ period: 'today' },
			{ createdAfter: '2026-11-20T23:00:00.000Z', createdBefore: '2026-11-21T23:00:00.000Z' },
			'2026-11-21',
		],
		[
			{ period: 'lastMonth' },
			{ createdAfter: '2026-09-30T22:00:00.000Z', createdBefore: '2026-10-31T23:00:00.000Z' },
			'2026-10-01 to 2026-10-31',
		],
		[
			{ lastDays: '={{ 30 }}' },
			{ createdAfter: '2026-10-22T22:00:00.000Z', createdBefore: '2026-11-21T23:00:00.000Z' },
			'2026-10-23 to 2026-11-21',
		],
	])('the filter %j is a range, which a hint names once', async (filters, query, range) => {
		for (const resource of ['transaction', 'settlement']) {
			const addExecutionHints = jest.fn();
			const api = fakeApi(() => ({ body: [] }));
			const parameters = { resource, operation: 'getAll', filters };
			const items = [{}, {}];
			await execute(api, parameters, { items, context: { addExecutionHints } });
			expect(api.requests).toMatchObject([{ query }, { query }]);
			expect(addExecutionHints.mock.calls.flat()).toEqual([
				{
					message: `The period of item 0 is ${range} in the time zone Europe/Berlin. To change the time zone, open the settings of the workflow.`,
					type: 'info',
					location: 'outputPane',
				},
			]);
		}
	});

	test('events of a card are those of the period', async () => {
		const created = (createdAt: string) => ({ ...event, id: createdAt, createdAt });
		const events = [
			'2026-11-21T23:00:00Z',
			'2026-11-21T22:59:59Z',
			'2026-11-20T23:00:00Z',
			'2026-11-20T22:59:59Z',
		].map(created);
		const get = async (filters: INodeParameters) =>
			await run({ resource: 'cardEvent', operation: 'getAll', cardId: card, filters }, events);
		const of = async (filters: INodeParameters) => (await get(filters)).json.map(({ id }) => id);
		const ids = events.map(({ id }) => id);
		expect(await of({ period: 'today' })).toEqual(ids.slice(1, 3));
		expect(await of({ createdAfter: '2026-11-21' })).toEqual(ids.slice(0, 3));
		expect(await of({ createdBefore: '2026-11-21' })).toEqual(ids.slice(1));
	});

	test.each<[string, INodeParameters[string]]>([
		['from the list', { __rl: true, mode: 'list', value: ID, cachedResultName: 'Travel' }],
		['by its ID', { __rl: true, mode: 'id', value: ` ${ID} ` }],
		['by an expression', { __rl: true, mode: 'id', value: `={{ "${ID}" }}` }],
		['by an expression for the whole field', `={{ "${ID}" }}`],
		['as a string', ID],
	])('a card chosen %s filters', async (_name, cardId) => {
		for (const resource of ['transaction', 'settlement']) {
			const { sent } = await run({ resource, operation: 'getAll', filters: { cardId } }, []);
			expect(sent[0]?.query).toMatchObject({ cardId: ID });
		}
	});

	test.each(LISTS)(
		'%s: custom query parameters are sent as they are, and override others',
		async (resource, path) => {
			const customQuery = {
				pairs: [{ name: 'include', value: 'limits' }],
				json: [{ value: '{"pageSize":"20"}' }],
			};
			const { sent } = await run(
				{ resource, operation: 'getAll', limit: 7, options: { customQuery } },
				[],
			);
			expect(sent).toEqual([
				{ method: 'GET', path, query: { page: '1', pageSize: '20', include: 'limits' } },
			]);
		},
	);

	test.each<[string, INodeParameters, object, string]>([
		[
			'a filter of another kind',
			{ filters: { name: '={{ [42] }}' } },
			{},
			'Name is not a string: [42]',
		],
		[
			'a number that has lost digits',
			{ filters: { name: '={{ 2 ** 60 }}' } },
			{},
			'Name is not a string: 1152921504606847000',
		],
		[
			'a date that is a number',
			{ filters: { createdAfter: '={{ 17 }}' } },
			{},
			'Created After is not a valid date: 17',
		],
		[
			'another date that is a number',
			{ filters: { createdBefore: '={{ 17 }}' } },
			{},
			'Created Before is not a valid date: 17',
		],
		[
			'a period that ends before it begins',
			{ filters: { createdAfter: '2026-02-01', createdBefore: '2026-01-01' } },
			{},
			'Created Before is not after Created After',
		],
		[
			'a period that has no length',
			{ filters: { createdAfter: '2026-02-01T00:00', createdBefore: '2026-02-01T00:00' } },
			{},
			'Created Before is not after Created After',
		],
		[
			'two periods',
			{ filters: { period: 'today', lastDays: 7 } },
			{},
			'Period and Last Days cannot be combined',
		],
		[
			'a period and a time',
			{ filters: { createdBefore: '2026-02-01', createdAfter: '2026-01-01', period: 'today' } },
			{},
			'Period and Created After cannot be combined',
		],
		[
			'days and a time',
			{ filters: { createdBefore: '2026-02-01', lastDays: 7 } },
			{},
			'Last Days and Created Before cannot be combined',
		],
		[
			'half a day',
			{ filters: { lastDays: 0.5 } },
			{},
			'Last Days is not a whole number greater than zero: 0.5',
		],
		[
			'more days than ten years',
			{ filters: { lastDays: 3_661 } },
			{},
			'Last Days is too large: 3661',
		],
		['an empty period', { filters: { period: '={{ null }}' } }, {}, 'Period is empty'],
		[
			'an unknown period',
			{ filters: { period: '={{ "century" }}' } },
			{},
			'Period has an invalid value: "century"',
		],
		[
			'an invalid card ID',
			{ filters: { cardId: 'travel' } },
			{},
			'Card is not a valid ID: "travel"',
		],
		[
			'an order of another kind',
			{ sort: { createdAt: '={{ [1] }}' } },
			{},
			'Creation Time has an invalid value: [1]',
		],
		[
			'custom query parameters that are no object',
			{ options: { customQuery: { json: [{ value: '[1]' }] } } },
			{},
			'Custom Query Parameters is not an object of strings',
		],
		[
			'parameter names that are no object',
			{},
			{ parameterNames: '{"page": 1}' },
			'Parameter Names in the credential is not an object of',
		],
		[
			'parameter names that there are not',
			{},
			{ parameterNames: '{"site": "x"}' },
			'Parameter Names in the credential has an unknown name: site',
		],
	])('%s is refused, not left out', async (_name, more, credential, message) => {
		// Only this list can be filtered by the card.
		const resource = message.startsWith('Card is') ? 'transaction' : 'card';
		const { error, sent } = await run({ resource, operation: 'getAll', ...more }, [], credential);
		expect(error).toMatchObject({
			message: expect.stringContaining(message),
			context: { itemIndex: 0 },
		});
		expect(sent).toEqual([]);
	});

	test('the parameter names that may be renamed are listed', async () => {
		const { error } = await run({ resource: 'card', operation: 'getAll' }, [], {
			parameterNames: '[]',
		});
		expect(error?.description).toContain(
			'name, status, sort, createdAfter, createdBefore, cardId, accountId, page, pageSize.',
		);
	});

	test('without a page parameter one request is the whole list', async () => {
		const data = Array.from({ length: 100 }, (_, index) => ({ id: String(index) }));
		const { sent, json } = await run(
			{ resource: 'card', operation: 'getAll', returnAll: true },
			data,
			{
				parameterNames: '{"page": " "}',
			},
		);
		expect(sent).toEqual([{ method: 'GET', path: '/cards', query: { pageSize: '100' } }]);
		expect(json).toHaveLength(100);
	});

	test.each<[string, unknown]>([
		['an array', [{ id: 'a' }]],
		['{data}', { data: [{ id: 'a' }] }],
		['an envelope', { data: [{ id: 'a' }], page: 1 }],
	])('%s is a list', async (_name, body) => {
		for (const [resource] of LISTS) {
			const { json } = await run({ resource, operation: 'getAll', returnAll: true }, body);
			expect(json).toEqual([{ id: 'a' }]);
		}
	});

	test('numbers that JavaScript would change are passed on as strings', async () => {
		const body =
			'{"data":[{"id":12345678901234567890,"net":0.1234567890123456789,"fee":1.25,"rate":1e400}]}';
		const { json } = await run(
			{ resource: 'settlement', operation: 'getAll', returnAll: true },
			body,
		);
		expect(json).toEqual([
			{ id: '12345678901234567890', net: '0.1234567890123456789', fee: 1.25, rate: '1e400' },
		]);
	});

	test.each([
		['transaction', 'a list of transactions'],
		['settlement', 'a list of settlements'],
		['payment', 'a list of payments'],
		['cardEvent', 'a list of events'],
	])('%s: a response that is not a list', async (resource, name) => {
		const days = { from: '2026-01-01', to: '2026-01-02', options: { accountId: '1001' } };
		const { error } = await run({ resource, operation: 'getAll', cardId: card, ...days }, 'OK');
		expect(error?.message).toContain(`with a body that is not JSON instead of ${name}`);
	});
});

describe('the hint that a list was cut at its Limit', () => {
	const rows = (count: number) =>
		Array.from({ length: count }, (_, id) => ({ ...event, id: `${id}` }));
	const page = (totalItemCount: number, more = {}) => ({
		data: rows(2),
		page: 1,
		pageSize: 2,
		totalPages: Math.ceil(totalItemCount / 2),
		totalItemCount,
		...more,
	});
	const capped = { totalItemCountCapped: true };
	const mayBeMore = 'Limit (2) was reached. There may be more.';
	const list = (resource: string, more = {}) => ({
		resource,
		operation: 'getAll',
		limit: 2,
		...more,
	});
	const cards = list('card');
	const ofOne = { cardScope: 'one', cardId: ID };
	const ofAll = { cardScope: 'all', filters: { createdAfter: '2026-11-01' } };
	const year = { from: '2026-01-01', to: '2026-12-31', options: { accountId: '1' } };

	test.each<[string, INodeParameters, unknown, string]>([
		['a total', cards, page(5), 'Returned 2 of 5 records.'],
		['a lower bound', cards, page(1234, capped), 'Returned 2 of at least 1,234 records.'],
		['a lower bound that is the limit', cards, page(2, capped), mayBeMore],
		['a total that is the limit', cards, page(2), ''],
		['no total', cards, rows(2), mayBeMore],
		['fewer records', cards, rows(1), ''],
		['Return All', { ...cards, returnAll: true }, page(2), ''],
		[
			'filters of the node',
			list('transaction', { filters: { currencies: 'USD' } }),
			page(5),
			mayBeMore,
		],
		[
			'a filter of the API',
			list('transaction', { filters: { cardId: ID } }),
			page(5),
			'Returned 2 of 5 records.',
		],
		['events of a card', list('cardEvent', ofOne), rows(3), 'Returned 2 of 3 records.'],
		['all events of a card', list('cardEvent', ofOne), rows(2), ''],
		['events of all cards', list('cardEvent', ofAll), rows(2), mayBeMore],
		['fewer events of all cards', list('cardEvent', ofAll), rows(1), ''],
		['payments of a year', list('payment', year), rows(3), 'Returned 2 of 3 records.'],
		['all payments of a year', list('payment', year), rows(2), ''],
		[
			'payments of years',
			list('payment', { ...year, to: '2027-06-30' }),
			rows(3),
			'Returned 2 of at least 3 records.',
		],
		[
			'payments of the first year',
			list('payment', { ...year, to: '2027-06-30' }),
			rows(2),
			mayBeMore,
		],
	])('%s', async (_name, parameters, body, what) => {
		const addExecutionHints = jest.fn();
		const api = fakeApi(() => ({ body }));
		const { error } = await execute(api, parameters, { context: { addExecutionHints } });
		expect(error).toBeUndefined();
		const message = `${what} Turn on Return All, or raise Limit, to get the others.`;
		const hint = { message, type: 'info', location: 'outputPane' };
		expect(addExecutionHints.mock.calls).toEqual([what === '' ? [] : [hint]]);
	});

	test('one for all items', async () => {
		const addExecutionHints = jest.fn();
		const items = [{ limit: 1 }, { limit: 2 }, { limit: 5 }];
		const parameters = { ...cards, limit: '={{ $json.limit }}' };
		await execute(
			fakeApi(() => ({ body: rows(2) })),
			parameters,
			{
				items,
				context: { addExecutionHints },
			},
		);
		const message = expect.stringMatching(
			/^Limit was reached for 2 of 3 items, so there may be more\. Turn on Return All/,
		);
		expect(addExecutionHints.mock.calls).toEqual([[expect.objectContaining({ message })]]);
	});
});

describe('cards with details', () => {
	const listed = ['a', 'b', 'c'].map((id) => ({ id, name: `Card ${id}`, listOnly: id }));
	const details = (id: string) => ({ id, name: `Renamed ${id}`, balance: '1.00' });
	const get = async (respond: Respond, options: INodeParameters = { includeDetails: true }) => {
		const api = fakeApi((request, count) =>
			request.path === '/cards' ? { body: listed } : respond(request, count),
		);
		const parameters = { resource: 'card', operation: 'getAll', limit: 3, options };
		const { json, error } = await execute(api, parameters, {});
		return { json, error, paths: api.requests.map(({ path }) => path) };
	};

	test('one request for each card, in the order of the list; the details are newer', async () => {
		const { json, paths } = await get(({ path }) => ({ body: details(path.slice(-1)) }));
		expect(json).toEqual(['a', 'b', 'c'].map((id) => ({ ...details(id), listOnly: id })));
		expect(paths.toSorted()).toEqual(['/cards', '/cards/a', '/cards/b', '/cards/c']);
	});

	test.each([{}, { includeDetails: false }])('none with %j', async (options) => {
		const { json, paths } = await get(() => refusal(404), options);
		expect(json).toEqual(listed);
		expect(paths).toEqual(['/cards']);
	});

	test('a card that is gone is output as it was listed, with a mark', async () => {
		const { json, error } = await get(({ path }) =>
			path === '/cards/b' ? refusal(404) : { body: details(path.slice(-1)) },
		);
		expect(error).toBeUndefined();
		expect(json[1]).toEqual({ ...listed[1], detailsNotFound: true });
		expect(json.map(({ balance }) => balance)).toEqual(['1.00', undefined, '1.00']);
	});

	test('after a 429 the node waits, and then gets the cards one by one', async () => {
		let refused = false;
		const { json, paths } = await get(({ path }) => {
			if (path !== '/cards/a' || refused) return { body: details(path.slice(-1)) };
			refused = true;
			return refusal(429, { 'retry-after': '7' });
		});
		expect(json.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
		expect(paths.filter((path) => path === '/cards/a')).toHaveLength(2);
	});

	test('any other failure is an error of the node', async () => {
		const { json, error } = await get(() => refusal(403));
		expect(json).toEqual([]);
		expect(error?.message).toBe('Some message (403 some-code)');
	});
});

describe('transactions by amount, merchant and currency', () => {
	const all = [
		{ id: 'a', amount: '10.00', currency: 'USD', merchantName: 'Grand Hotel' },
		{ id: 'b', amount: '10.000000000000000001', currency: 'USD', merchantName: 'HOTEL Roma' },
		{ id: 'c', amount: '9.99', currency: 'EUR', merchantName: 'Bakery' },
		{ id: 'd', amount: '0.00', currency: 'JPY', merchantName: null },
		{ id: 'e', currency: 'USD' },
	];
	const get = async (filters: INodeParameters, more: INodeParameters = { returnAll: true }) =>
		await run(
			{ resource: 'transaction', operation: 'getAll', filters, ...more },
			{ data: all, page: 1, totalPages: 1 },
		);

	test.each<[INodeParameters, string]>([
		[{ minimumAmount: '10' }, 'a b'],
		[{ maximumAmount: '10' }, 'a c d'],
		[{ maximumAmount: '={{ 10 }}' }, 'a c d'],
		[{ minimumAmount: ' 9.99 ', maximumAmount: ' 10.0 ' }, 'a c'],
		[{ minimumAmount: '0', maximumAmount: '0' }, 'd'],
		[{ merchantName: 'hotel' }, 'a b'],
		[{ currencies: 'eur, JPY' }, 'c d'],
		[{ currencies: 'usd', maximumAmount: '10', merchantName: 'hotel' }, 'a'],
	])('by %j', async (filters, ids) => {
		const { json, sent } = await get(filters);
		expect(json.map(({ id }) => id)).toEqual(ids.split(' '));
		expect(sent).toEqual([
			{ method: 'GET', path: '/transactions', query: { page: '1', pageSize: '100' } },
		]);
	});

	test('the limit counts those that pass', async () => {
		const { json } = await get({ maximumAmount: '10' }, { limit: 2 });
		expect(json.map(({ id }) => id)).toEqual(['a', 'c']);
	});

	test.each<[INodeParameters, string]>([
		[{ minimumAmount: '-1' }, 'Minimum Amount is not a valid amount: "-1"'],
		[{ maximumAmount: '-1' }, 'Maximum Amount is not a valid amount: "-1"'],
		[{ maximumAmount: '5,00' }, 'Maximum Amount is not a valid amount: "5,00"'],
		[{ maximumAmount: '={{ [5] }}' }, 'Maximum Amount is not a valid amount: [5]'],
		[
			{ minimumAmount: '10.01', maximumAmount: '10' },
			'Maximum Amount is less than Minimum Amount: "10", "10.01"',
		],
		[{ currencies: 'dollars' }, 'Currencies: "dollars" is not a valid currency code'],
	])('%j is refused before anything is sent', async (filters, message) => {
		const { error, sent } = await get(filters);
		expect(error?.message).toBe(message);
		expect(sent).toEqual([]);
	});
});

describe('events of a card', () => {
	const events = [
		event,
		{ ...event, id: 'e2', isSuccess: false, amount: '30.00' },
		{ ...event, id: 'e3', isSuccess: false, amount: '7.00', more: 'x' },
	];
	const get = async (more: INodeParameters = {}, body: Reply['body'] = events) =>
		await run({ resource: 'cardEvent', operation: 'getAll', cardId: card, ...more }, body);

	test.each<[string, INodeParameters, string[]]>([
		['a limit', { limit: 2 }, ['e1', 'e2']],
		['all', { returnAll: true, limit: 1 }, ['e1', 'e2', 'e3']],
		['a type', { filters: { events: ['declined'] } }, ['e2', 'e3']],
		['a type and a limit', { filters: { events: ['declined'] }, limit: 1 }, ['e2']],
		['an amount', { filters: { minimumAmount: '10' } }, ['e1', 'e2']],
		['a type and an amount', { filters: { events: ['declined'], minimumAmount: '10' } }, ['e2']],
	])('by %s', async (_name, more, ids) => {
		const { json, sent } = await get(more);
		expect(json.map(({ id }) => id)).toEqual(ids);
		expect(sent).toMatchObject([{ query: {} }]);
	});

	test('an error names the field by its name in this form', async () => {
		const { error, sent } = await get({ filters: { events: ['frozen'] } });
		expect(error?.message).toBe('Event Types has an invalid value: "frozen"');
		expect(sent).toEqual([]);
	});

	test('simplified, an event has its ten main fields', async () => {
		expect((await get({ simplify: true })).json.at(2)).toEqual({
			...event,
			id: 'e3',
			isSuccess: false,
			amount: '7.00',
		});
		for (const simplify of [{}, { simplify: '={{ "true" }}' }]) {
			expect((await get(simplify)).json.at(2)).not.toHaveProperty('more');
		}
		expect((await get({ simplify: '={{ "false" }}' })).json.at(2)).toHaveProperty('more');
	});

	const getAsTool = async (output: INodeParameters) => {
		const type = 'n8n-nodes-card-platform.cardPlatformTool';
		const parameters = { resource: 'cardEvent', operation: 'getAll', cardId: card, ...output };
		return await run(parameters, events, {}, { type });
	};

	test.each<[INodeParameters, string[]]>([
		[{ output: 'simplified' }, Object.keys(event)],
		[{ output: 'raw' }, [...Object.keys(event), 'more']],
		[{ output: 'selected', fields: ['id', 'mcc'] }, ['id', 'mcc']],
		[{ output: 'selected', fields: '={{ "amount, currency" }}' }, ['amount', 'currency']],
	])('for tools, %j', async (output, names) => {
		const returned = Object.keys((await getAsTool(output)).json.at(2) ?? {});
		expect(returned.toSorted()).toEqual(names.toSorted());
	});

	test.each<[INodeParameters, string]>([
		[{ output: 'all' }, 'Output has an invalid value: "all"'],
		[{ output: '={{ null }}' }, 'Output is empty'],
		[{ output: 'selected' }, 'Fields is empty'],
		[{ output: 'selected', fields: '={{ undefined }}' }, 'Fields is empty'],
		[{ output: 'selected', fields: '={{ ({}) }}' }, 'Fields is not a list: {}'],
		[{ output: 'selected', fields: ['id', 'more'] }, 'Fields has an invalid value: "more"'],
	])('for tools, %j is refused before anything is sent', async (output, message) => {
		const { error, sent } = await getAsTool(output);
		expect(error?.message).toBe(message);
		expect(sent).toEqual([]);
	});

	test('by default 50 of them, simplified', async () => {
		const api = fakeApi(() => ({
			body: Array.from({ length: 51 }, (_, index) => ({ ...event, id: `e${index}`, more: 'x' })),
		}));
		const chosen = { resource: 'cardEvent', operation: 'getAll' };
		const values = new Map([['cardId', ID]]);
		const getNodeParameter = (name: string, _index: number, fallback?: unknown) =>
			values.get(name) ?? fallback;
		const { json } = await execute(api, chosen, { context: { getNodeParameter } });
		expect(json).toHaveLength(50);
		expect(json[0]).toEqual({ ...event, id: 'e0' });
	});

	test('transactions that the API lists around the period do not count', async () => {
		const listed = (cardId: string, createdAt: string) => ({ id: cardId, cardId, createdAt });
		const rows = [
			listed('later', '2026-01-03T00:30:00Z'),
			listed('within', '2026-01-02T12:00:00Z'),
			listed('earlier', '2026-01-01T23:30:00Z'),
		];
		const api = fakeApi(({ path }) => ({ body: path === '/transactions' ? rows : [] }));
		const filters = { createdAfter: '2026-01-02T00:00Z', createdBefore: '2026-01-03T00:00Z' };
		const parameters = { resource: 'cardEvent', operation: 'getAll', cardScope: 'all', filters };
		await execute(api, parameters);
		const lists = () => api.requests.filter(({ path }) => path === '/transactions');
		const visits = api.requests.filter(({ path }) => path.startsWith('/cards'));
		expect(lists().at(-1)?.query).toMatchObject({
			createdAfter: '2026-01-01T23:59:59.000Z',
			createdBefore: '2026-01-03T00:00:01.000Z',
		});
		expect(visits.map(({ path }) => path)).toEqual(['/cards/within/financial-events']);
		const parameterNames = '{"createdBefore": ""}';
		const { error } = await execute(api, parameters, { credential: { parameterNames } });
		expect(error).toBeUndefined();
		expect(lists().at(-1)?.query).not.toHaveProperty('createdBefore');
	});

	test('transactions get columns for spreadsheets', async () => {
		const spent = { cardId: 'a', amount: '12.50', amountDirection: 'debit', status: 'settled' };
		const rows: [object, unknown[]][] = [
			[{ ...spent, createdAt: '2026-01-31T23:30:00Z' }, [12.5, 'Travel', '1111', '2026-02-01']],
			[{ ...spent, status: 'pending', amount: '0.10' }, [0.1, 'Travel', '1111', null]],
			[{ ...spent, amountDirection: 'credit' }, [-12.5, 'Travel', '1111', null]],
			[{ ...spent, status: 'declined' }, [0, 'Travel', '1111', null]],
			[{ ...spent, status: 'released', amount: '0.00' }, [0, 'Travel', '1111', null]],
			[{ ...spent, amountDirection: 'credit', amount: '0.00' }, [0, 'Travel', '1111', null]],
			[{ ...spent, amount: 'much', cardId: 'gone' }, [null, null, null, null]],
			[{ ...spent, amountDirection: 'other', cardId: undefined }, [null, null, null, null]],
		];
		const body = rows.map(([row], id) => ({ id: String(id), ...row }));
		const api = fakeApi(({ path }) => ({
			body: path === '/cards' ? [{ id: 'a', name: 'Travel', lastFour: '1111' }] : body,
		}));
		const options = { spreadsheetColumns: true };
		const parameters = { resource: 'transaction', operation: 'getAll', returnAll: true };
		const addExecutionHints = jest.fn();
		const context = { addExecutionHints };
		const { json } = await execute(api, { ...parameters, options }, { context });
		const message = expect.stringMatching(/^Transactions without an amountNumber, .*: 2\. /);
		expect(addExecutionHints).toHaveBeenCalledWith(expect.objectContaining({ message }));
		expect(
			json.map((row) => [row.amountNumber, row.cardName, row.cardLastFour, row.localDate]),
		).toEqual(rows.map(([, columns]) => columns));
		expect(json[0]).toMatchObject(spent);
		const paths = api.requests.map(({ path }) => path);
		expect(new Set(paths)).toEqual(new Set(['/transactions', '/cards']));
		const none = fakeApi(() => ({ body: [] }));
		await execute(none, { ...parameters, options });
		expect(none.requests.map(({ path }) => path)).not.toContain('/cards');
		const plain = await execute(api, parameters);
		expect(plain.json[0]).not.toHaveProperty('amountNumber');
	});

	test('custom query parameters go with each request for events', async () => {
		const rows = [{ id: 'a', cardId: 'b', createdAt: '2026-01-02T12:00:00Z' }];
		const api = fakeApi(({ path }) => ({ body: path === '/transactions' ? rows : [] }));
		await execute(api, {
			resource: 'cardEvent',
			operation: 'getAll',
			cardScope: 'all',
			filters: { createdAfter: '2026-01-02' },
			options: { customQuery: { json: [{ value: '{"version":"2"}' }] } },
		});
		expect(api.requests.at(-1)?.query).toEqual({ version: '2' });
	});

	test('without a period nothing is read of all cards', async () => {
		for (const filters of [{}, { createdBefore: '2026-01-01' }]) {
			const parameters = { resource: 'cardEvent', operation: 'getAll', cardScope: 'all', filters };
			const { error, sent } = await run(parameters, []);
			expect(error?.message).toBe('No period is chosen for the events of all cards');
			expect(sent).toEqual([]);
		}
	});

	test('an API that ignores createdAfter is reported', async () => {
		const old = [{ id: ID, cardId: ID, createdAt: '2020-01-01T00:00:00Z' }];
		const filters = { createdAfter: '2026-01-01' };
		const parameters = { resource: 'cardEvent', operation: 'getAll', cardScope: 'all', filters };
		const { error } = await run(parameters, old);
		expect(error?.message).toContain('it does not know the parameter createdAfter');
	});

	test('a malformed filter is refused', async () => {
		const { error, sent } = await get({ filters: { currencies: 'dollars' } });
		expect(error?.message).toContain('Currencies');
		expect(sent).toEqual([]);
	});

	test('with custom query parameters', async () => {
		const customQuery = { pairs: [{ name: 'since', value: 'x' }] };
		expect((await get({ options: { customQuery } })).sent).toMatchObject([
			{ query: { since: 'x' } },
		]);
		const { error } = await get({ options: { customQuery: { json: [{ value: '[1]' }] } } });
		expect(error?.message).toContain('Custom Query Parameters is not');
	});

	test.each<[string, object, string]>([
		['filters that are a string', { filters: 'x' }, 'Filters is not an object: "x"'],
		['options that are a list', { options: [1] }, 'Options is not an object: [1]'],
	])('%s are refused', async (_name, more, message) => {
		const api = fakeApi(() => ({ body: [] }));
		const values = new Map<string, unknown>(Object.entries({ cardId: ID, ...more }));
		const chosen = { resource: 'cardEvent', operation: 'getAll' };
		const getNodeParameter = (name: string, _index: number, fallback?: unknown) =>
			values.get(name) ?? fallback;
		const { error } = await execute(api, chosen, { context: { getNodeParameter } });
		expect(error?.message).toBe(message);
		expect(api.requests).toEqual([]);
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
	const days = { from: '2026-01-01', to: '2026-12-31' };
	const customer = { keyScope: 'customer', accountId: '1001' };
	const queries = async (more: INodeParameters, credential: object = customer) => {
		const { sent, error } = await run(payments(more), [], credential);
		expect(error).toBeUndefined();
		expect(sent.every(({ method, path }) => method === 'GET' && path === '/payments')).toBe(true);
		return sent.map(({ query }) => query);
	};

	test.each<[string, INodeParameters, object, object]>([
		['of the credential', {}, {}, { accountId: '1001' }],
		['of the credential, a number', {}, { accountId: 1001 }, { accountId: '1001' }],
		['of the node', { options: { accountId: '1002' } }, {}, { accountId: '1002' }],
		[
			'of the node, under an account-scoped key',
			{ options: { accountId: '1002' } },
			{ keyScope: 'account' },
			{ accountId: '1002' },
		],
		['none under an account-scoped key', {}, { keyScope: 'account' }, {}],
	])('the account: %s', async (_name, more, credential, account) => {
		expect(await queries(more, { ...customer, ...credential })).toEqual([{ ...days, ...account }]);
	});

	test('the account has its name set in the credential; days and custom parameters are sent as they are', async () => {
		const customQuery = { pairs: [{ name: 'to', value: 'x' }] };
		expect(
			await queries(
				{ options: { customQuery } },
				{ ...customer, parameterNames: '{"accountId":"account"}' },
			),
		).toEqual([{ account: '1001', from: '2026-01-01', to: 'x' }]);
	});

	test('a day is that of the time zone of the workflow', async () => {
		expect(await queries({ from: '2026-01-01T23:30:00Z' })).toMatchObject([{ from: '2026-01-02' }]);
		expect(
			await queries({ from: '={{ $now }}', to: '={{ $today.plus({ days: 1 }).toJSDate() }}' }),
		).toMatchObject([{ from: '2026-11-21', to: '2026-11-22' }]);
		const inTokyo = '={{ DateTime.fromISO("2026-11-20T20:00:00Z").setZone("Asia/Tokyo") }}';
		expect(await queries({ from: inTokyo })).toMatchObject([{ from: '2026-11-20' }]);
	});

	test('a period has its days in the time zone of the workflow', async () => {
		expect(await queries({ period: 'thisMonth' })).toMatchObject([
			{ from: '2026-11-01', to: '2026-11-30' },
		]);
		expect(await queries({ period: 'lastDays', days: 10 })).toMatchObject([
			{ from: '2026-11-12', to: '2026-11-21' },
		]);
		expect(await queries({ period: 'custom' })).toMatchObject([days]);
	});

	test('blanks around a day are ignored, and the first and last days are accepted', async () => {
		const range = await queries({ from: ' 2026-01-01 ', to: '2026-01-02' });
		expect(range).toMatchObject([{ from: '2026-01-01', to: '2026-01-02' }]);
		const first = { from: '1970-01-02', to: '1970-01-02' };
		expect(await queries(first)).toMatchObject([first]);
	});

	test('one day is a range', async () => {
		expect(await queries({ to: '2026-01-01' })).toMatchObject([
			{ from: '2026-01-01', to: '2026-01-01' },
		]);
	});

	test('a longer range is asked year by year', async () => {
		expect(await queries({ from: '2023-06-01', to: '2025-07-01' })).toMatchObject([
			{ from: '2023-06-01', to: '2024-05-31' },
			{ from: '2024-05-31', to: '2025-05-30' },
			{ from: '2025-05-30', to: '2025-07-01' },
		]);
	});

	test('what two requests both return is output once', async () => {
		const api = fakeApi(({ query }: ApiRequest) => ({
			body: { data: [{ id: 'same' }, { id: query.from }] },
		}));
		const { json } = await execute(api, payments({ from: '2023-06-01', to: '2025-01-01' }), {
			credential: customer,
		});
		expect(json).toEqual([{ id: 'same' }, { id: '2023-06-01' }, { id: '2024-05-31' }]);
	});

	test.each([
		[2, 1],
		[3, 1],
		[4, 2],
	])('a limit of %d stops at it, after %d request(s)', async (limit, requests) => {
		const api = fakeApi(({ query }) => ({
			body: ['a', 'b', 'c'].map((id) => ({ id: `${query.from}${id}` })),
		}));
		const { json } = await execute(api, payments({ from: '2020-01-01', returnAll: false, limit }), {
			credential: customer,
		});
		expect(json).toHaveLength(limit);
		expect(api.requests).toHaveLength(requests);
	});

	test.each<[string, INodeParameters, object, string]>([
		[
			'a customer-scoped key without an account',
			{},
			{ accountId: '' },
			'Choose the account whose payments to list',
		],
		[
			'an invalid account ID',
			{},
			{ accountId: 'Marketing' },
			'Default Account ID is not a whole number: "Marketing"',
		],
		[
			'half an account',
			{},
			{ accountId: 1001.5 },
			'Default Account ID is not a whole number: "1001.5"',
		],
		[
			'an option that is no account',
			{ options: { accountId: 'x' } },
			{},
			'Account ID is not a whole number: "x"',
		],
		[
			'custom parameters that are no object',
			{ options: { customQuery: { json: [{ value: '[1]' }] } } },
			{},
			'Custom Query Parameters is not an object of strings',
		],
		['no first day', { from: '' }, {}, 'From is empty'],
		['no period', { period: '={{ null }}' }, {}, 'Period is empty'],
		['a period without days', { period: 'lastDays', days: 0 }, {}, 'Days is not a whole number'],
		['no last day', { to: ' ' }, {}, 'To is empty'],
		[
			'days in the wrong order',
			{ from: '2027-01-01' },
			{},
			'Due From (2027-01-01) is later than Due To (2026-12-31)',
		],
		['the first day that is too late', { to: '2200-01-02' }, {}, 'To is out of range'],
		['a day among words', { from: 'on 2026-01-01' }, {}, 'From is not a valid date'],
		['a day too far ahead', { to: '9999-12-31' }, {}, 'To is out of range'],
		['a day too long ago', { from: '1969-12-31' }, {}, 'From is out of range'],
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
		const { error, sent } = await run(payments(change), [], { ...customer, ...credential });
		expect(error).toMatchObject({
			message: expect.stringContaining(message),
			context: { itemIndex: 0 },
		});
		expect(sent).toEqual([]);
	});

	describe('and events, whose lists may not be paged', () => {
		const pagesOf = (count: number, more: object) =>
			fakeApi(({ query }) => {
				const page = Number(query.page ?? 1);
				const all = Array.from({ length: count }, (_, index) => ({ id: `p${index}` }));
				return { body: { data: all.slice((page - 1) * 100, page * 100), page, ...more } };
			});
		const both = async (count: number, more: object) => {
			const results: [items: number, requests: number][] = [];
			for (const parameters of [
				payments(),
				{ resource: 'cardEvent', operation: 'getAll', cardId: card, returnAll: true },
			]) {
				const api = pagesOf(count, more);
				const { json, error } = await execute(api, parameters, { credential: customer });
				expect(error).toBeUndefined();
				results.push([new Set(json.map(({ id }) => id)).size, api.requests.length]);
			}
			expect(results[0]).toEqual(results[1]);
			return results[0];
		};

		test.each<[string, number, object, [number, number]]>([
			['one page', 1, { pageSize: 100, totalPages: 1 }, [1, 1]],
			['a full page and nothing said of others', 100, {}, [100, 1]],
			['a full page with its total', 100, { pageSize: 100, totalItemCount: 100 }, [100, 1]],
			['a full page that is all pages', 100, { pageSize: 100, totalPages: 1 }, [100, 1]],
			[
				'a short page with a lower bound',
				60,
				{ pageSize: 100, totalPages: 1, totalItemCountCapped: true },
				[60, 1],
			],
			['nothing with a lower bound', 0, { totalPages: 1, totalItemCountCapped: true }, [0, 1]],
		])('%s: one request', async (_name, count, more, expected) => {
			expect(await both(count, more)).toEqual(expected);
		});

		test.each<[string, object]>([
			['more pages', { pageSize: 100, totalPages: 3, totalItemCount: 250 }],
			['more pages only', { totalPages: 3 }],
			['more items', { pageSize: 100, totalItemCount: 250 }],
			['a full page', { pageSize: 100 }],
			[
				'a full page and a lower bound',
				{ pageSize: 100, totalItemCount: 100, totalPages: 1, totalItemCountCapped: true },
			],
			['a lower bound only', { totalItemCount: 100, totalItemCountCapped: true }],
		])('%s: every page is read', async (_name, more) => {
			expect((await both(250, more))?.[0]).toBe(250);
		});
	});
});

test.each([
	['Key Scope', { keyScope: 'all' }],
	['Default Account ID', { accountId: {} }],
	['Read Only', { readOnly: 'yes' }],
	['Advanced', { advanced: 'yes' }],
])('a credential whose %s is of the wrong shape', async (field, credential) => {
	const api = fakeApi(() => refusal(500));
	const parameters = { resource: 'connection', operation: 'check' };
	const { error } = await execute(api, parameters, { credential });
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringContaining(field),
		context: { itemIndex: 0 },
	});
	expect(api.requests).toEqual([]);
});
