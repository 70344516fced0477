import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { transferParameters } from '../../dev/harness/transferApi';
import {
	execute,
	type ExecuteOptions,
	type Execution,
	newExecution,
	retryOf,
	useFakeClock,
} from '../support/execute';
import { type FakeApi, fakeApi, networkError, refusal, type Reply } from '../support/fakeApi';

useFakeClock();

/** How the API reacts to a request: `drop` makes the transfer and breaks the connection; a number is a status. */
type Reaction = 'make' | 'drop' | 'never sent' | 'break' | number;

interface TransferApi extends FakeApi {
	/** The transfers that were made, by Idempotency-Key. */
	transfers: Map<string, object>;
	keys: () => unknown[];
}

/** An API as §4.2 has it, which makes one transfer for each key. */
function transferApiOf(...reactions: Reaction[]): TransferApi {
	const transfers = new Map<string, object>();
	const api = fakeApi(({ path, headers, body }): Reply => {
		const reaction = reactions.shift() ?? 'make';
		if (reaction === 'never sent') throw networkError('ECONNREFUSED');
		if (typeof reaction === 'number') return refusal(reaction);
		const key = headers['Idempotency-Key'] as string;
		const made = transfers.get(key) ?? {
			id: `transfer-${transfers.size}`,
			fromAccountId: Number(/^\/accounts\/(\d+)\/transfers$/.exec(path)?.[1]),
			toAccountId: (body as { toAccountId: number }).toAccountId,
			status: 'failed',
			createdAt: new Date().toISOString(),
		};
		transfers.set(key, made);
		if (reaction === 'drop') throw networkError('ECONNRESET');
		const reply = { status: 201, headers: { date: new Date().toUTCString() } };
		return { ...reply, body: reaction === 'break' ? '<html>' : made };
	});
	return {
		...api,
		transfers,
		keys: () => api.requests.map((each) => each.headers['Idempotency-Key']),
	};
}

/** A response with a transfer of another moment. */
const madeAt = (createdAt: string, date?: unknown, more: object = {}): Reply => ({
	status: 201,
	headers: { date },
	body: { id: 't', fromAccountId: 1001, toAccountId: 1002, status: 'ok', createdAt, ...more },
});

const transfer = async (api: FakeApi, more: INodeParameters = {}, options: ExecuteOptions = {}) => {
	const parameters = { ...transferParameters, amount: '25.00', idempotencyKey: 'INV-1', ...more };
	return await execute(api, parameters, options);
};

const perItem = { amount: '={{ $json.amount }}', idempotencyKey: '={{ $json.invoice }}' };
const item = (invoice: string, amount = '5.00') => ({ invoice, amount });
const goOn = { onError: 'continueRegularOutput' } as const;
const TOOL = { type: 'n8n-nodes-card-platform.cardPlatformTool' };
const DROPS: Reaction[] = ['drop', 'drop', 'drop', 'drop'];
const USED =
	'The Idempotency Key "INV-1" was already used in this execution for another item, amount, account or Base URL, so this transfer was not made';
const UNKNOWN =
	'The outcome of the transfer with Idempotency Key "INV-1" is still not known, so this one was not sent';

test('amount, accounts and key reach the API; the output is its response, whatever its status, and the key', async () => {
	const api = transferApiOf();
	const { json, error } = await transfer(api);
	expect(error).toBeUndefined();
	expect(api.requests).toMatchObject([
		{
			method: 'POST',
			path: '/accounts/1001/transfers',
			query: {},
			headers: { 'Idempotency-Key': 'INV-1' },
			body: { amount: '25.00', toAccountId: 1002 },
		},
	]);
	const asked = { amount: '25.00', currency: 'USD', idempotencyKey: 'INV-1' };
	expect(json).toEqual([{ moneyMoved: 'now', ...asked, ...api.transfers.get('INV-1') }]);
	expect(json).toMatchObject([{ status: 'failed' }]);
});

