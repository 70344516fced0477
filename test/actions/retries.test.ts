import type { INodeParameters } from 'n8n-workflow';

import { Limiter } from '../../nodes/CardPlatform/transport/limiter';
import { execute, useFakeClock } from '../support/execute';
import { type ApiRequest, fakeApi, networkError, refusal, type Reply } from '../support/fakeApi';

useFakeClock();

const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const cardId = { __rl: true, mode: 'id', value: id };

const operations: Record<string, INodeParameters> = {
	'account: rename': { resource: 'account', operation: 'rename', accountId: '1001', name: 'Ops' },
	'account: transfer': {
		resource: 'account',
		operation: 'transfer',
		accountId: '1001',
		toAccountId: '1002',
		amount: '5.00',
	},
	'card: archive': { resource: 'card', operation: 'archive', cardId },
	'card: create': { resource: 'card', operation: 'create', name: 'Travel', type: 'recurring' },
	'card: freeze': { resource: 'card', operation: 'freeze', cardId },
	'card: get': { resource: 'card', operation: 'get', cardId },
	'card: unfreeze': { resource: 'card', operation: 'unfreeze', cardId },
	'card: update': { resource: 'card', operation: 'update', cardId, updateFields: { name: 'New' } },
};

const parametersOf = (name: string): INodeParameters => operations[name] ?? {};

function succeed({ path }: Pick<ApiRequest, 'path'>): Reply {
	const transfer = { id, fromAccountId: 1001, toAccountId: 1002, status: 'x', createdAt: 'x' };
	if (path.endsWith('/transfers')) return { status: 201, body: transfer };
	return { body: path.startsWith('/accounts') ? { id: 1001, name: 'Ops' } : { id } };
}

const drop = (): never => {
	throw networkError('ECONNRESET');
};

const failures: Record<string, () => Reply> = {
	'a dropped connection': drop,
	...Object.fromEntries(
		[408, 429, 500, 502, 503, 504].map((status) => [String(status), () => refusal(status)]),
	),
	'500 with Retry-After': () => refusal(500, { 'retry-after': '1' }),
	'503 with Retry-After': () => refusal(503, { 'retry-after': '1' }),
	'503 with Retry-After: 0': () => refusal(503, { 'retry-after': '0' }),
	'503 with a Retry-After that says nothing': () => refusal(503, { 'retry-after': 'soon' }),
};

const rows = Object.keys(operations).flatMap((operation) =>
	Object.keys(failures).map((failure) => {
		const happensTwice = ['card: create', 'card: update'].includes(operation);
		const isSafe = !happensTwice || /^(429|503 with Retry-After(: 0)?)$/.test(failure);
		return { operation, failure, requests: isSafe ? 2 : 1 };
	}),
);

test.each(rows)('$operation after $failure: $requests request(s)', async (row) => {
	const api = fakeApi((request, count) =>
		count === 1 ? (failures[row.failure] ?? drop)() : succeed(request),
	);
	const { error } = await execute(api, parametersOf(row.operation));
	expect(api.requests).toHaveLength(row.requests);
	expect(error === undefined).toBe(row.requests === 2);
});

describe('the limiter hears of', () => {
	/** Whether the failure of a request counts as the API's trouble, or as an answer. */
	async function heard(failure: () => Reply) {
		const trouble = jest.spyOn(Limiter.prototype, 'onFailure');
		const answer = jest.spyOn(Limiter.prototype, 'onSuccess');
		const api = fakeApi((request, count) => (count === 1 ? failure() : succeed(request)));
		await execute(api, parametersOf('card: create'));
		const calls = [trouble.mock.calls.length, answer.mock.calls.length];
		jest.restoreAllMocks();
		return calls;
	}

	test.each<[string, () => Reply]>([
		['a dropped connection', drop],
		['408', () => refusal(408)],
		['500', () => refusal(500)],
		['504', () => refusal(504)],
	])('trouble: %s', async (_name, failure) => {
		expect(await heard(failure)).toEqual([1, 0]);
	});

	test.each([300, 400, 404, 409, 499])('an answer: %d', async (status) => {
		expect(await heard(() => refusal(status))).toEqual([0, 1]);
	});
});

