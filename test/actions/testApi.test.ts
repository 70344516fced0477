import { readFileSync } from 'node:fs';

import { execute, send, useFakeClock } from '../support/execute';
import {
	type ApiRequest,
	fakeApi,
	listOf,
	refusal,
	type Reply,
	type Respond,
} from '../support/fakeApi';
import { parametersOf } from '../support/operations';

// What only an API of the test's own can show; testApi.http.test.ts has the dialects of the sandbox.

useFakeClock();

const parameters = parametersOf('connection/testApi');
const idOf = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** Cards, of which each second one is frozen; the newest first. */
const cards = Array.from({ length: 8 }, (_, index) => ({
	id: idOf(index + 1),
	name: `Secret name ${index}`,
	status: index % 2 === 0 ? 'active' : 'frozen',
	createdAt: new Date(Date.UTC(2026, 0, 30 - index)).toISOString(),
}));
const respond: Respond = ({ path }) => {
	if (path === '/cards/00000000-0000-4000-8000-000000000000') return refusal(404);
	return { body: path === '/health' ? {} : path.includes('/', 1) ? { id: 'x' } : cards };
};

test('one request after the other, and at most as many as docs/assumptions.md says, all of them GETs', async () => {
	// Nothing but the names that are tried last.
	const names = 'pageIndex page[size] sortOrder end_date start_date cardIds status[] account-id';
	const refuses: Respond = (request, count) => {
		const { path, query } = request;
		if (Object.keys(query).some((name) => !names.includes(name))) return refusal(400);
		const size = Number(query['page[size]'] ?? 8);
		const start = Number(query.pageIndex ?? 0) * size;
		const isList = /^.(cards|transactions|settlements)$/.test(path);
		return isList ? { body: cards.slice(start, start + size) } : respond(request, count);
	};
	const api = fakeApi(refuses, { latency: 10 });
	const { json, error } = await execute(api, parameters);
	expect(error).toBeUndefined();
	expect(api.mostInFlight()).toBe(1);
	const [, most] = /at most (\d+) GETs/.exec(readFileSync('docs/assumptions.md', 'utf8')) ?? [];
	expect(api.requests).toHaveLength(Number(most));
	expect(api.requests.every(({ method }) => method === 'GET')).toBe(true);
	expect(json.map(({ evidence }) => evidence)).toContain(
		'Not asked: the test has sent all its requests',
	);
});

test.each([401, 500])('a %s for everything fails the node', async (status) => {
	const { error } = await send(parameters, () => refusal(status));
	expect(error).toMatchObject({ httpCode: String(status) });
});

const HANGS = new Promise<Reply>(() => undefined);

test.each([
	['a 500', () => refusal(500), 'failed', /try again/i],
	['a 403', () => refusal(403), 'refused', /probably not enabled/],
	['a 404', () => refusal(404), 'refused', /Base URL/],
	['no response', () => HANGS, 'failed', /Try again later/],
	['a web page', () => ({ body: '<html></html>' }), 'failed', /Base URL/],
])('of a list, %s is one answer; the others are asked', async (_name, reply, result, hint) => {
	for (const list of ['cards', 'settlements', 'payments']) {
		const isList = ({ path }: ApiRequest) => path === `/${list}`;
		const { json, error } = await send(parameters, (request: ApiRequest, count: number) =>
			isList(request) ? reply() : respond(request, count),
		);
		expect(error).toBeUndefined();
		const failed = json.filter((item) => item.result === result);
		expect(failed).toMatchObject([{ topic: list === 'payments' ? 'access' : list }]);
		expect(failed[0]?.whatToDo).toMatch(hint);
		const topics = json.map(({ topic }) => topic);
		expect(topics).toContain('transactions');
		expect(topics.filter((topic) => topic === list).length).toBe(list === 'payments' ? 0 : 1);
	}
});

test('a filter without a response, and some 429s: every other question has its answer', async () => {
	const { json } = await send(parameters, (request: ApiRequest, count: number) => {
		if (request.query.sort) return HANGS;
		return count % 5 === 0 ? refusal(429) : respond(request, count);
	});
	const failed = json.filter(({ result }) => result === 'failed');
	expect(failed.map(({ question }) => question)).toEqual(Array(3).fill('Does sort work?'));
	expect(json.length).toBeGreaterThan(30);
	// Of a card, there is nothing but its ID.
	expect(JSON.stringify(json)).not.toContain('Secret name');
});