const NO_VALUE =
	'Idempotency Key has no usable value for this item, so the transfer was not sent: ';
const FIXED = 'Idempotency Key is a fixed string with an expression in it: ';
const EMPTY = 'Idempotency Key is empty';
const CHANGES = 'Idempotency Key can differ in another attempt (';

const refused = (says: string, key: string, name = key): [string, string, { says: string }] => [
	name,
	key,
	{ says },
];

/** Each key, and what is sent or said. */
test.each<[string, string | number, string | { says: string }]>([
	['a string', 'invoice-77', 'invoice-77'],
	['a number without an expression', 77, '77'],
	['a number', '={{ 77 }}', '77'],
	['the largest exact number', '={{ 9007199254740991 }}', '9007199254740991'],
	['a number from two parts', '={{ $json.n }}{{ $json.n }}', '77'],
	['blanks round it', ' invoice 77 ', 'invoice 77'],
	['255 characters', 'x'.repeat(255), 'x'.repeat(255)],
	['the last character of the keyboard', '~', '~'],
	['words that contain what looks missing', 'inv-nan-Xnull-nullable', 'inv-nan-Xnull-nullable'],
	['a word with a dollar', 'Ke$ha US$5', 'Ke$ha US$5'],
	['an expression among words', '=INV-{{ $json.n }}-fee', 'INV-7-fee'],
	['the month', "=topup-{{ $now.toFormat('yyyy-MM') }}", 'topup-2026-11'],
	['the day', '=topup-{{ $now.toISODate() }}', 'topup-2026-11-21'],
	['the first day', "={{ $now.minus({ days: 1 }).startOf('month').toISODate() }}", '2026-11-01'],
	['the week', '=week-{{ $now.weekNumber }}', 'week-47'],
	['midnight', "={{ $now.startOf('day').toFormat('yyyyMMdd HHmmss') }}", '20261121 000000'],
	['the day of another clock', "={{ DateTime.utc().toFormat('yyyy-MM-dd HH') }}", '2026-11-21 12'],
	['a fixed moment', "={{ DateTime.fromISO('2026-01-01T00Z').toMillis() }}", '1767225600000'],
	['the name of a property of every object', '__proto__', '__proto__'],
	['missing', '={{ $json.invoice }}', { says: EMPTY }],
	['null', '={{ null }}', { says: EMPTY }],
	['an empty list', '={{ [] }}', { says: EMPTY }],
	['blank', '   ', { says: EMPTY }],
	...[
		['an object', '={{ {a: 1} }}', '{"a":1}'],
		['a list', '={{ [1] }}', '[1]'],
		['true', '={{ true }}', 'true'],
		// In the JSON of another system, this number ended with a 3.
		['a number that JavaScript rounds', '={{ $json.long }}', '9007199254740992'],
		['one in a part', '=INV-{{ $json.long }}', '"INV-9007199254740992"'],
		['a fraction', '={{ 3.5 }}', '3.5'],
		['a prefix only', '=INV-{{ $json.invoice }}', '"INV-"'],
		['empty in one part', '={{ $json.customer }}-{{ $json.invoice }}', '"7-"'],
		['blank in one part', "=INV-{{ ' ' }}", '"INV- "'],
		['an object in one part', '=INV-{{ $json.address }}', '"INV-[object Object]"'],
		['a moment from another field', '=topup-{{ $json.moment }}', '"topup-'],
		['a prefix and undefined', "={{ 'INV-' + $json.invoice }}", '"INV-undefined"'],
		['undefined at the start', "={{ $json.invoice + '-INV' }}", '"undefined-INV"'],
		['a prefix and null', "={{ 'INV-' + null }}", '"INV-null"'],
		['a prefix and NaN', "={{ 'INV-' + NaN }}", '"INV-NaN"'],
		['a prefix and an object', "={{ 'INV-' + $json.address }}", '"INV-[object Object]"'],
		['no date', '=topup-{{ DateTime.fromISO($json.date).toFormat("yyyy-MM") }}', '"topup-Inv'],
		['a word that another node wrote', '={{ $json.written }}', '"INV-undefined"'],
		...['#N/A', '#REF!', 'N/A', '1.23457E+11', 'INV-None'].map((cell) => [
			...['a cell of a spreadsheet or a script', cell, `"${cell}"`],
		]),
		['characters that a header cannot carry', '請求-1', '"請求-1"'],
		['a character beyond the keyboard', 'a\x7f', '"a\x7f"'],
		['a line break', "={{ 'a\\nb' }}", '"a\\nb"'],
		['256 characters', 'x'.repeat(256), '"xxx'],
	].map(([name = '', key = '', shown = '']) => refused(NO_VALUE + shown, key, name)),
	// Not switched on: for each item the same string.
	...[
		'INV-{{ $json.invoice }}',
		'{{$json.invoice}}',
		'INV-{ $json.invoice }',
		'INV-}}',
		"$('Invoices').item.json.id",
		'topup-$now.toFormat()',
		'INV-{{ $execution.id }}',
		'={{ $json.template }}',
	].map((key) => refused(FIXED, key)),
	...[
		'=INV-{{ $execution.id }}',
		"={{ 'a' + $executionId }}",
		'=topup-{{ $now }}',
		"={{ 'topup-' + $now }}",
		'={{ $now.toMillis() }}',
		'={{ $now.toISO() }}',
		'={{ $now.setZone("UTC").toISO() }}',
		'={{ $now.plus({ days: 1 }) }}',
		"={{ $now.startOf('minute').toISO() }}",
		"={{ $now.toFormat('TT') }}",
		'={{ $now.toHTTP() }}',
		'={{ $now.toISODate() }}-{{ $now.second }}',
		'={{ Date() }}',
		'={{ DateTime.now().ts }}',
		'={{ DateTime.local().toUnixInteger() }}',
		'={{ Date.now() }}',
		'={{ new Date().getTime() }}',
		'=INV-{{ Math.random() }}',
		'={{ DateTime.now() }}',
		'={{ DateTime.utc().toUnixInteger() }}',
		"=topup-{{ $now.toFormat('yyyyMMddHHmmss') }}",
		"=topup-{{ $now.format('x') }}",
		// A list in another order, or with a new row on top, would pay again, or not at all.
		'=INV-{{ $json.n }}-{{ $itemIndex }}',
		'=payment-{{ $runIndex }}',
		'=payment-{{ $position }}',
	].map((key) => refused(CHANGES, key)),
])('the key: %s', async (_name, idempotencyKey, expected) => {
	const json = {
		n: 7,
		customer: 7,
		address: {},
		long: 9_007_199_254_740_992,
		moment: new Date(),
		written: 'INV-undefined',
		template: 'INV-{{ $json.invoice }}',
	};
	for (const node of [{}, TOOL]) {
		const api = transferApiOf();
		const result = await transfer(api, { idempotencyKey }, { items: [json], node });
		if (typeof expected === 'string') {
			expect(api.keys()).toEqual([expected]);
			expect(result.json).toMatchObject([{ idempotencyKey: expected }]);
		} else {
			const message = expect.stringContaining(expected.says);
			expect(result.error).toMatchObject({ message, context: { itemIndex: 0 } });
			expect(api.requests).toEqual([]);
		}
	}
});