test.each([400, 401, 403, 404, 409, 501])('status %d is not retried', async (status) => {
	for (const operation of ['card: get', 'card: freeze', 'account: rename']) {
		const api = fakeApi(() => refusal(status));
		const { error } = await execute(api, parametersOf(operation));
		expect(api.requests).toHaveLength(1);
		expect(error).toMatchObject({ httpCode: String(status) });
	}
});

test.each(['card: get', 'card: freeze', 'account: rename'])(
	'%s: a failure other than of the connection is not retried',
	async (operation) => {
		const api = fakeApi(() => {
			throw networkError('ERR_INVALID_URL');
		});
		const { error } = await execute(api, parametersOf(operation));
		expect(api.requests).toHaveLength(1);
		expect(error).toBeDefined();
	},
);

const timesOf = (requests: ApiRequest[]) => requests.map(({ at }) => at);

test.each<[string, () => Reply, number[]]>([
	['of the connection', drop, [0, 500, 1_500, 3_500]],
	['with a status', () => refusal(500), [0, 500, 1_500, 3_500]],
	['with Retry-After', () => refusal(503, { 'retry-after': '7' }), [0, 7_000, 14_000, 21_000]],
])('a failure %s is retried three times, then reported', async (_name, fail, times) => {
	const api = fakeApi(fail);
	const { error } = await execute(api, parametersOf('card: freeze'));
	expect(error).toBeDefined();
	expect(timesOf(api.requests)).toEqual(times);
});

test('jitter takes up to half of a wait away', async () => {
	jest.mocked(Math.random).mockReturnValue(0);
	const api = fakeApi(drop);
	await execute(api, parametersOf('card: get'));
	expect(timesOf(api.requests)).toEqual([0, 250, 750, 1_750]);
});

test.each([
	['seconds', '3', 3_000],
	['seconds and a fraction, between blanks', ' 0.75 ', 750],
	['a date gone by', 'Wed, 21 Oct 2015 07:28:00 GMT', 500],
	['zero', '0', 500],
	['a date ahead', 'Sat, 21 Nov 2026 12:00:09 GMT', 9_000],
	['a date far ahead', 'Fri, 21 Oct 2095 07:28:00 GMT', 60_000],
	['huge', '999999', 60_000],
	['garbage', 'soon', 500],
	['negative', '-7', 500],
	['an exponent', '1e3', 500],
	['blank', '  ', 500],
	['a date that is not of HTTP', '2026-11-21T12:00:09Z', 500],
])('Retry-After: %s', async (_name, retryAfter, wait) => {
	const api = fakeApi((request, count) =>
		count > 1 ? succeed(request) : refusal(429, { 'retry-after': retryAfter }),
	);
	await execute(api, parametersOf('card: get'));
	expect(timesOf(api.requests)).toEqual([0, wait]);
});

test('a Retry-After that is not a string is ignored', async () => {
	const headers = { 'retry-after': ['3'] };
	const api = fakeApi((request, count) =>
		count > 1 ? succeed(request) : { ...refusal(429), headers },
	);
	await execute(api, parametersOf('card: get'));
	expect(timesOf(api.requests)).toEqual([0, 500]);
});

test('failures of different kinds share the three retries, and a 429 uses up none', async () => {
	const statuses = [503, 429, 502, 429, 429, 500, 429, 504];
	const api = fakeApi((_request, count) => refusal(statuses[count - 1] ?? 400));
	const { error } = await execute(api, parametersOf('card: get'));
	expect(api.requests).toHaveLength(statuses.length);
	expect(error).toMatchObject({ httpCode: '504' });
});

