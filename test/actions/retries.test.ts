import { execute, type ExecuteOptions, newExecution, useFakeClock } from '../support/execute';
import {
	type ApiRequest,
	fakeApi,
	listOf,
	networkError,
	refusal,
	type Reply,
} from '../support/fakeApi';
import { byId, CARD as id, OPERATIONS, parametersOf, succeed } from '../support/operations';
import { items as records } from '../support/pages';

useFakeClock();

const get = parametersOf('card/get');
const { body: card } = succeed({ method: 'GET', path: `/cards/${id}` });

const drop = (): never => {
	throw networkError('ECONNRESET');
};

const retryAfter = (seconds: string) => ({ 'retry-after': seconds });

const failures: Record<string, () => Reply> = {
	'a dropped connection': drop,
	...Object.fromEntries(
		[408, 429, 500, 502, 503, 504].map((status) => [String(status), () => refusal(status)]),
	),
	// What stands in front of the API is not the API.
	'a 404 of an ingress': () => ({ status: 404, body: '<html>404 Not Found</html>' }),
	'a 404 without a body': () => ({ status: 404 }),
	'500 with Retry-After': () => refusal(500, retryAfter('1')),
	'503 with Retry-After': () => refusal(503, retryAfter('1')),
	'503 with Retry-After: 0': () => refusal(503, retryAfter('0')),
	'503 of a proxy, with Retry-After': () => ({ ...refusal(503, retryAfter('1')), body: '<html>' }),
	'503 with a Retry-After that says nothing': () => refusal(503, retryAfter('soon')),
};

/** An API that gives these responses first, and then accepts everything. */
const apiAfter = (replies: Reply[], latency = 0) =>
	fakeApi((request, count) => replies[count - 1] ?? succeed(request), { latency });
const retriedAlways = OPERATIONS.filter(({ effect }) => effect !== 'unrepeatable');
describe.each(Object.entries(failures))('after %s', (failure, fail) => {
	// Nothing was carried out: the API says so.
	const isSafe = /^(429|503 with Retry-After(: 0)?)$/.test(failure);

	test.each(OPERATIONS)('$name, $effect', async ({ effect, parameters }) => {
		const api = fakeApi((request, count) => (count === 1 ? fail() : succeed(request)));
		const { error } = await execute(api, parameters);
		const isRetried = effect !== 'unrepeatable' || isSafe;
		expect(api.requests).toHaveLength(isRetried ? 2 : 1);
		expect(error).toEqual(isRetried ? undefined : expect.any(Error));
	});
});

test.each([400, 401, 403, 404, 409, 501, 'HTML', 'ERR_INVALID_URL'])(
	'%s is not retried',
	async (what) => {
		for (const { parameters } of retriedAlways) {
			const api = fakeApi(() => {
				if (what === 'HTML') return { status: 400, body: '<html>' };
				if (typeof what === 'string') throw networkError(what);
				return refusal(what);
			});
			const { error } = await execute(api, parameters);
			expect(api.requests).toHaveLength(1);
			expect(error).toBeDefined();
		}
	},
);

const timesOf = (requests: ApiRequest[]) => requests.map(({ at }) => at);

test.each<[string, () => Reply, number[]]>([
	['of the connection', drop, [0, 500, 1_500, 3_500]],
	['with a status', () => refusal(500), [0, 500, 1_500, 3_500]],
	['with Retry-After', () => refusal(503, retryAfter('7')), [0, 7_000, 14_000, 21_000]],
])('a failure %s is retried three times, then reported', async (_name, fail, times) => {
	const api = fakeApi(fail);
	const { error } = await execute(api, parametersOf('card/freeze'));
	expect(error).toBeDefined();
	expect(timesOf(api.requests)).toEqual(times);
});

test('jitter takes up to half of a wait away', async () => {
	jest.mocked(Math.random).mockReturnValue(0);
	const api = fakeApi(drop);
	await execute(api, get);
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
	['several values', ['3'], 500],
])('Retry-After: %s', async (_name, given, wait) => {
	const api = apiAfter([{ ...refusal(429), headers: { 'retry-after': given } }]);
	await execute(api, get);
	expect(timesOf(api.requests)).toEqual([0, wait]);
});

test('failures of different kinds share the three retries, and a 429 uses up none', async () => {
	const statuses = [503, 429, 502, 429, 429, 500, 429, 504];
	const api = apiAfter(statuses.map((status) => refusal(status)));
	const { error } = await execute(api, get);
	expect(api.requests).toHaveLength(statuses.length);
	expect(error).toMatchObject({ httpCode: '504' });
});