test.each<[string, (execution: Execution) => Partial<ExecuteOptions>]>([
	['Retry On Fail', (execution) => ({ execution })],
	['Executions → Retry', (execution) => ({ execution: retryOf(execution) })],
	['another call of a tool', (execution) => ({ execution, node: TOOL, runIndex: 1 })],
])('%s: what was made is not sent again, what was not made is', async (_name, again) => {
	const isTool = 'runIndex' in again(newExecution());
	const api = transferApiOf('make', 401);
	const first = { execution: newExecution(), ...(isTool && { node: TOOL }) };
	const items = [item('INV-1'), item('INV-2')];
	const failed = await transfer(api, perItem, { ...first, items });
	expect(failed.error).toMatchObject({ httpCode: '401', context: { itemIndex: 1 } });
	// Even when the API has forgotten the key.
	api.transfers.clear();
	jest.setSystemTime(Date.now() + 30 * 86_400_000);
	const { json, error } = await transfer(api, perItem, { ...again(first.execution), items });
	expect(error).toBeUndefined();
	expect(json.map(({ moneyMoved }) => moneyMoved)).toEqual([isTool ? 'earlier' : 'now', 'now']);
	expect(api.keys()).toEqual(['INV-1', 'INV-2', 'INV-2']);
});

describe('in an execution and its retries', () => {
	/** Makes a transfer, and then another one; gives what came of the second. */
	async function twice(
		change: INodeParameters,
		options: ExecuteOptions = {},
		reactions: Reaction[] = [],
	) {
		const api = transferApiOf(...reactions);
		const first = newExecution();
		await transfer(api, {}, { execution: first });
		const sent = api.requests.length;
		const second = await transfer(api, change, { execution: retryOf(first), ...options });
		return { ...second, api, sentNow: api.requests.length - sent };
	}

	const SENT =
		'This item was already sent with the Idempotency Key "INV-1", so this transfer was not made';

	/** What is different, and what is said if the first transfer was made, or if that is unknown. */
	test.each<[string, INodeParameters, ExecuteOptions, string, string]>([
		['another amount', { amount: '9.00' }, {}, USED, UNKNOWN],
		['another source', { accountId: '1003' }, {}, USED, UNKNOWN],
		['another target', { toAccountId: '1003' }, {}, USED, UNKNOWN],
		['another turn of a loop', {}, { runIndex: 1 }, USED, UNKNOWN],
		['another node', {}, { node: { name: 'Fee' } }, USED, UNKNOWN],
		['a tool', {}, { node: TOOL }, USED, UNKNOWN],
		['another key for the same item', { idempotencyKey: 'INV-2' }, {}, SENT, SENT],
	])('%s: refused, nothing is sent', async (_name, change, options, ifMade, ifUnknown) => {
		const made = await twice(change, options);
		const unknown = await twice(change, options, [...DROPS]);
		expect([made.error?.message, unknown.error?.message]).toEqual([ifMade, ifUnknown]);
		expect([made.sentNow, unknown.sentNow]).toEqual([0, 0]);
	});

	test('a key is refused for a second item, also in a retry', async () => {
		const api = transferApiOf();
		const execution = newExecution();
		const items = [item('INV-1'), item('INV-1')];
		const { json } = await transfer(api, perItem, { execution, items, node: goOn });
		expect(json).toMatchObject([{ moneyMoved: 'now' }, { error: USED }]);
		const retried = await transfer(api, perItem, { execution: retryOf(execution), items });
		expect(retried.error).toMatchObject({ message: USED, context: { itemIndex: 1 } });
		expect(api.requests).toHaveLength(1);
	});

	test('another API is refused', async () => {
		const [sandbox, api] = [transferApiOf(...DROPS), transferApiOf()];
		const execution = newExecution();
		const workflowId = 'pay';
		await transfer(sandbox, {}, { execution, workflowId });
		const { error } = await transfer(api, {}, { execution: retryOf(execution), workflowId });
		expect(error?.message).toBe(UNKNOWN);
		expect(api.requests).toEqual([]);
	});

	test.each<[string, INodeParameters]>([
		['with another amount', { amount: '9.00' }],
		['under another key', { idempotencyKey: 'INV-2' }],
	])('what the API refused is sent %s', async (_name, change) => {
		const { error, api } = await twice(change, {}, [400]);
		expect(error).toBeUndefined();
		expect(api.transfers.size).toBe(1);
	});

	test.each<[string, ExecuteOptions]>([
		['an item', {}],
		['a call of a tool', { node: TOOL }],
		['a call of a tool without an execution', { node: TOOL, execution: newExecution('') }],
	])('an unknown outcome stays unknown if %s is sent again and refused', async (_name, options) => {
		const api = transferApiOf(...DROPS, 404);
		// The attempts of Retry On Fail have the execute data in common.
		const executeData = { data: {}, source: null };
		const isTool = 'node' in options;
		const attempt = {
			execution: newExecution(),
			...options,
			...(isTool && { context: { getExecuteData: () => executeData } }),
		};
		await transfer(api, {}, attempt);
		const { error } = await transfer(api, {}, { ...attempt, ...(isTool && { runIndex: 1 }) });
		expect(error?.message).toMatch(/^It is not known whether .*\(404 some-code\)$/);
		expect(error).toMatchObject({ httpCode: '404' });
		const { json } = await transfer(api, {}, attempt);
		expect(json).toMatchObject([{ moneyMoved: 'now' }]);
		expect([api.transfers.size, new Set(api.keys()).size]).toEqual([1, 1]);
	});

	test('a worker that died while a transfer was in flight leaves its record', async () => {
		const first = newExecution();
		let interrupted = first;
		const api = transferApiOf('drop', 400);
		const send: FakeApi['send'] = async (options) => {
			if (interrupted === first) interrupted = retryOf(first);
			return await api.send(options);
		};
		await transfer({ ...api, send }, {}, { execution: first });
		const other = await transfer(api, { amount: '9.00' }, { execution: interrupted });
		expect(other.error?.message).toBe(UNKNOWN);
	});

	test('a tool sends no equal transfer under another key while the outcome is unknown', async () => {
		const api = transferApiOf(...DROPS);
		const call = (change: INodeParameters, runIndex: number) =>
			transfer(api, change, { execution, node: TOOL, runIndex });
		const execution = newExecution();
		await call({}, 0);
		const second = { idempotencyKey: 'INV-2' };
		expect((await call(second, 1)).error?.message).toBe(UNKNOWN);
		expect((await call({ ...second, amount: '9.00' }, 2)).error).toBeUndefined();
		expect((await call({}, 3)).error).toBeUndefined();
		expect((await call({ idempotencyKey: 'INV-3' }, 4)).error).toBeUndefined();
		expect(api.transfers.size).toBe(3);
		// Nor one that is equal to an item's.
		expect((await twice(second, { node: TOOL }, [...DROPS])).error?.message).toBe(UNKNOWN);
	});
});