test('waits after 429s without Retry-After are doubled from half a second to 8 seconds', async () => {
	const api = fakeApi((request, count) => (count <= 7 ? refusal(429) : succeed(request)));
	await execute(api, parametersOf('card: create'));
	expect(timesOf(api.requests)).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 23_500, 31_500]);
});

test.each([
	['0.5', 500],
	['0.499', 8_000],
])('a Retry-After of %s after many 429s: a wait of %d ms', async (retryAfter, wait) => {
	const reply = refusal(429, { 'retry-after': retryAfter });
	const api = fakeApi((request, count) => (count <= 7 ? reply : succeed(request)));
	await execute(api, parametersOf('card: get'));
	const [before = 0, last = 0] = timesOf(api.requests).slice(-2);
	expect(last - before).toBe(wait);
});

test('requests that get more 429s than there are retries: none fails', async () => {
	const api = fakeApi((request, count) => (count <= 10 ? refusal(429) : succeed(request)));
	const { items, error } = await execute(api, parametersOf('card: get'), {
		items: Array.from({ length: 8 }, () => ({})),
		credential: { maxConcurrentRequests: 4 },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(8);
	expect(api.requests).toHaveLength(18);
});

test('a transfer keeps its key when it is sent again', async () => {
	const api = fakeApi((request, count) => (count < 4 ? drop() : succeed(request)));
	const { error } = await execute(api, parametersOf('account: transfer'));
	expect(error).toBeUndefined();
	const keys = api.requests.map(({ headers }) => headers['Idempotency-Key']);
	expect(keys).toHaveLength(4);
	expect(new Set(keys).size).toBe(1);
});

test('an API that never responds: each attempt ends after a minute', async () => {
	const api = fakeApi(async () => await new Promise(() => undefined));
	const { error } = await execute(api, { resource: 'connection', operation: 'check' });
	expect(timesOf(api.requests)).toEqual([0, 60_500, 121_500, 183_500]);
	expect(error?.message).toContain('No complete response');
});

describe('many requests', () => {
	const get = parametersOf('card: get');
	const cards = (count: number) => Array.from({ length: count }, () => ({}));
	const limitOf = (limit: number | string) => ({ maxConcurrentRequests: limit });
	/** How many requests came together; the API takes 100 ms for each. */
	const perTurn = (requests: ApiRequest[]) => {
		const turns = new Map<number, number>();
		for (const { at } of requests) turns.set(at, (turns.get(at) ?? 0) + 1);
		return [...turns.values()];
	};

	test.each([
		[undefined, 32],
		[1, 1],
		[3, 3],
		[25, 25],
		['7', 7],
	])('a limit of %s in the credential: %d in flight, once they all succeed', async (said, most) => {
		const api = fakeApi(succeed, { latency: 100 });
		const credential = said === undefined ? undefined : limitOf(said);
		const { items } = await execute(api, get, { items: cards(200), credential });
		expect(items).toHaveLength(200);
		expect(api.mostInFlight()).toBe(most);
		expect(perTurn(api.requests)[0]).toBe(Math.min(4, most));
	});

	test('slow requests beside a fast list: as many are in flight as without it', async () => {
		const api = fakeApi(async ({ path }) => {
			const isList = path === '/cards';
			await new Promise((resolve) => setTimeout(resolve, isList ? 10 : 100));
			const data = cards(100).map((_, index) => ({ id: `${index}` }));
			return { body: isList ? { data, page: 1, pageSize: 100, totalPages: 1 } : { id } };
		});
		const { items } = await execute(api, {
			resource: 'card',
			operation: 'getAll',
			returnAll: true,
			options: { includeDetails: true },
		});
		expect(items).toHaveLength(100);
		expect(api.mostInFlight()).toBeGreaterThan(8);
	});

	const page = ({ query }: ApiRequest, pages: number): Reply => {
		const number = Number(query.page);
		const data = Array.from({ length: 100 }, (_, index) => ({ id: `${number}-${index}` }));
		return {
			body: {
				data,
				page: number,
				pageSize: 100,
				totalItemCount: pages * 100,
				totalPages: pages,
			},
		};
	};
	const list = { resource: 'transaction', operation: 'getAll', returnAll: true };

	test.each([
		[10, 12],
		[2, 2],
	])('the pages of all items share a limit of %d', async (most, count) => {
		const api = fakeApi((request) => page(request, 5), { latency: 100 });
		const credential = limitOf(most);
		const { items } = await execute(api, list, { items: cards(count), credential });
		expect(items).toHaveLength(count * 500);
		expect(api.mostInFlight()).toBe(most);
	});

	test.each([
		[0, 1],
		[0, 4],
		[60, 20],
	])('after %d responses, %d are refused: all go on, and none fails', async (first, refused) => {
		const api = fakeApi(
			(request, count) =>
				count > first && count <= first + refused
					? refusal(429, { 'retry-after': '1' })
					: succeed(request),
			{ latency: 100 },
		);
		const { items, error } = await execute(api, get, { items: cards(120) });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(120);
		expect(api.requests).toHaveLength(120 + refused);
	});

	test('failures in a row halve the number in flight', async () => {
		const api = fakeApi(
			(request, count) => (count > 60 && count <= 64 ? refusal(502) : succeed(request)),
			{ latency: 100 },
		);
		const { items } = await execute(api, get, { items: cards(120) });
		expect(items).toHaveLength(120);
		const turns = perTurn(api.requests);
		const most = Math.max(...turns);
		expect(Math.max(...turns.slice(turns.indexOf(most) + 2))).toBeLessThan(most);
	});

	test('after a 429 nothing is sent before the time that the API named', async () => {
		const api = fakeApi(
			(request, count) => (count <= 3 ? refusal(429, { 'retry-after': '30' }) : succeed(request)),
			{ latency: 100 },
		);
		const { items } = await execute(api, get, { items: cards(60) });
		expect(items).toHaveLength(60);
		expect(timesOf(api.requests).filter((at) => at > 0 && at < 30_100)).toEqual([]);
		expect(perTurn(api.requests)[0]).toBe(4);
	});

	const cardOf = (index: number) => ({ id: id.slice(0, -1) + String(index) });
	const getEach = {
		resource: 'transaction',
		operation: 'get',
		transactionId: '={{ $json.id }}',
	};
	test('a retry after a 503 is not sent during the pause after a 429', async () => {
		const api = fakeApi(
			({ path }, count) => {
				if (count === 1) return refusal(503);
				return count === 2 ? refusal(429, { 'retry-after': '30' }) : succeed({ path });
			},
			{ latency: 100 },
		);
		const { items } = await execute(api, getEach, { items: [cardOf(0), cardOf(1)] });
		expect(items).toHaveLength(2);
		expect(
			timesOf(api.requests)
				.slice(2)
				.filter((at) => at < 30_100),
		).toEqual([]);
	});

	test('a request that was rate limited is sent before those not sent yet', async () => {
		const api = fakeApi(
			(request, count) => (count === 1 ? refusal(429, { 'retry-after': '1' }) : succeed(request)),
			{ latency: 100 },
		);
		await execute(
			api,
			{ resource: 'transaction', operation: 'get', transactionId: '={{ $json.id }}' },
			{
				items: Array.from({ length: 8 }, (_, index) => ({ id: id.slice(0, -1) + String(index) })),
				credential: limitOf(3),
			},
		);
		expect(api.requests.map(({ path }) => Number(path.at(-1)))).toEqual([
			0, 1, 2, 0, 3, 4, 5, 6, 7,
		]);
	});

	test('a failure other than a 429 keeps its place, and slows down nothing', async () => {
		const api = fakeApi((request, count) => (count === 1 ? refusal(503) : succeed(request)), {
			latency: 100,
		});
		await execute(api, get, {
			items: cards(9),
			credential: limitOf(3),
		});
		expect(perTurn(api.requests)).toEqual([3, 2, 2, 2, 1]);
	});

	test('a request that failed for good makes way for the next', async () => {
		const api = fakeApi((request, count) => (count === 1 ? refusal(404) : succeed(request)), {
			latency: 100,
		});
		const { items } = await execute(api, get, {
			items: cards(4),
			credential: limitOf(1),
			node: { onError: 'continueRegularOutput' },
		});
		expect(items).toHaveLength(4);
		expect(timesOf(api.requests)).toEqual([0, 100, 200, 300]);
	});

	test('a page that was rate limited is requested before those not requested yet', async () => {
		let wasRefused = false;
		const api = fakeApi(
			(request) => {
				if (request.query.page !== '2' || wasRefused) return page(request, 7);
				wasRefused = true;
				return refusal(429, { 'retry-after': '1' });
			},
			{ latency: 100 },
		);
		await execute(api, list, { credential: limitOf(2) });
		expect(api.requests.slice(0, 8).map(({ query }) => Number(query.page))).toEqual([
			1, 2, 3, 2, 4, 5, 6, 7,
		]);
	});

	test('a list continues after a 429, with the page that was rate limited', async () => {
		let wasRefused = false;
		const api = fakeApi(
			(request) => {
				if (request.query.page !== '2' || wasRefused) return page(request, 10);
				wasRefused = true;
				return refusal(429, { 'retry-after': '1' });
			},
			{ latency: 100 },
		);
		const { json } = await execute(api, { ...list, resource: 'card' });
		expect(json.map(({ id: each }) => each)).toEqual(
			Array.from({ length: 1_000 }, (_, index) => `${Math.floor(index / 100) + 1}-${index % 100}`),
		);
		const pages = api.requests.map(({ query }) => Number(query.page));
		// The first page is looked at again in the end.
		expect(pages).toEqual([1, 2, 3, 4, 5, 2, 6, 7, 8, 9, 10, 1]);
		expect(timesOf(api.requests).filter((at) => at > 100 && at < 1_200)).toEqual([]);
	});
});

test('an API that accepts 60 requests in each minute, without Retry-After: no item fails', async () => {
	const accepted = new Map<number, number>();
	const api = fakeApi(
		(request) => {
			const minute = Math.floor(request.at / 60_000);
			const count = accepted.get(minute) ?? 0;
			if (count === 60) return refusal(429);
			accepted.set(minute, count + 1);
			return succeed(request);
		},
		{ latency: 50 },
	);
	const { json } = await execute(api, parametersOf('card: get'), {
		items: Array.from({ length: 300 }, () => ({})),
		node: { onError: 'continueRegularOutput' },
	});
	expect(json.filter(({ error }) => error !== undefined)).toEqual([]);
	expect(api.requests.length).toBeLessThan(400);
});

test.each(['card: get', 'account: rename'])(
	'%s: a resource whose own limit is always used up fails alone',
	async (name) => {
		const other = id.replace(/^4/, '5');
		const api = fakeApi((request) =>
			/\/(1002|5f1c6a52[^/]*)$/.test(request.path) ? refusal(429) : succeed(request),
		);
		const { json } = await execute(
			api,
			{
				...parametersOf(name),
				cardId: { ...cardId, value: '={{ $json.cardId }}' },
				accountId: '={{ $json.accountId }}',
			},
			{
				items: [
					{ cardId: other, accountId: 1002 },
					...Array.from({ length: 20 }, () => ({ cardId: id, accountId: 1001 })),
				],
				node: { onError: 'continueRegularOutput' },
			},
		);
		expect(json.map((item) => 'error' in item)).toEqual([true, ...Array<boolean>(20).fill(false)]);
	},
);

describe('an API whose quota is used up', () => {
	const quota = (accepted: number) =>
		fakeApi(
			(request, count) =>
				count <= accepted ? succeed(request) : refusal(429, { 'retry-after': '3600' }),
			{ latency: 100 },
		);
	const items = Array.from({ length: 1_000 }, () => ({}));

	test.each([4, 32])('%d requests in flight: the run fails after some minutes', async (most) => {
		const api = quota(500);
		const credential = { maxConcurrentRequests: most };
		const { error } = await execute(api, parametersOf('card: get'), { items, credential });
		expect(error).toMatchObject({ message: 'Some message (429 some-code)', httpCode: '429' });
		const [from = 0, ...more] = timesOf(api.requests).slice(500);
		expect((more.at(-1) ?? 0) - from).toBeLessThan(5 * 60_000);
	});

	test('with Continue On Fail, the other items fail at the same time, and say that they were not sent', async () => {
		const api = quota(500);
		const start = Date.now();
		const { json } = await execute(api, parametersOf('card: get'), {
			items,
			node: { onError: 'continueRegularOutput' },
		});
		expect(json.slice(0, 500)).toEqual(json.slice(0, 500).map(() => ({ id })));
		expect(json.at(-1)).toMatchObject({
			error: expect.stringMatching(/^The request was not sent, because the API responds .* 429/),
			message: {
				hint: expect.stringContaining('Nothing was changed by this item'),
				httpCode: '429',
			},
		});
		expect(Date.now() - start).toBeLessThan(6 * 60_000);
	});

	test.each([1, 32])('429s that end in time fail nothing, %d requests in flight', async (most) => {
		const api = fakeApi(
			(request) => {
				const isBusy = request.at % 200_000 < 1_000;
				return isBusy ? refusal(429, { 'retry-after': '60' }) : succeed(request);
			},
			{ latency: 1_000 },
		);
		const credential = { maxConcurrentRequests: most };
		const { error } = await execute(api, parametersOf('card: get'), { items, credential });
		expect(error).toBeUndefined();
	});

	test('failures of the API between 429s are not taken for a quota', async () => {
		const api = fakeApi((request, count) => {
			if (request.at >= 600_000) return succeed(request);
			return count % 2 === 1 ? refusal(429, { 'retry-after': '60' }) : drop();
		});
		const { json } = await execute(api, parametersOf('card: get'), {
			items,
			credential: { maxConcurrentRequests: 1 },
			node: { onError: 'continueRegularOutput' },
		});
		expect(json.at(-1)).toEqual({ id });
		expect(JSON.stringify(json)).not.toContain('The request was not sent');
	});

	test.each([0, 3_600_000])(
		'a clock that was set back by %d ms, and is set forward in a pause: the run goes on',
		async (back) => {
			const isRefused = (count: number) => count === 3 || count === 4;
			const api = fakeApi(
				(request, count) =>
					isRefused(count) ? refusal(429, { 'retry-after': '10' }) : succeed(request),
				{ latency: 10 },
			);
			let ahead = 0;
			const { now } = Date;
			jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
			setTimeout(() => (ahead = -back), 5);
			setTimeout(() => (ahead = 3_600_000 - back), 5_000);
			const { error } = await execute(api, parametersOf('card: get'), {
				items,
				credential: { maxConcurrentRequests: 1 },
			});
			expect(error).toBeUndefined();
		},
	);

	test('a list: no more pages are requested', async () => {
		const api = fakeApi(
			({ query }, count) => {
				const page = Number(query.page);
				const data = Array.from({ length: 100 }, (_, index) => ({ id: `${page}-${index}` }));
				const totals = { totalPages: 500, totalItemCount: 50_000 };
				const body = { data, page, pageSize: 100, ...totals };
				return count <= 100 ? { body } : refusal(429, { 'retry-after': '3600' });
			},
			{ latency: 100 },
		);
		const parameters = { resource: 'transaction', operation: 'getAll', returnAll: true };
		const { error } = await execute(api, parameters);
		expect(error).toMatchObject({ httpCode: '429' });
		expect(api.requests.length).toBeGreaterThan(100);
		expect(timesOf(api.requests).at(-1)).toBeLessThan(5 * 60_000);
	});
});
