import type { INodeParameters } from 'n8n-workflow';

import {
	execute,
	type ExecuteOptions,
	newExecution,
	retryOf,
	useFakeClock,
} from '../support/execute';
import { fakeApi, networkError, refusal, type Respond } from '../support/fakeApi';
import { CARD as id, parametersOf } from '../support/operations';

useFakeClock();

const get = parametersOf('card/get');
const freeze = parametersOf('card/freeze');
const create = parametersOf('card/create');

const retried = retryOf(newExecution());

const MESSAGE = 'The execution was stopped';
const CHECK_FIRST = expect.stringContaining('may have made the change');
const UNCHANGED = expect.stringContaining('This item changed nothing');

const items = (count: number) => Array.from({ length: count }, () => ({}));

/** Runs an operation whose execution is stopped after some milliseconds. */
async function run(parameters: INodeParameters, respond: Respond, stopAfter: number, count = 1) {
	const stop = new AbortController();
	setTimeout(() => stop.abort(), stopAfter);
	const api = fakeApi(respond, { latency: 100 });
	let endedAt = Infinity;
	const start = Date.now();
	const result = await execute(api, parameters, {
		items: items(count),
		signal: stop.signal,
		context: {
			continueOnFail: () => {
				endedAt = Date.now() - start;
				return false;
			},
		},
	});
	return { ...result, requests: api.requests, endedAt: () => endedAt };
}

const refused =
	(status: number): Respond =>
	() =>
		refusal(status, { 'retry-after': '60' });

const cancelled: Respond = () => {
	throw networkError('ERR_CANCELED');
};

const list = { resource: 'card', operation: 'getAll' };
const check = { resource: 'connection', operation: 'check' };

test.each<[string, INodeParameters, Respond, number, unknown]>([
	['get, waiting after a 503', get, refused(503), 1_000, UNCHANGED],
	['a list, waiting after a 503', list, refused(503), 1_000, UNCHANGED],
	['the check, waiting after a 503', check, refused(503), 1_000, UNCHANGED],
	['freeze, waiting after a 503', freeze, refused(503), 1_000, CHECK_FIRST],
	['freeze, waiting after a 429', freeze, refused(429), 1_000, UNCHANGED],
	['create, waiting after a 429', create, refused(429), 1_000, UNCHANGED],
	['get in flight', get, cancelled, 50, UNCHANGED],
	['freeze in flight', freeze, cancelled, 50, CHECK_FIRST],
	['create in flight', create, cancelled, 50, CHECK_FIRST],
	['freeze that fails after the stop', freeze, refused(503), 50, CHECK_FIRST],
])(
	'%s: nothing is waited for but the response; the hint says whether it may have been carried out',
	async (_name, parameters, respond, stopAfter, description) => {
		const { error, requests, endedAt } = await run(parameters, respond, stopAfter);
		expect(error).toMatchObject({ message: MESSAGE, description });
		expect(requests).toHaveLength(1);
		expect(endedAt()).toBe(Math.max(stopAfter, 100));
	},
);

describe('after a stop, in an attempt that sends nothing', () => {
	const stopped = new AbortController();
	stopped.abort();
	const EARLIER = expect.stringMatching(/an earlier one may have/);

	test.each<[string, INodeParameters, ExecuteOptions, unknown]>([
		['create, with Retry On Fail', create, { node: { retryOnFail: true } }, EARLIER],
		['create, in a retried execution', create, { execution: retried }, EARLIER],
		['freeze, with Retry On Fail', freeze, { node: { retryOnFail: true } }, EARLIER],
		['create', create, {}, UNCHANGED],
		['get, with Retry On Fail', get, { node: { retryOnFail: true } }, UNCHANGED],
	])(
		'%s: the hint says what an earlier attempt may have done',
		async (_name, parameters, options, hint) => {
			const api = fakeApi(() => ({ body: { id } }));
			const { error } = await execute(api, parameters, { ...options, signal: stopped.signal });
			expect(error).toMatchObject({ message: MESSAGE, description: hint });
			expect(api.requests).toEqual([]);
		},
	);
});

test('requests that wait after a 429 are not sent any more', async () => {
	const { error, requests } = await run(get, refused(429), 1_000, 50);
	expect(error).toMatchObject({ message: MESSAGE, description: UNCHANGED });
	expect(requests).toHaveLength(4);
});

test('a request whose outcome was unclear before the stop stays unclear', async () => {
	const { error } = await run(
		freeze,
		(_request, count) => {
			if (count === 1) throw networkError('ECONNRESET');
			return refusal(429, { 'retry-after': '60' });
		},
		5_000,
	);
	expect(error).toMatchObject({ message: MESSAGE, description: CHECK_FIRST });
});

const transfer = parametersOf('account/transfer');

test.each<[string, Respond, number, RegExp]>([
	['in flight', cancelled, 50, /^The outcome of .* is unknown: The execution was stopped$/],
	['waiting after a 429', refused(429), 300, /^The execution was stopped$/],
])(
	'a transfer %s: the stop says whether it may have been made',
	async (_name, respond, after, message) => {
		expect((await run(transfer, respond, after)).error?.message).toMatch(message);
	},
);

test('after a stop no item sends anything, also where failures do not end the run', async () => {
	const stop = new AbortController();
	const api = fakeApi((_request, count) => {
		if (count < 3) return { status: 201, body: { id, name: 'Marketing', type: 'recurring' } };
		stop.abort();
		throw networkError('ERR_CANCELED');
	});
	const { json } = await execute(api, create, {
		items: items(20),
		signal: stop.signal,
		node: { onError: 'continueRegularOutput' },
	});
	expect(api.requests).toHaveLength(3);
	expect(json.map((item) => item.id ?? item.error)).toEqual([
		id,
		id,
		...Array.from({ length: 18 }, () => MESSAGE),
	]);
});

test('waits leave no listener on the signal', async () => {
	const { signal } = new AbortController();
	const added = jest.spyOn(signal, 'addEventListener');
	const removed = jest.spyOn(signal, 'removeEventListener');
	const api = fakeApi((_request, count) => (count < 3 ? refusal(503) : { body: { id } }));
	expect((await execute(api, get, { signal })).error).toBeUndefined();
	expect(added).toHaveBeenCalledTimes(2);
	expect(removed.mock.calls).toEqual(added.mock.calls);
});