describe('a tool', () => {
	test('calls with one key at the same time are one payment; the later one says so', async () => {
		const api = transferApiOf();
		const execution = newExecution();
		const calls = [0, 1].map((runIndex) => transfer(api, {}, { execution, node: TOOL, runIndex }));
		const results = (await Promise.all(calls)).flatMap(({ json }) => json);
		expect(results.map(({ moneyMoved }) => moneyMoved)).toEqual(['now', 'earlier']);
		expect(api.transfers.size).toBe(1);
	});

	test('of two calls at once, a refusal says nothing about the other', async () => {
		const api = fakeApi(() => refusal(400));
		const options = { execution: newExecution(), node: TOOL };
		const calls = [0, 1].map((runIndex) => transfer(api, {}, { ...options, runIndex }));
		for (const { error } of await Promise.all(calls))
			expect(error?.message).toMatch(/^It is not known whether/);
	});

	test.each([
		['not known', 1, UNKNOWN],
		['made', 2, undefined],
	])('of two calls at once, a late refusal leaves a payment %s', async (_, late, problem) => {
		const made = madeAt(new Date().toISOString());
		const api = fakeApi(async (_request, count) => {
			if (count !== late) return late === 1 ? { ...made, body: '<html>' } : made;
			await new Promise((resolve) => setTimeout(resolve, 30_000));
			return refusal(409);
		});
		const options = { execution: newExecution(), node: TOOL };
		await Promise.all([0, 1].map((runIndex) => transfer(api, {}, { ...options, runIndex })));
		expect(api.requests).toHaveLength(2);
		const other = await transfer(api, { idempotencyKey: 'INV-2' }, { ...options, runIndex: 2 });
		expect(other.error?.message).toBe(problem);
	});

	test('outside of executions, calls have nothing in common but the key', async () => {
		const api = transferApiOf();
		const options = { execution: newExecution('', 'webhook'), node: TOOL };
		await transfer(api, {}, options);
		jest.advanceTimersByTime(10_000);
		const { json } = await transfer(api, {}, options);
		expect(json).toMatchObject([{ moneyMoved: 'earlier' }]);
		expect([api.requests.length, api.transfers.size]).toEqual([2, 1]);
	});
});