test('an empty account: nothing is different, and nothing is said of what it does not show', async () => {
	const empty = { data: [], page: 1, pageSize: 100, totalItemCount: 0, totalPages: 1 };
	const { json, hints } = await send(parameters, ({ path, query }: ApiRequest) =>
		path === '/payments' && !query.accountId ? refusal(400) : { body: empty },
	);
	expect(new Set(json.map(({ result }) => result))).toEqual(new Set(['as assumed', 'no data']));
	expect(hints.map(({ message }) => message)).toEqual([
		`This API behaves as the nodes expect (5 of ${json.length}; the account has no data for the others). Nothing to set.`,
	]);
	const known = json.filter(({ result }) => result === 'as assumed');
	expect(known.map(({ question }) => question)).toEqual([
		'Is there a total?',
		'Is there a total?',
		'Does accountId work?',
		'Is there a total?',
		'Does the key fit Key Scope?',
	]);
});

test('the hint above the output counts the results, and has what to paste; several items ask once', async () => {
	const byLimit: Respond = ({ path, query }, count) =>
		path.includes('/', 1) || path === '/health'
			? respond({ path } as ApiRequest, count)
			: { body: cards.slice(0, Number(query.limit ?? 8)) };
	const { hints, items } = await send(parameters, byLimit, { items: [{}, {}] });
	const words =
		/^\d+ of \d+ answers differ\. Edit the credential, turn on Advanced, paste this into Parameter Names, then test again: {"pageSize":"limit"}$/;
	expect(hints).toMatchObject([{ message: expect.stringMatching(words) }]);
	expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
});

test.each([
	['page_size', 'per_page', 'ignored', '{"pageSize":"page_size"}'],
	['pageSize', 'per_page', 'ignored', undefined],
	['pageSize', 'per_page', 'refused', '{"pageSize":""}'],
])('cards need %s, transactions %s, another one is %s', async (first, second, result, proposed) => {
	const names: Record<string, string> = { '/cards': first, '/transactions': second };
	const { json } = await send(parameters, ({ path, query }: ApiRequest, count: number) => {
		const name = names[path] ?? '';
		const isOther = (each: string) => /pageSize|per_page/.test(each) && each !== name;
		if (result === 'refused' && Object.keys(query).some(isOther)) return refusal(400);
		const body = cards.slice(0, Number(query[name] ?? 8));
		return path in names ? { body } : respond({ path } as ApiRequest, count);
	});
	const answers = json.filter(({ question }) => question === 'Does pageSize work?');
	expect(answers.find(({ topic }) => topic === 'transactions')).toMatchObject({ result });
	const pasted = answers.flatMap(({ whatToDo }) => /\{.*\}/.exec(whatToDo as string) ?? []);
	expect(pasted[0]).toBe(proposed);
});

test('an API that refuses a page size without a page: both work', async () => {
	const { json } = await send(parameters, (request: ApiRequest, count: number) => {
		const { page, pageSize } = request.query;
		if ((page === undefined) !== (pageSize === undefined)) return refusal(400);
		return request.path === '/cards' ? listOf(cards)(request) : respond(request, count);
	});
	const answers = json.filter(
		({ topic, question }) => topic === 'cards' && (question as string).startsWith('Does page'),
	);
	expect(answers.map(({ result }) => result)).toEqual(['as assumed', 'as assumed']);
});

test.each([
	[1, 'got 1 record of an unknown number'],
	[2, 'got 2 records of an unknown number'],
])('%d records, fewer than four: no data, %s', async (count, evidence) => {
	const few: Respond = ({ path }) => ({ body: path === '/cards' ? cards.slice(0, count) : [] });
	const { json } = await send(parameters, few);
	const sizes = json.filter(({ question }) => question === 'Does pageSize work?');
	expect(sizes.map(({ result }) => result)).toEqual(['no data', 'no data', 'no data']);
	expect(json).toContainEqual(expect.objectContaining({ topic: 'cards', evidence }));
});

test.each([
	[
		'nothing to set',
		{},
		/^\d+ of \d+ answers differ\. Nothing to set: the nodes can do without\.$/,
	],
	[
		'a clock to correct',
		{ date: 'Sat, 21 Nov 2026 12:10:00 GMT' },
		/The column whatToDo says what/,
	],
])('the hint says of differences without a name to paste: %s', async (_name, headers, words) => {
	const options = { credential: { keyScope: 'account' } };
	const paged = async (request: ApiRequest, count: number) => {
		const { body, ...reply } = await respond(request, count);
		const { page = 1, pageSize = 100 } = request.query;
		const [first, last] = [Number(pageSize) * (Number(page) - 1), Number(pageSize) * Number(page)];
		return { ...reply, body: body === cards ? cards.slice(first, last) : body, headers };
	};
	const { hints } = await send(parameters, paged, options);
	expect(hints).toMatchObject([{ message: expect.stringMatching(words) }]);
});