test('waits after 429s without Retry-After are doubled from half a second to 8 seconds', async () => {
	const api = apiAfter(Array<Reply>(7).fill(refusal(429)));
	await execute(api, parametersOf('card/create'));
	expect(timesOf(api.requests)).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 23_500, 31_500]);
});

test.each([
	['0.5', 500],
	['0.499', 8_000],
])('a Retry-After of %s after many 429s: a wait of %d ms', async (seconds, wait) => {
	const api = apiAfter(Array<Reply>(7).fill(refusal(429, retryAfter(seconds))));
	await execute(api, get);
	const [before = 0, last = 0] = timesOf(api.requests).slice(-2);
	expect(last - before).toBe(wait);
});

test('an API that never responds: each attempt ends after a minute', async () => {
	const api = fakeApi(async () => await new Promise(() => undefined));
	const { error } = await execute(api, parametersOf('connection/check'));
	expect(timesOf(api.requests)).toEqual([0, 60_500, 121_500, 183_500]);
	expect(error?.message).toContain('No complete response');
});

describe('many requests', () => {
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
			return isList ? listOf(records(100))({ query: {} }) : { body: { id } };
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

	const list = parametersOf('transaction/getAll', { returnAll: true });

	test.each([
		[10, 12],
		[2, 2],
	])('the pages of all items share a limit of %d', async (most, count) => {
		const api = fakeApi(listOf(records(500)), { latency: 100 });
		const credential = limitOf(most);
		const { items } = await execute(api, list, { items: cards(count), credential });
		expect(items).toHaveLength(count * 500);
		expect(api.mostInFlight()).toBe(most);
	});

	/** How many requests each turn has, if those from a number up to the 90th get another response. */
	async function turnsWith(respond: () => Reply, from = 61) {
		const api = fakeApi(
			(request, count) => (count >= from && count <= 90 ? respond() : succeed(request)),
			{ latency: 100 },
		);
		await execute(api, get, { items: cards(120), node: { onError: 'continueRegularOutput' } });
		return perTurn(api.requests);
	}

	test('failures in a row reduce the number in flight, whatever they are; refused requests do not', async () => {
		const turns = await turnsWith(drop);
		// After the fifth turn, never again as many are sent together.
		expect(turns.indexOf(Math.max(...turns))).toBe(4);
		for (const status of [408, 500, 504]) {
			expect(await turnsWith(() => refusal(status))).toEqual(turns);
		}
		const undisturbed = await turnsWith(() => ({ body: { id } }));
		expect(await turnsWith(() => refusal(404), 1)).toEqual(undisturbed);
	});

	const cardOf = (index: number) => ({ id: id.slice(0, -1) + String(index) });
	const getEach = parametersOf('transaction/get', { transactionId: '={{ $json.id }}' });
	test('a retry after a 503 is not sent during the pause after a 429', async () => {
		const api = apiAfter([refusal(503), refusal(429, retryAfter('30'))], 100);
		const { items } = await execute(api, getEach, { items: [cardOf(0), cardOf(1)] });
		expect(items).toHaveLength(2);
		const times = timesOf(api.requests).slice(2);
		expect(times.filter((at) => at < 30_100)).toEqual([]);
	});

	test('a request that was rate limited is sent before those not sent yet', async () => {
		const api = apiAfter([refusal(429, retryAfter('1'))], 100);
		const items = Array.from({ length: 8 }, (_, index) => cardOf(index));
		await execute(api, getEach, { items, credential: limitOf(3) });
		const sent = api.requests.map(({ path }) => Number(path.at(-1)));
		expect(sent).toEqual([0, 1, 2, 0, 3, 4, 5, 6, 7]);
	});

	test('a failure other than a 429 keeps its place, and slows down nothing', async () => {
		const api = apiAfter([refusal(503)], 100);
		await execute(api, get, { items: cards(9), credential: limitOf(3) });
		expect(perTurn(api.requests)).toEqual([3, 2, 2, 2, 1]);
	});

	test('a list continues after a 429, with the page that was rate limited', async () => {
		const all = records(1_000);
		let wasRefused = false;
		const api = fakeApi(
			(request) => {
				if (request.query.page !== '2' || wasRefused) return listOf(all)(request);
				wasRefused = true;
				return refusal(429, retryAfter('1'));
			},
			{ latency: 100 },
		);
		const { json } = await execute(api, parametersOf('card/getAll', { returnAll: true }));
		expect(json).toEqual(all);
		const pages = api.requests.map(({ query }) => Number(query.page ?? 1));
		// The first page is looked at again in the end.
		expect(pages).toEqual([1, 2, 3, 4, 5, 2, 6, 7, 8, 9, 10, 1]);
		expect(timesOf(api.requests).filter((at) => at > 100 && at < 1_200)).toEqual([]);
	});
});