describe('an outcome that is not known', () => {
	test('is reported, with the key that makes it safe to send again', async () => {
		const { error } = await transfer(transferApiOf(...DROPS));
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(
				/^It is not known whether the transfer with Idempotency Key INV-1 was made: No complete response/,
			),
			description: expect.stringMatching(
				/^Check in the dashboard whether 25\.00 USD moved from account 1001 to account 1002\..*Executions → Retry.*same key.*as long as the API remembers the key/,
			),
			context: { itemIndex: 0, idempotencyKey: 'INV-1' },
		});
		const { json } = await transfer(transferApiOf(...DROPS), {}, { node: goOn });
		expect(json).toMatchObject([{ message: { idempotencyKey: 'INV-1' } }]);
	});

	/** The API refuses this many requests with one of these; the error shows it. */
	const refusals = (requests: number, ...statuses: number[]) =>
		statuses.map((status): [Reaction[], string] => [
			Array<Reaction>(requests).fill(status),
			`(${status} some-code)`,
		]);

	test.each<[Reaction[], string]>([
		// A last retry that is refused.
		[['drop', 401], '(401 some-code)'],
		[['break'], 'a web page instead of a transfer'],
		...refusals(1, 303, 409, 501, 520),
		...refusals(4, 408, 500, 502, 503, 504),
	])('stays unknown after %j', async (reactions, reason) => {
		const api = transferApiOf(...reactions);
		const { error } = await transfer(api);
		expect(error?.message).toMatch(/^It is not known/);
		expect(error?.message).toContain(reason);
		expect(api.keys()).toEqual(reactions.map(() => 'INV-1'));
	});

	test('stays unknown if only 429s follow', async () => {
		const { error } = await transfer(transferApiOf('drop', ...Array<Reaction>(200).fill(429)));
		expect(error?.message).toMatch(/^It is not known.* made: The API is busy/);
	});

	test.each<[Reaction[], string]>([
		...refusals(1, 400, 404, 499),
		[Array<Reaction>(200).fill(429), 'The API is busy: it refused every request for 240 s'],
		[Array<Reaction>(4).fill('never sent'), 'No connection to '],
	])('is not said where nothing was made: %#', async (reactions, reason) => {
		const { error } = await transfer(transferApiOf(...reactions));
		expect(error?.message).toContain(reason);
		expect(error?.message).not.toContain('not known');
	});
});