test('a parameter without a name is not asked for', async () => {
	const credential = { advanced: true, parameterNames: '{"status":""}' };
	const { json } = await send(parameters, respond, { credential });
	const status = json.filter(({ question }) => question === 'Does status work?');
	expect(new Set(status.map(({ evidence }) => evidence))).toEqual(
		new Set(['not asked: no name or value is set']),
	);
});

test('clock, rate limit, and a payment range that has no effect', async () => {
	const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', { toString: null }];
	const payments = days.map((dueDate, index) => ({ id: idOf(index), dueDate }));
	const headers = { date: 'Sat, 21 Nov 2026 12:10:00 GMT', 'x-ratelimit-limit': '100' };
	const { json } = await send(parameters, async (request: ApiRequest, count: number) =>
		request.path === '/payments'
			? { body: { data: payments } }
			: { ...(await respond(request, count)), headers },
	);
	const find = (question: string) => json.find((item) => item.question === question);
	const clock = find('Do the clocks agree?');
	expect(clock).toMatchObject({ result: 'different', section: '6' });
	expect(clock?.evidence).toMatch(/600 s ahead.*x-ratelimit-limit.*100/);
	expect(find('Does from work?')).toMatchObject({ result: 'ignored', topic: 'payments' });
	expect(find('Does to work?')).toMatchObject({ result: 'ignored' });
});

test('rate limits are shown without the key, which a policy may name', async () => {
	const apiKey = 'live_0123456789abcdef';
	const headers = {
		date: 'Sat, 21 Nov 2026 12:00:00 GMT',
		'ratelimit-policy': `"default";q=100;w=60;pk="${apiKey}"`,
		'x-ratelimit-key': apiKey,
	};
	const withLimits: Respond = async (request, count) => ({
		...(await respond(request, count)),
		headers,
	});
	const { json } = await send(parameters, withLimits, { credential: { apiKey } });
	expect(JSON.stringify(json)).not.toContain(apiKey);
	const clocks = json.find(({ question }) => question === 'Do the clocks agree?');
	expect(clocks?.evidence).toContain('x-ratelimit-key');
	expect(clocks?.evidence).toContain('[API key]');
});

/** The first cards, with a total. */
const upTo =
	(last: number, total: object): Respond =>
	(request, count) => {
		const { page = '1', pageSize = '100' } = request.query;
		const size = Number(pageSize);
		const data = cards.slice(0, last).slice((Number(page) - 1) * size, Number(page) * size);
		return request.path === '/cards'
			? { body: { data, page: Number(page), pageSize: size, ...total } }
			: respond(request, count);
	};

test.each<[string, Respond, string]>([
	['an exact total', upTo(8, { totalItemCount: 8 }), 'as assumed'],
	['an exact total, and a record more', upTo(8, { totalItemCount: 7 }), 'different'],
	[
		'a lower bound, and more records',
		upTo(8, { totalItemCount: 5, totalItemCountCapped: true }),
		'as assumed',
	],
	[
		'a lower bound at which the list stops',
		upTo(5, { totalItemCount: 5, totalItemCountCapped: true }),
		'different',
	],
	['no total', upTo(8, {}), 'as assumed'],
])('the end of a list: %s', async (_name, api, result) => {
	const { json, sent } = await send(parameters, api);
	const end = json.find(
		({ topic, question }) => topic === 'cards' && question === 'Does the list end with its total?',
	);
	expect(end?.result).toBe(result);
	const asked = sent.flatMap(({ path, query }) =>
		path === '/cards' && query.pageSize === '1' ? [query.page] : [],
	);
	expect(asked).toHaveLength(2);
});

test.each([
	[
		'account',
		400,
		'If the key covers several accounts, set Key Scope in the credential to Customer.',
	],
	['customer', 200, 'If the key covers one account, set Key Scope in the credential to Account.'],
])('Key Scope %s, and %d without an account: what to check', async (keyScope, status, hint) => {
	const { json, sent } = await send(
		parameters,
		(request: ApiRequest, count: number) =>
			request.path === '/payments' && !request.query.accountId
				? status === 400
					? refusal(400)
					: { body: { data: [] } }
				: respond(request, count),
		{ credential: { keyScope, accountId: '1001' } },
	);
	const fits = json.find(({ question }) => question === 'Does the key fit Key Scope?');
	expect(fits).toMatchObject({ result: 'different', whatToDo: hint });
	// No day that an API could refuse because it is still to come.
	const { to } = sent.find(({ path }) => path === '/payments')?.query ?? {};
	expect(to).toBe('2026-11-19');
});