test.each(['card/get', 'account/rename'])(
	'%s: a resource whose own limit is always used up fails alone',
	async (name) => {
		const other = id.replace(/^c/, 'd');
		const api = fakeApi((request) =>
			/\/(1002|da4d0000[^/]*)$/.test(request.path) ? refusal(429) : succeed(request),
		);
		const perItem = { cardId: byId('={{ $json.cardId }}'), accountId: '={{ $json.accountId }}' };
		const items = Array.from({ length: 21 }, (_, index) =>
			index === 0 ? { cardId: other, accountId: 1002 } : { cardId: id, accountId: 1001 },
		);
		const node = { onError: 'continueRegularOutput' } as const;
		const { json } = await execute(api, { ...parametersOf(name), ...perItem }, { items, node });
		expect(json.map((item) => 'error' in item)).toEqual(items.map((_, index) => index === 0));
	},
);

describe('an API whose quota is used up', () => {
	const quota = (accepted: number) =>
		fakeApi(
			(request, count) => (count <= accepted ? succeed(request) : refusal(429, retryAfter('3600'))),
			{ latency: 100 },
		);
	const items = Array.from({ length: 1_000 }, () => ({}));

	test.each<[string, ExecuteOptions, number]>([
		['a manual run', { execution: newExecution('1', 'manual') }, 20_000],
		['a tool', { node: { type: 'n8n-nodes-card-platform.cardPlatformTool' } }, 20_000],
		['a published workflow', {}, 240_000],
	])('%s: for how long it is tried', async (_name, options, patience) => {
		for (const header of [{}, retryAfter('60')]) {
			const api = fakeApi(() => refusal(429, header));
			const { error } = await execute(api, get, options);
			const seconds = patience / 1_000;
			expect(error?.message).toBe(`The API is busy: it refused every request for ${seconds} s`);
			const last = timesOf(api.requests).at(-1) ?? 0;
			expect(last).toBeGreaterThanOrEqual(patience);
			expect(last).toBeLessThan(patience + 8_000);
		}
	});

	test.each([4, 32])(
		'%d requests in flight: after some minutes, all other items fail, and say that they were not sent',
		async (most) => {
			const api = quota(500);
			const { json } = await execute(api, get, {
				items,
				credential: { maxConcurrentRequests: most },
				node: { onError: 'continueRegularOutput' },
			});
			expect(json.slice(0, 500)).toEqual(json.slice(0, 500).map(() => card));
			const hints = [
				'This item changed nothing',
				'The API said: Some message (429 some-code).',
				'A quota may be used up',
			];
			for (const hint of hints)
				expect(json.slice(500)).toContainEqual({
					error: 'The API is busy: it refused every request for 240 s',
					message: { hint: expect.stringContaining(hint), httpCode: '429' },
				});
			const [from = 0, ...more] = timesOf(api.requests).slice(500);
			expect((more.at(-1) ?? 0) - from).toBeLessThan(5 * 60_000);
		},
	);

	test('failures of the API between 429s are not taken for a quota', async () => {
		const api = fakeApi((request, count) => {
			if (request.at >= 600_000) return succeed(request);
			return count % 2 === 1 ? refusal(429, retryAfter('60')) : drop();
		});
		const { json } = await execute(api, get, {
			items,
			credential: { maxConcurrentRequests: 1 },
			node: { onError: 'continueRegularOutput' },
		});
		expect(json.at(-1)).toEqual(card);
		expect(JSON.stringify(json)).not.toContain('The API is busy');
	});

	test.each([0, 3_600_000])(
		'a clock that was set back by %d ms, and is set forward in a pause: the run goes on',
		async (back) => {
			const isRefused = (count: number) => count === 3 || count === 4;
			const api = fakeApi(
				(request, count) => (isRefused(count) ? refusal(429, retryAfter('10')) : succeed(request)),
				{ latency: 10 },
			);
			let ahead = 0;
			const { now } = Date;
			jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
			setTimeout(() => (ahead = -back), 5);
			setTimeout(() => (ahead = 3_600_000 - back), 5_000);
			const { error } = await execute(api, get, {
				items,
				credential: { maxConcurrentRequests: 1 },
			});
			expect(error).toBeUndefined();
		},
	);
});