test.each<[number, string, boolean]>([
	[400, 'Idempotency-Key: already used for a different request', true],
	[409, 'Idempotency-Key: already used for a different request', true],
	[409, 'Keys can only be used with the same parameters they were first used with', true],
	[409, 'The key belongs to some other transfer', true],
	[422, 'The key was sent with a different body', true],
	[422, 'The key was sent with another request body', true],
	[409, 'Another request with this Idempotency-Key is in progress', false],
	[409, 'The Idempotency-Key is locked by another request', false],
	[409, 'This Idempotency-Key belongs to a different request that has not finished', false],
	[409, 'The same amount was already sent between the same accounts with this key', false],
	[409, 'Account 1002 belongs to another customer', false],
	[409, 'Conflict', false],
])('a %d that says "%s": belongs to another transfer: %s', async (status, message, isAnothers) => {
	const api = fakeApi(() => ({ status, body: { code: 'x', message } }));
	const { error } = await transfer(api);
	expect(error?.description?.startsWith('This key belongs to another transfer')).toBe(isAnothers);
	expect(error?.message.startsWith('It is not known whether')).toBe(!isAnothers);
});

test('what others write is never HTML: keys, and the words of the API', async () => {
	const html = '<a href="https://evil.example">INV-1</a>';
	const idempotencyKey = `={{ ${JSON.stringify(html)} }}`;
	const words = fakeApi(() => ({ status: 400, body: { code: 'x', message: html } }));
	for (const api of [words, transferApiOf(...DROPS), transferApiOf()]) {
		const { error } = await transfer(api, { idempotencyKey }, { items: [{}, {}] });
		expect(error?.message).toContain('‹a href=');
		expect(`${error?.message} ${error?.description}`).not.toContain('<');
	}
});

describe('a transfer that was made earlier', () => {
	const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT';

	test.each<[string, unknown, string]>([
		['2026-11-21T11:59:54Z', DATE, 'earlier'],
		['2026-11-21T12:59:54+01:00', DATE, 'earlier'],
		['2026-11-21t11:59:54z', DATE, 'earlier'],
		// Clocks of the API may differ by seconds.
		['2026-11-21T11:59:55Z', DATE, 'unknown'],
		['2026-11-21T11:59:58.999Z', DATE, 'unknown'],
		['2026-11-21T11:59:59Z', DATE, 'now'],
		['2026-11-21T12:00:05Z', DATE, 'now'],
		['2026-11-21T12:00:06Z', DATE, 'unknown'],
		// Without an offset it says nothing.
		['2026-11-20T11:54:59', DATE, 'unknown'],
		['Fri, 20 Nov 2026 11:54:59 +01:00 (CET)', DATE, 'unknown'],
		['2026-11-21T11:00:00Z', undefined, 'unknown'],
		['2026-11-21T11:00:00Z', ['x'], 'unknown'],
		['2026-11-21T11:00:00Z', '5', 'unknown'],
		['2026-11-21T11:00:00Z', 'x GMT', 'unknown'],
		['2026-11-21T11:00:00Z', 'Sat, 21 Nov 2026 12:00:00', 'unknown'],
	])('is told by its time: %s and Date %s is %s', async (createdAt, date, expected) => {
		// The clock of n8n has no part in it.
		for (const hours of [0, 9]) {
			jest.setSystemTime(Date.now() - hours * 3_600_000);
			const { json } = await transfer(fakeApi(() => madeAt(createdAt, date)));
			expect(json).toMatchObject([{ moneyMoved: expected }]);
		}
	});

	test('waits after 429s do not count as time in which it can have been made', async () => {
		const createdAt = new Date(Date.now() + 30_000).toISOString();
		const api = fakeApi((_request, count) =>
			count === 1
				? refusal(429, { 'retry-after': '60' })
				: madeAt(createdAt, new Date().toUTCString()),
		);
		expect((await transfer(api)).json).toMatchObject([{ moneyMoved: 'earlier' }]);
	});

	test('a retry within the run that gets the result of the first attempt: now', async () => {
		const { json } = await transfer(transferApiOf('drop', 503, 'drop'));
		expect(json).toMatchObject([{ moneyMoved: 'now' }]);
	});

	test.each([
		[0, 'now'],
		[-3_600_000, 'earlier'],
	])('Executions → Retry, the first outcome unknown: made %d ms after, %s', async (ms, moved) => {
		const createdAt = new Date(Date.now() + ms).toISOString();
		const api = fakeApi((_request, count) => {
			if (count <= DROPS.length) throw networkError('ECONNRESET');
			return madeAt(createdAt, new Date().toUTCString());
		});
		const execution = newExecution();
		await transfer(api, {}, { execution });
		jest.setSystemTime(Date.now() + 2 * 86_400_000);
		const { json } = await transfer(api, {}, { execution: retryOf(execution) });
		expect(json).toMatchObject([{ moneyMoved: moved }]);
	});

	test('an n8n whose full response has no headers: unknown, and made once', async () => {
		const api = transferApiOf();
		const send: FakeApi['send'] = async (options) =>
			Object.assign((await api.send(options)) as object, { headers: undefined });
		const { json } = await transfer({ ...api, send });
		expect(json).toMatchObject([{ moneyMoved: 'unknown' }]);
		expect(api.requests).toHaveLength(1);
	});

	test('is shown in a hint, also after a retry', async () => {
		const api = transferApiOf();
		const hintsOf = async (keys: string[], execution = newExecution()) => {
			const hints: IDataObject[] = [];
			const addExecutionHints = (...added: IDataObject[]) => hints.push(...added);
			const items = keys.map((key) => item(key));
			await transfer(api, perItem, { execution, items, context: { addExecutionHints } });
			return hints;
		};
		const keys = ['INV-1', 'INV-2'];
		expect(await hintsOf(keys)).toEqual([]);
		jest.setSystemTime(Date.now() + 3_600_000);
		const execution = newExecution('2');
		const message = expect.stringMatching(
			/^By the clocks of the API, no money was moved now for items with moneyMoved "earlier"/,
		);
		for (const runOf of [() => execution, () => retryOf(execution)]) {
			const hints = await hintsOf(['new', ...keys], runOf());
			expect(hints).toEqual([{ message, type: 'warning', location: 'outputPane' }]);
		}
		expect(api.transfers.size).toBe(3);
	});

	test('between other accounts: the response shows it, and the item may have another key', async () => {
		const api = transferApiOf();
		await transfer(api, {}, { execution: newExecution('1') });
		jest.setSystemTime(Date.now() + 60_000);
		for (const change of [{ accountId: '1003' }, { toAccountId: '1003' }]) {
			const second = newExecution('2');
			const { error } = await transfer(api, change, { execution: second });
			expect(error?.message).toBe(
				'The Idempotency Key "INV-1" was already used for a transfer from 1001 to 1002, so this transfer was not made',
			);
			const other = { ...change, idempotencyKey: `INV-${JSON.stringify(change)}` };
			const retried = await transfer(api, other, { execution: retryOf(second, '3') });
			expect(retried.error).toBeUndefined();
		}
		expect(api.transfers.size).toBe(3);
	});

	test('between other accounts, now: it is not known what was made, and a tool sends no other key', async () => {
		const execution = newExecution();
		const now = new Date();
		const made = madeAt(now.toISOString(), now.toUTCString(), { toAccountId: 1009 });
		const api = fakeApi(() => made);
		const first = await transfer(api, {}, { execution, node: TOOL });
		expect(first.error).toMatchObject({
			message: expect.stringMatching(/^It is not known whether/),
			context: { idempotencyKey: 'INV-1' },
		});
		const other = await transfer(api, { idempotencyKey: 'INV-2' }, { execution, node: TOOL });
		expect(other.error?.message).toBe(UNKNOWN);
		expect(api.requests).toHaveLength(1);
	});
});

test.each<[string, INodeParameters, string]>([
	['the same account', { toAccountId: '1001' }, 'Both accounts are the same: 1001'],
	['an account that is no number', { toAccountId: 'Marketing' }, 'To Account ID is not a whole'],
	['an inexact number', { amount: '={{ 0.1 + 0.2 }}' }, 'Amount is not a valid amount: 0.3000'],
	...['accountId', 'toAccountId', 'amount'].map((field): [string, INodeParameters, string] => [
		`an expression that was not switched on in ${field}`,
		{ [field]: '{{ $json.x }}' },
		'is a fixed string with an expression in it',
	]),
])('%s is refused before any request', async (_name, change, message) => {
	const api = transferApiOf();
	const { error } = await transfer(api, change);
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringContaining(message),
		context: { itemIndex: 0 },
	});
	expect(api.requests).toEqual([]);
});
