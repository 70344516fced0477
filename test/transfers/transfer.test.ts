import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { z } from 'zod';

import { transferParameters } from '../../harness/transferApi';
import {
	execute,
	type ExecuteOptions,
	newExecution,
	retryOf,
	useFakeClock,
} from '../support/execute';
import { type FakeApi, fakeApi, networkError, refusal, type Reply } from '../support/fakeApi';

useFakeClock();

/**
 * How the API reacts to a request: `dropBefore` breaks the connection before the transfer is made, `dropAfter` after it;
 * `reject400` responds with a 400, `reject401` with a 401, `redirect` with a 303, `break` with no transfer.
 */
type Reaction =
	| 'make'
	| 'dropBefore'
	| 'dropAfter'
	| 'reject400'
	| 'reject401'
	| 'redirect'
	| 'break'
	| 'never sent';

interface TransferApi extends FakeApi {
	/** The transfers that were made, by Idempotency-Key. */
	transfers: Map<string, object>;
	/** How it reacts to the next requests; all others make a transfer. */
	plan: (...reactions: Reaction[]) => void;
	keys: () => string[];
}

const bodySchema = z.object({ amount: z.string(), toAccountId: z.number() }).strict();

/** A api as §4.2 has it, which makes one transfer for each key. */
function transferApiOf(...reactions: Reaction[]): TransferApi {
	const transfers = new Map<string, object>();
	let planned = reactions;
	const api = fakeApi(({ path, headers, body }): Reply => {
		const reaction = planned.shift() ?? 'make';
		if (reaction === 'dropBefore') throw networkError('ECONNRESET');
		if (reaction === 'never sent') throw networkError('ECONNREFUSED');
		if (reaction === 'reject400') return refusal(400);
		if (reaction === 'reject401') return refusal(401);
		if (reaction === 'redirect') return { status: 303, headers: { location: '/' } };
		const key = z.string().parse(headers['Idempotency-Key']);
		const made = transfers.get(key) ?? {
			id: `transfer-${transfers.size}`,
			fromAccountId: Number(/^\/accounts\/(\d+)\/transfers$/.exec(path)?.[1]),
			toAccountId: bodySchema.parse(body).toAccountId,
			status: 'completed',
			createdAt: new Date().toISOString(),
		};
		transfers.set(key, made);
		if (reaction === 'dropAfter') throw networkError('ECONNRESET');
		return { status: 201, body: reaction === 'break' ? '<html>' : made };
	});
	return {
		...api,
		transfers,
		plan: (...next) => (planned = next),
		keys: () => api.requests.map(({ headers }) => z.string().parse(headers['Idempotency-Key'])),
	};
}

const parameters = (more: INodeParameters = {}): INodeParameters => ({
	...transferParameters,
	amount: '25.00',
	...more,
});

const transfer = async (
	api: TransferApi,
	more: INodeParameters = {},
	options: ExecuteOptions = {},
) => await execute(api, parameters(more), options);

/** Under a key of the user. */
const keyed = (idempotencyKey: INodeParameters[string], more: INodeParameters = {}) => ({
	options: { idempotencyKey },
	...more,
});

const amounts = (...values: string[]) => values.map((amount) => ({ amount }));
const perItem = { amount: '={{ $json.amount }}' };
const goOn = { onError: 'continueRegularOutput' } as const;
const FOUR_DROPS: Reaction[] = ['dropAfter', 'dropAfter', 'dropAfter', 'dropAfter'];
const REQUIRED = 'Idempotency Key is required here, so the transfer was not sent';
const DERIVED = /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/;

test('amount, accounts and key reach the API; its response and the key are the output', async () => {
	const api = transferApiOf();
	const { json, error } = await transfer(api);
	expect(error).toBeUndefined();
	expect(api.requests).toMatchObject([
		{
			method: 'POST',
			path: '/accounts/1001/transfers',
			query: {},
			body: { amount: '25.00', toAccountId: 1002 },
		},
	]);
	const [[key, made] = []] = api.transfers;
	expect(key).toMatch(DERIVED);
	expect(json).toEqual([{ ...made, idempotencyKey: key, isEarlierTransfer: false }]);
});

test('transfers go one by one, in the order of the items, each under its own key', async () => {
	const api = transferApiOf();
	await transfer(api, perItem, { items: amounts('1.00', '2.00', '1.00') });
	expect(api.requests.map(({ body }) => bodySchema.parse(body).amount)).toEqual([
		'1.00',
		'2.00',
		'1.00',
	]);
	expect(api.mostInFlight()).toBe(1);
	expect(api.transfers.size).toBe(3);
});

describe('the derived key', () => {
	const keyOf = async (more: INodeParameters = {}, options: ExecuteOptions = {}) => {
		const api = transferApiOf();
		await transfer(api, more, { workflowId: 'workflow-1', ...options });
		return api.keys()[0];
	};

	test('is the same for the same work', async () => {
		expect(await keyOf()).toBe(await keyOf());
		// Another way to build it would make a second transfer where an execution is retried under a newer
		// version of the package.
		expect(await keyOf()).toBe('a3ded4ff-63bd-8da8-815c-6ca4366ad301');
	});

	test.each<[string, INodeParameters, ExecuteOptions]>([
		['amount', { amount: '26.00' }, {}],
		['account of the sender', { accountId: '1003' }, {}],
		['account of the receiver', { toAccountId: '1003' }, {}],
		['n8n', {}, { instanceId: 'instance-2' }],
		['workflow', {}, { workflowId: 'workflow-2' }],
		['step', {}, { node: { id: 'node-2' } }],
		['turn of a loop', {}, { runIndex: 1 }],
	])('differs for another %s', async (_name, more, options) => {
		expect(await keyOf(more, options)).not.toBe(await keyOf());
	});

	test('differs for another execution, also for one with the same ID', async () => {
		const first = await keyOf({}, { execution: newExecution('1') });
		expect(await keyOf({}, { execution: newExecution('2') })).not.toBe(first);
		jest.setSystemTime(Date.now() + 1);
		expect(await keyOf({}, { execution: newExecution('1') })).not.toBe(first);
	});

	test('before n8n 2.3 it does not depend on the start of the execution', async () => {
		const earlier = () => ({ execution: newExecution('1'), without: ['isToolExecution'] });
		const first = await keyOf({}, earlier());
		jest.setSystemTime(Date.now() + 1);
		expect(await keyOf({}, earlier())).toBe(first);
	});
});

describe('Retry On Fail', () => {
	test('sends the same key again, in an execution with several items', async () => {
		const api = transferApiOf(...FOUR_DROPS);
		const execution = newExecution();
		const options = { execution, node: { retryOnFail: true }, items: [{}, {}] };
		const { error } = await transfer(api, {}, options);
		expect(error?.message).toMatch(/^It is not known/);
		const again = await transfer(api, {}, options);
		expect(again.error).toBeUndefined();
		expect(api.transfers.size).toBe(2);
		expect(new Set(api.keys().slice(0, 5)).size).toBe(1);
	});

	test('after an unclear outcome, a refusal leaves it unclear', async () => {
		const api = transferApiOf(...FOUR_DROPS, 'reject400');
		const options = { execution: newExecution() };
		await transfer(api, {}, options);
		const { error } = await transfer(api, {}, options);
		expect(error?.message).toMatch(/^It is not known .*: Some message \(400 some-code\)$/);
		expect(error).toMatchObject({ httpCode: '400' });
	});

	test('what was made is not sent again', async () => {
		const api = transferApiOf('make', 'reject401');
		const execution = newExecution();
		const first = await transfer(api, {}, { execution });
		const second = await transfer(api, {}, { execution });
		expect(second.json).toEqual(first.json);
		const third = await transfer(api, { amount: '9.00' }, { execution });
		expect(third.error?.message).toContain('This item was already sent with Idempotency Key');
		expect(api.requests).toHaveLength(1);
	});
});

describe('Executions → Retry', () => {
	test('what was made is not made again; the rest is made', async () => {
		const api = transferApiOf();
		const first = newExecution('7');
		const items = amounts('1.00', 'x', '3.00');
		const stopped = await transfer(api, perItem, { execution: first, items });
		expect(stopped.error).toMatchObject({
			message: expect.stringContaining('Amount is not a valid amount'),
			context: { itemIndex: 1 },
		});
		const second = retryOf(first, '8');
		await transfer(api, perItem, { execution: second, items });
		const third = await transfer(api, perItem, {
			execution: retryOf(second, '9'),
			items: amounts('1.00', '2.00', '3.00'),
		});
		expect(third.error).toBeUndefined();
		expect(third.json.map(({ isEarlierTransfer }) => isEarlierTransfer)).toEqual([
			false,
			false,
			false,
		]);
		expect(api.transfers.size).toBe(3);
		expect(api.requests).toHaveLength(3);
	});

	test.each<[string, INodeParameters]>([
		['a derived key', {}],
		['a key of the user', keyed('invoice-77')],
	])(
		'what was made under %s is not sent again, once the API has forgotten the key',
		async (_name, key) => {
			const api = transferApiOf();
			const first = newExecution();
			const made = await transfer(api, key, { execution: first });
			api.transfers.clear();
			jest.setSystemTime(Date.now() + 30 * 86_400_000);
			const { json, error } = await transfer(api, key, { execution: retryOf(first) });
			expect(error).toBeUndefined();
			expect(json).toEqual(made.json);
			expect(api.requests).toHaveLength(1);
		},
	);

	test('what another execution had made stays an earlier transfer in a retry', async () => {
		const api = transferApiOf('make', 'make', 'reject401');
		const key = keyed('={{ $json.key }}', perItem);
		const items = ['a', 'b'].map((each) => ({ key: each, amount: '5.00' }));
		await transfer(api, key, { items: items.slice(0, 1) });
		jest.setSystemTime(Date.now() + 3_600_000);
		const first = newExecution('2');
		const { error } = await transfer(api, key, { execution: first, items });
		expect(error).toMatchObject({ httpCode: '401' });
		for (const toExecution of [() => first, () => retryOf(first)]) {
			const { json } = await transfer(api, key, { execution: toExecution(), items });
			expect(json.map(({ isEarlierTransfer }) => isEarlierTransfer)).toEqual([true, false]);
		}
	});

	test.each<[string, Reaction[]]>([
		['made', []],
		['unclear', FOUR_DROPS],
	])('another API for an item whose transfer was %s is refused', async (_name, reactions) => {
		const [sandbox, api, workflowId] = [transferApiOf(...reactions), transferApiOf(), 'pay'];
		const first = newExecution();
		await transfer(sandbox, {}, { execution: first, workflowId });
		const { error } = await transfer(api, {}, { execution: retryOf(first), workflowId });
		expect(error?.message).toContain('so it was not sent again with another Base URL');
		expect(api.requests).toEqual([]);
	});

	describe.each<[string, INodeParameters]>([
		['a derived key', {}],
		['a key of the user', keyed('invoice-77')],
	])('with the credential of another customer, under %s', (_name, key) => {
		const other = {
			credential: { apiKey: 'key-of-another-customer' },
			node: { credentials: { cardPlatformApi: { id: '2', name: 'other' } } },
		};

		test('what was made is not sent again', async () => {
			const api = transferApiOf();
			const first = newExecution();
			const made = await transfer(api, key, { execution: first });
			const { json } = await transfer(api, key, { execution: retryOf(first), ...other });
			expect(json).toEqual(made.json);
			expect(api.requests).toHaveLength(1);
		});

		test('what was unclear stays unclear, though the API does not know the account', async () => {
			const api = transferApiOf(...FOUR_DROPS, 'reject400');
			const first = newExecution();
			await transfer(api, key, { execution: first });
			const second = retryOf(first);
			const { error } = await transfer(api, key, { execution: second, ...other });
			expect(error?.message).toMatch(/^It is not known whether the transfer/);
			const { json } = await transfer(api, key, { execution: retryOf(second) });
			expect(json).toMatchObject([{ isEarlierTransfer: false }]);
			expect([api.transfers.size, new Set(api.keys()).size]).toEqual([1, 1]);
		});
	});

	test.each<[string, INodeParameters]>([
		['another amount', { amount: '9.00' }],
		['another account', { toAccountId: '1003' }],
		['a key', keyed('invoice-1')],
	])('%s for an item that was sent is refused', async (_name, change) => {
		const api = transferApiOf();
		const first = newExecution();
		await transfer(api, {}, { execution: first });
		const { error } = await transfer(api, change, { execution: retryOf(first) });
		expect(error).toMatchObject({
			message: `This item was already sent with Idempotency Key ${api.keys()[0]}, so it was not sent again with another Base URL, other accounts, another amount or another key`,
			description: expect.stringContaining('Check whether that transfer was made'),
		});
		expect(api.requests).toHaveLength(1);
	});

	test('another amount under the same key of the user is refused', async () => {
		const api = transferApiOf();
		const first = newExecution();
		await transfer(api, keyed('invoice-0'), { execution: first });
		const { error } = await transfer(api, keyed('invoice-0', { amount: '9.00' }), {
			execution: retryOf(first),
		});
		expect(error?.message).toContain('already sent with Idempotency Key invoice-0');
		expect(api.requests).toHaveLength(1);
	});

	test('an execution that failed before it sent anything needs no key in a retry', async () => {
		const api = transferApiOf();
		const first = newExecution();
		const failed = await transfer(api, { amount: 'x' }, { execution: first });
		expect(failed.error?.message).toContain('Amount is not a valid amount');
		const { error } = await transfer(api, {}, { execution: retryOf(first) });
		expect(error).toBeUndefined();
		expect(api.keys()[0]).toMatch(DERIVED);
	});

	test('an item that the API refused may be sent as something else', async () => {
		const api = transferApiOf('reject400');
		const first = newExecution();
		await transfer(api, {}, { execution: first });
		const { error } = await transfer(api, { amount: '9.00' }, { execution: retryOf(first) });
		expect(error).toBeUndefined();
		expect(api.transfers.size).toBe(1);
	});

	test('an item that the API refused leaves the records of the others', async () => {
		const api = transferApiOf('make', 'reject400');
		const execution = newExecution();
		const items = amounts('1.00', '2.00');
		await transfer(api, perItem, { execution, items, node: goOn });
		const { error } = await transfer(api, perItem, { execution: retryOf(execution), items });
		expect(error).toBeUndefined();
		expect(api.requests.map(({ body }) => body)).toMatchObject([
			{ amount: '1.00' },
			{ amount: '2.00' },
			{ amount: '2.00' },
		]);
	});

	test('a transfer of the first execution is not an earlier one, however late the retry', async () => {
		const api = transferApiOf(...FOUR_DROPS);
		const first = newExecution();
		await transfer(api, keyed('invoice-77'), { execution: first });
		jest.setSystemTime(Date.now() + 3_600_000);
		const { json } = await transfer(api, keyed('invoice-77'), { execution: retryOf(first) });
		expect(json).toMatchObject([{ isEarlierTransfer: false }]);
	});

	test('of an execution that ended while a transfer was in flight: the same key', async () => {
		const first = newExecution();
		let interrupted = first;
		const api = transferApiOf('dropAfter', 'reject400');
		const send: FakeApi['send'] = async (options) => {
			if (interrupted === first) interrupted = retryOf(first);
			return await api.send(options);
		};
		await transfer({ ...api, send }, {}, { execution: first });
		const { error } = await transfer(api, {}, { execution: interrupted });
		expect(error).toBeUndefined();
		expect(new Set(api.keys()).size).toBe(1);
		const other = await transfer(api, { amount: '9.00' }, { execution: interrupted });
		expect(other.error?.message).toContain('This item was already sent');
	});

	test('another node under the same name, and one without a journal, are refused without a key', async () => {
		const api = transferApiOf();
		const first = newExecution();
		await transfer(api, {}, { execution: first });
		const retried = retryOf(first);
		const { error } = await transfer(api, {}, { execution: retried, node: { id: 'node-2' } });
		expect(error).toMatchObject({
			message: REQUIRED,
			description: expect.stringContaining('First check'),
		});
		const retryOfUnknown = newExecution('2', 'retry');
		const { json } = await transfer(
			api,
			{},
			{ execution: retryOfUnknown, items: [{}, {}], node: goOn },
		);
		expect(json.map(({ error: message }) => message)).toEqual([REQUIRED, REQUIRED]);
		// Nor does a retry of that retry know what the first execution sent.
		const further = await transfer(api, {}, { execution: retryOf(retryOfUnknown, '3') });
		expect(further.error?.message).toBe(REQUIRED);
		expect(api.requests).toHaveLength(1);
		await transfer(api, keyed('a'), { execution: retryOfUnknown });
		expect(api.keys()[1]).toBe('a');
	});

	test('a node that did not run in the first execution is refused without a key', async () => {
		const api = transferApiOf();
		const first = newExecution();
		await transfer(api, {}, { execution: first });
		const node = { id: 'node-2', name: 'Second' };
		const { error } = await transfer(api, {}, { execution: retryOf(first), node });
		expect(error?.message).toBe(REQUIRED);
	});

	test('an incomplete journal is not handed on, also after a transfer with a key', async () => {
		const api = transferApiOf();
		const retried = newExecution('2', 'retry');
		await transfer(api, keyed('={{ $json.key }}'), { execution: retried, items: [{ key: 'a' }] });
		const { error } = await transfer(api, {}, { execution: retryOf(retried, '3'), items: [{}] });
		expect(error?.message).toBe(REQUIRED);
		expect(api.requests).toHaveLength(1);
	});

	test('a transfer of unclear outcome in the first execution is not sent again at another place', async () => {
		const api = transferApiOf(...FOUR_DROPS);
		const first = newExecution();
		await transfer(api, {}, { execution: first });
		const { error } = await transfer(api, {}, { execution: retryOf(first), runIndex: 1 });
		expect(error?.message).toContain('it is not known whether an equal transfer was already made');
		expect(api.requests).toHaveLength(4);
	});

	test('the same, beside others that were made', async () => {
		const api = transferApiOf('make', ...FOUR_DROPS);
		const first = newExecution();
		const items = amounts('2.00', '1.00');
		await transfer(api, perItem, { execution: first, items, node: goOn });
		const options = { execution: retryOf(first), runIndex: 1, items, node: goOn };
		const { json } = await transfer(api, perItem, options);
		expect(json[0]).toMatchObject({ isEarlierTransfer: false });
		expect(json[1]?.error).toContain('it is not known whether an equal transfer was already made');
	});

	test('what was made in a retry without a journal is not sent again by the next', async () => {
		const api = transferApiOf();
		const retried = newExecution('2', 'retry');
		const { json } = await transfer(api, keyed('a'), { execution: retried });
		const next = await transfer(api, keyed('a'), { execution: retryOf(retried, '3') });
		expect(next.json).toEqual(json);
		expect(api.requests).toHaveLength(1);
	});
});

describe('where n8n could repeat the work unnoticed', () => {
	const caller = { id: 'agent', name: 'Agent' };
	const tool = { type: 'n8n-nodes-card-platform.cardPlatformTool' };
	const FROM_AI = "$fromAI('paymentId'";
	const FROM_CALLER = "$('When Executed by Another Workflow').item.json";
	const FROM_TRIGGER = "$('Your Trigger').item.json";

	test.each<[string, ExecuteOptions, string]>([
		['a tool of an agent', { caller, node: tool }, FROM_AI],
		['a tool that the engine runs', { node: tool }, FROM_AI],
		[
			'a tool in a sub-workflow',
			{ node: tool, execution: newExecution('2', 'integrated') },
			FROM_AI,
		],
		['a node that another node runs', { caller }, FROM_AI],
		['a sub-workflow', { execution: newExecution('2', 'integrated') }, FROM_CALLER],
		['an agent outside of workflows', { execution: newExecution('', 'internal') }, FROM_TRIGGER],
		['n8n execute-batch', { execution: newExecution('2', 'cli') }, FROM_TRIGGER],
		[
			'the retry of a sub-workflow',
			{
				execution: { ...newExecution('2', 'integrated'), mode: 'retry' },
			},
			FROM_TRIGGER,
		],
		['a run without an execution ID', { execution: newExecution('') }, FROM_TRIGGER],
		[
			'an execution whose start is not known',
			{ context: { getExecutionContext: () => undefined } },
			FROM_TRIGGER,
		],
	])('%s: nothing is sent without a key', async (_name, options, expression) => {
		const api = transferApiOf();
		const { error } = await transfer(api, {}, options);
		expect(error).toMatchObject({
			message: REQUIRED,
			description: expect.stringContaining(expression),
			context: { itemIndex: 0 },
		});
		const isRetry = options.execution?.mode === 'retry';
		expect(error?.description).toMatch(isRetry ? /^First check / : /^n8n could repeat /);
		expect(api.requests).toEqual([]);
		expect((await transfer(api, keyed('a'), options)).error).toBeUndefined();
		expect(api.keys()).toEqual(['a']);
	});

	test.each(['chat', 'error', 'evaluation', 'manual', 'trigger', 'webhook'] as const)(
		'an execution of mode %s needs no key',
		async (mode) => {
			const api = transferApiOf();
			await transfer(api, {}, { execution: newExecution('1', mode) });
			expect(api.keys()[0]).toMatch(DERIVED);
		},
	);

	test("a sub-workflow that an agent's workflow tool runs in mode manual needs a key", async () => {
		const api = transferApiOf();
		const execution = newExecution('1', 'manual');
		const { runtimeData } = execution.data.executionData ?? {};
		if (runtimeData === undefined) throw new Error('The execution has no context.');
		runtimeData.triggerNode = {
			name: 'When Executed by Another Workflow',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
		};
		const { error } = await transfer(api, {}, { execution });
		expect(error?.message).toBe(REQUIRED);
		expect(error?.description).toContain("$('When Executed by Another Workflow')");
		expect(api.requests).toEqual([]);
	});

	test('two nodes with one ID, as in a copied workflow file, make a transfer each', async () => {
		const api = transferApiOf();
		const execution = newExecution('1', 'webhook');
		await transfer(api, {}, { execution, node: { id: '1', name: 'Pay rent' } });
		await transfer(api, {}, { execution, node: { id: '1', name: 'Pay deposit' } });
		expect(new Set(api.keys()).size).toBe(2);
	});

	test('Executions → Retry of a sub-workflow needs a key, though it has a journal', async () => {
		const api = transferApiOf();
		const first = newExecution('1', 'integrated');
		await transfer(api, {}, { execution: first });
		const { error } = await transfer(api, {}, { execution: retryOf(first) });
		expect(error?.message).toBe(REQUIRED);
	});
});

describe('a tool', () => {
	const node = { type: 'n8n-nodes-card-platform.cardPlatformTool' };
	const caller = { id: 'agent', name: 'Agent' };
	const key = keyed('invoice-77');

	test('a second call with the same key in an execution is the same payment', async () => {
		const api = transferApiOf();
		const execution = newExecution();
		const first = await transfer(api, key, { execution, node });
		const second = await transfer(api, key, { execution, node, runIndex: 1 });
		expect(first.json).toMatchObject([{ isEarlierTransfer: false }]);
		expect(second.json).toMatchObject([{ ...first.json[0], isEarlierTransfer: true }]);
		expect(api.requests).toHaveLength(1);
	});

	test('a second call with the same key and another amount in an execution is refused', async () => {
		const api = transferApiOf();
		const execution = newExecution();
		await transfer(api, key, { execution, node });
		const more = keyed('invoice-77', { amount: '9.00' });
		const { error } = await transfer(api, more, { execution, node, runIndex: 1 });
		expect(error?.message).toContain('already sent with Idempotency Key invoice-77');
		expect(api.requests).toHaveLength(1);
	});

	test('a second call with the same key at the same time is refused', async () => {
		const api = transferApiOf();
		const execution = newExecution();
		const [first, second] = await Promise.all([
			transfer(api, key, { execution, node }),
			transfer(api, key, { execution, node, runIndex: 1 }),
		]);
		expect(first.json).toMatchObject([{ isEarlierTransfer: false }]);
		expect(second.error?.message).toContain('The transfer was not sent: it is not known');
		expect(api.requests).toHaveLength(1);
		const third = await transfer(api, key, { execution, node, runIndex: 2 });
		expect(third.json).toMatchObject([{ isEarlierTransfer: true }]);
	});

	test('two calls with different keys are two payments', async () => {
		const api = transferApiOf();
		const execution = newExecution();
		await transfer(api, keyed('a'), { execution, node });
		await transfer(api, keyed('b'), { execution, node, runIndex: 1 });
		expect(api.keys()).toEqual(['a', 'b']);
	});

	test.each(['1', ''])(
		'an unclear outcome stays so if n8n repeats the call and it is refused, in execution "%s"',
		async (id) => {
			const api = transferApiOf(...FOUR_DROPS, 'reject401');
			const execution = newExecution(id);
			// The attempts of Retry On Fail have the execute data in common, but not the run index.
			const executeData = { node: caller, data: {}, source: null };
			const options = { execution, node, caller, context: { getExecuteData: () => executeData } };
			await transfer(api, key, options);
			const { error } = await transfer(api, key, { ...options, runIndex: 1 });
			expect(error?.message).toMatch(/^It is not known .*\(401 some-code\)$/);
			expect(error?.description).toContain('set to invoice-77');
		},
	);

	test('outside of executions, calls have nothing in common but the key', async () => {
		const api = transferApiOf();
		const options = { execution: newExecution('', 'webhook'), node, caller };
		await transfer(api, key, options);
		const { json } = await transfer(api, key, options);
		expect(json).toMatchObject([{ isEarlierTransfer: false }]);
		expect([api.requests.length, api.transfers.size]).toEqual([2, 1]);
	});
});

describe('an outcome that is not known', () => {
	test('is reported, with the key that makes it safe to send again', async () => {
		const api = transferApiOf(...FOUR_DROPS);
		const { error } = await transfer(api);
		const [key] = api.keys();
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: expect.stringMatching(
				new RegExp(
					`^It is not known whether the transfer with Idempotency Key ${key} was made: No complete response`,
				),
			),
			description: expect.stringContaining(
				'Check in the dashboard whether 25.00 USD moved from account 1001 to account 1002',
			),
			context: { itemIndex: 0, idempotencyKey: key },
		});
		expect(error?.description).toContain('Executions → Retry and change nothing');
		expect(error?.description).toContain(
			`the option "Idempotency Key" set to ${key}: the transfer is made at most once, as long as the API remembers the key`,
		);
		expect(error?.description).not.toContain('Retry On Fail');
	});

	test('is in the details of the error item, too', async () => {
		const api = transferApiOf(...FOUR_DROPS);
		const { json } = await transfer(api, {}, { node: goOn });
		expect(json).toMatchObject([{ message: { idempotencyKey: api.keys()[0] } }]);
	});

	test.each<[string, Reaction[], string]>([
		['a last retry that is refused', ['dropAfter', 'reject401'], '(401 some-code)'],
		['a redirect', ['redirect'], 'The API returned 303'],
		['a response that is no transfer', ['break'], 'a web page instead of a transfer'],
		[
			'connections that break before',
			['dropBefore', 'dropBefore', 'dropBefore', 'dropBefore'],
			'(ECONNRESET)',
		],
	])('stays unknown after %s', async (_name, reactions, reason) => {
		const { error } = await transfer(transferApiOf(...reactions));
		expect(error?.message).toMatch(/^It is not known/);
		expect(error?.message).toContain(reason);
	});

	test.each([
		...[408, 500, 502, 503, 504].map((status) => [status, 4] as const),
		...[303, 501, 505, 507, 520, 522, 530].map((status) => [status, 1] as const),
	])('a %d leaves it unknown after %d request(s) with one key', async (status, requests) => {
		const keys: unknown[] = [];
		const api = fakeApi(({ headers }) => {
			keys.push(headers['Idempotency-Key']);
			return refusal(status);
		});
		const { error } = await execute(api, parameters());
		expect(error).toMatchObject({
			message: expect.stringMatching(/^It is not known/),
			httpCode: String(status),
		});
		expect(keys).toHaveLength(requests);
		expect(new Set(keys).size).toBe(1);
	});

	test.each([400, 404, 429, 499])('a %d says that nothing was made', async (status) => {
		const { error } = await execute(
			fakeApi(() => refusal(status)),
			parameters(),
		);
		expect(error?.message).toBe(`Some message (${status} some-code)`);
	});

	test('a call that could not be sent says that nothing was made', async () => {
		const api = transferApiOf('never sent', 'never sent', 'never sent', 'never sent');
		expect((await transfer(api)).error?.message).toMatch(/^No connection to/);
	});

	test('the same transfer later in that execution is refused: it could be the second attempt', async () => {
		const api = transferApiOf(...FOUR_DROPS);
		const { json } = await transfer(api, perItem, {
			items: amounts('1.00', '1.00', '2.00'),
			node: goOn,
		});
		expect(json[1]).toMatchObject({
			error: expect.stringContaining('it is not known whether an equal transfer was already made'),
			message: { idempotencyKey: api.keys()[0] },
		});
		expect(json[2]).toMatchObject({ isEarlierTransfer: false });
		expect(api.transfers.size).toBe(2);
	});

	test('the same transfer by another node is refused, too', async () => {
		const api = transferApiOf(...FOUR_DROPS);
		const execution = newExecution();
		await transfer(api, {}, { execution });
		const { error } = await transfer(api, {}, { execution, node: { id: 'node-2', name: 'Again' } });
		expect(error?.message).toContain('it is not known whether an equal transfer was already made');
	});

	test('that same transfer under a key of the user is made', async () => {
		const api = transferApiOf(...FOUR_DROPS);
		const execution = newExecution();
		await transfer(api, {}, { execution });
		const { error } = await transfer(api, keyed('a'), { execution, runIndex: 1 });
		expect(error).toBeUndefined();
		expect(api.transfers.size).toBe(2);
	});

	test('what was made before an equal transfer of unclear outcome is returned in a retry', async () => {
		const api = transferApiOf('make', ...FOUR_DROPS);
		const first = newExecution();
		await transfer(api, {}, { execution: first, items: [{}, {}] });
		const { json } = await transfer(api, {}, { execution: retryOf(first), items: [{}, {}] });
		expect(json).toHaveLength(2);
		expect([api.requests.length, api.transfers.size]).toEqual([6, 2]);
	});

	test('once the outcome is known, equal transfers are made', async () => {
		const api = transferApiOf(...FOUR_DROPS);
		const execution = newExecution();
		await transfer(api, {}, { execution });
		await transfer(api, {}, { execution });
		const { error } = await transfer(api, {}, { execution, runIndex: 1 });
		expect(error).toBeUndefined();
		expect(api.transfers.size).toBe(2);
	});
});

describe('the hint about earlier transfers', () => {
	const hintsOf = async (more: INodeParameters, items: IDataObject[], node?: object) => {
		const hints: unknown[] = [];
		const addExecutionHints = (...added: unknown[]) => hints.push(...added);
		const api = fakeApi(({ headers }) =>
			headers['Idempotency-Key'] === 'refused'
				? refusal(400)
				: {
						status: 201,
						body: {
							id: 'x',
							fromAccountId: 1001,
							toAccountId: 1002,
							status: 'x',
							createdAt: String(headers['Idempotency-Key']).startsWith('old')
								? '2026-11-20T12:00:00Z'
								: new Date().toISOString(),
						},
					},
		);
		await execute(api, parameters(more), { items, node, context: { addExecutionHints } });
		return hints;
	};
	const keys = (...values: string[]) => values.map((key) => ({ key }));

	test('names their items, keys and times, once for all', async () => {
		const items = keys('new', 'old-1', 'refused');
		expect(await hintsOf(keyed('={{ $json.key }}'), items, goOn)).toEqual([
			{
				message: '1 of 3 items failed. The first is item 2.',
				type: 'warning',
				location: 'outputPane',
			},
			{
				message:
					'No money was moved now for 1 of 3 items, because their transfers were made earlier: item 1 (Idempotency Key "old-1", made "2026-11-20T12:00:00Z").',
				type: 'warning',
				location: 'outputPane',
			},
		]);
		const many = Array.from({ length: 1000 }, (_, index) => `old-${index}`);
		expect(await hintsOf(keyed('={{ $json.key }}'), keys('new', ...many))).toEqual([
			{
				message: expect.stringMatching(
					/^No money was moved now for 1000 of 1001 items.*: item 1 \([^)]*\), item 2 \([^)]*\), item 3 \([^)]*\) and 997 more\.$/,
				),
				type: 'warning',
				location: 'outputPane',
			},
		]);
		expect(await hintsOf(keyed('={{ $json.key }}'), keys('old-1', 'old-2', 'old-3'))).toEqual([
			expect.objectContaining({ message: expect.stringMatching(/item 2 \([^)]*\)\.$/) }),
		]);
	});

	test('is left out where all money was moved', async () => {
		expect(await hintsOf(keyed('={{ $json.key }}'), keys('a', 'b'))).toEqual([]);
		expect(await hintsOf({}, [{}])).toEqual([]);
	});
});

describe('a key of the user', () => {
	test.each([
		['a string', 'invoice-77', 'invoice-77'],
		['a number', '={{ 77 }}', '77'],
		['the largest exact number', '={{ 9007199254740991 }}', '9007199254740991'],
		['a number from two parts', '={{ $json.n }}{{ $json.n }}', '77'],
		['blanks round it', ' invoice 77 ', 'invoice 77'],
		['one character', 'a', 'a'],
		['255 characters', 'x'.repeat(255), 'x'.repeat(255)],
		['the last character of the keyboard', '~', '~'],
		['a word that only looks like nothing', 'inv-nan-nullable-7', 'inv-nan-nullable-7'],
		['words that contain one', 'undefineds-Xnull-NaNs', 'undefineds-Xnull-NaNs'],
		['a fixed string in braces', 'INV-{{ $json.none }}', 'INV-{{ $json.none }}'],
		['an expression among words', '=INV-{{ $json.n }}-fee', 'INV-7-fee'],
	])('that is %s is sent', async (_name, idempotencyKey, expected) => {
		const api = transferApiOf();
		const { json } = await transfer(api, keyed(idempotencyKey), { items: [{ n: 7 }] });
		expect(api.keys()).toEqual([expected]);
		expect(json).toMatchObject([{ idempotencyKey: expected }]);
	});

	test.each([
		['characters that a header cannot carry', '請求-1', '"請求-1"'],
		['a character beyond the keyboard', 'a\x7f', '"a\x7f"'],
		['a line break', "={{ 'a\\nb' }}", '"a\\nb"'],
		['256 characters', 'x'.repeat(256), 'xxx'],
	])('that is %s is refused: no other key takes its place', async (_name, key, shown) => {
		const api = transferApiOf();
		const { error } = await transfer(api, keyed(key));
		expect(error?.message).toMatch(/^Idempotency Key is invalid: /);
		expect(error?.message).toContain(shown);
		expect(api.requests).toEqual([]);
	});

	test.each([
		['null', '={{ null }}'],
		['a missing field', '={{ $json.invoice }}'],
		['an empty list', '={{ [] }}'],
		['an empty field of the form', ''],
		['blank', '   '],
	])('that is %s is refused, with the item', async (_name, idempotencyKey) => {
		const api = transferApiOf();
		const { error } = await transfer(api, keyed(idempotencyKey));
		expect(error).toMatchObject({
			message: 'Idempotency Key is empty',
			context: { itemIndex: 0 },
		});
		expect(api.requests).toEqual([]);
	});

	test.each([
		['an object', '={{ {a: 1} }}', 'it is {"a":1}, empty, or neither a string nor a number'],
		['a list', '={{ [1] }}', 'it is [1], empty, or neither'],
		['true', '={{ true }}', 'it is true, empty, or neither'],
		['a prefix only', '=INV-{{ $json.invoice }}', '{{ $json.invoice }} is empty, or neither'],
		[
			'empty in one part',
			'={{ $json.customer }}-{{ $json.invoice }}',
			'{{ $json.invoice }} is empty',
		],
		['blank in one part', "=INV-{{ ' ' }}", "{{ ' ' }} is empty"],
		[
			'an object in one part',
			'=INV-{{ $json.address }}',
			'{{ $json.address }} is empty, or neither',
		],
		[
			'not a number in one part',
			'=INV-{{ $json.customer / 0 }}',
			'{{ $json.customer / 0 }} is empty',
		],
		['a large number', '={{ $json.long }}', 'it is 9007199254740992, a number that may be rounded'],
		[
			'a large number in one part',
			'=INV-{{ $json.long }}',
			'{{ $json.long }} is a number that may be rounded, so two payments could share a key: put it in quotes',
		],
		['a fraction', '={{ $json.customer / 2 }}', 'it is 3.5, a number that may be rounded'],
		['a prefix and undefined', "={{ 'INV-' + $json.invoice }}", 'it is "INV-undefined"'],
		['undefined at the start', "={{ $json.invoice + '-INV' }}", 'it is "undefined-INV"'],
		['a prefix and null', "={{ 'INV-' + null }}", 'it is "INV-null"'],
		['a prefix and NaN', "={{ 'INV-' + NaN }}", 'it is "INV-NaN"'],
		['a prefix and an object', "={{ 'INV-' + $json.address }}", 'it is "INV-[object Object]"'],
	])('that is %s is refused, with the item', async (_name, idempotencyKey, hint) => {
		const api = transferApiOf();
		const { error } = await transfer(api, keyed(idempotencyKey), {
			// In the JSON of another system, this number ended with a 3.
			items: [{ customer: 7, address: {}, long: 9_007_199_254_740_992 }],
		});
		expect(error).toMatchObject({
			message: 'Idempotency Key has no usable value for this item, so the transfer was not sent',
			description: expect.stringContaining(hint),
			context: { itemIndex: 0 },
		});
		expect(api.requests).toEqual([]);
	});

	test('is checked for each item separately', async () => {
		const api = transferApiOf();
		const { json } = await transfer(api, keyed('=INV-{{ $json.invoice }}'), {
			items: [{ invoice: 1 }, {}, { invoice: 3 }],
			node: goOn,
		});
		expect(api.keys()).toEqual(['INV-1', 'INV-3']);
		expect(json[1]?.error).toContain('Idempotency Key has no usable value for this item');
	});

	test.each([true, { a: 1 }])('of %j is refused, wherever it comes from', async (key) => {
		const api = transferApiOf();
		const values = new Map<string, unknown>(Object.entries({ ...parameters(), ...keyed('') }));
		values.set('options', { idempotencyKey: key });
		const context = { getNodeParameter: (name: string) => values.get(name) };
		const { error } = await transfer(api, {}, { context });
		expect(error?.description).toContain(`it is ${JSON.stringify(key)}, empty, or neither`);
		expect(api.requests).toEqual([]);
	});

	test('a transfer made long before with it is an earlier one, by its time', async () => {
		const earlier = (createdAt: string) => async () => {
			const api = fakeApi(() => ({
				status: 201,
				body: { id: 'x', fromAccountId: 1001, toAccountId: 1002, status: 'x', createdAt },
			}));
			const { json } = await execute(api, parameters(keyed('a')));
			return json[0]?.isEarlierTransfer;
		};
		expect(await earlier('2026-11-21T11:54:59Z')()).toBe(true);
		expect(await earlier('2026-11-21T12:54:59+01:00')()).toBe(true);
		expect(await earlier('2026-11-21t11:54:59z')()).toBe(true);
		expect(await earlier('2026-11-21T11:55:00Z')()).toBe(false);
		expect(await earlier('2026-11-21T12:00:01Z')()).toBe(false);
		// Without an offset it says nothing.
		expect(await earlier('2026-11-20T11:54:59')()).toBe(false);
		expect(await earlier('Fri, 20 Nov 2026 11:54:59 +01:00 (CET)')()).toBe(false);
	});

	test('with a derived key no transfer is an earlier one', async () => {
		const createdAt = '2020-01-01T00:00:00Z';
		const api = fakeApi(() => ({
			body: { id: 'x', fromAccountId: 1001, toAccountId: 1002, status: 'x', createdAt },
		}));
		const { json } = await execute(api, parameters());
		expect(json).toMatchObject([{ isEarlierTransfer: false }]);
	});

	describe('that another item of the execution has', () => {
		const again = {
			message:
				'Another transfer of this execution has the Idempotency Key "invoice-77", so this one was not sent',
			description: expect.stringMatching(/Remove Duplicates/),
			context: { itemIndex: 1 },
		};

		test.each([
			['the same amount', '5.00', [], again.message],
			['another amount', '6.00', [], again.message],
			[
				'an unclear outcome of the first',
				'5.00',
				FOUR_DROPS,
				'The transfer was not sent: it is not known whether an equal transfer was already made with Idempotency Key invoice-77',
			],
			['an unclear outcome of the first, and another amount', '6.00', FOUR_DROPS, again.message],
		])('with %s is refused, also in a retry', async (_name, amount, reactions, message) => {
			const api = transferApiOf(...reactions);
			const first = newExecution();
			const options = { items: amounts('5.00', amount), node: goOn };
			const key = keyed('invoice-77', perItem);
			const { json } = await transfer(api, key, { ...options, execution: first });
			expect(json[1]).toMatchObject({ error: message });
			const { error } = await transfer(api, key, {
				items: options.items,
				execution: retryOf(first),
			});
			expect(error).toMatchObject(again);
			expect(api.transfers.size).toBe(1);
		});

		test('in an earlier turn of a loop is refused', async () => {
			const api = transferApiOf();
			const execution = newExecution();
			await transfer(api, keyed('invoice-77'), { execution });
			const { error } = await transfer(api, keyed('invoice-77'), { execution, runIndex: 1 });
			expect(error?.message).toBe(again.message);
			expect(api.requests).toHaveLength(1);
		});

		test('in another node is refused, whatever the amount', async () => {
			const api = transferApiOf();
			const execution = newExecution();
			await transfer(api, keyed('invoice-77'), { execution });
			for (const amount of ['25.00', '1.00']) {
				const { error } = await transfer(api, keyed('invoice-77', { amount }), {
					execution,
					node: { id: 'fee', name: 'Fee' },
				});
				expect(error?.message).toBe(again.message);
			}
			expect(api.requests).toHaveLength(1);
		});

		test('is sent where the API refused the first, which is not sent after that', async () => {
			const api = transferApiOf('reject400');
			const options = { items: [{}, {}], node: goOn, execution: newExecution() };
			const { json } = await transfer(api, keyed('invoice-77'), options);
			expect(json).toMatchObject([
				{ error: 'Some message (400 some-code)' },
				{ isEarlierTransfer: false },
			]);
			const second = await transfer(api, keyed('invoice-77'), options);
			expect(second.json).toEqual([expect.objectContaining({ error: again.message }), json[1]]);
			expect(api.requests).toHaveLength(2);
		});
	});

	test('that an earlier execution has sent makes no second transfer', async () => {
		const api = transferApiOf();
		await transfer(api, keyed('invoice-77'), { execution: newExecution('1') });
		jest.setSystemTime(Date.now() + 3_600_000);
		const { json } = await transfer(api, keyed('invoice-77'), { execution: newExecution('2') });
		expect(json).toMatchObject([{ isEarlierTransfer: true }]);
		expect(api.transfers.size).toBe(1);
	});

	test.each<[string, INodeParameters]>([
		['from another account', { accountId: '1003' }],
		['to another account', { toAccountId: '1003' }],
	])('that an earlier execution has sent, %s: the response shows it', async (_name, change) => {
		const api = transferApiOf();
		await transfer(api, keyed('invoice-77'), { execution: newExecution('1') });
		const second = newExecution('2');
		const { error } = await transfer(api, keyed('invoice-77', change), { execution: second });
		expect(error).toMatchObject({
			message:
				'No money was moved: the Idempotency Key was already used for a transfer from 1001 to 1002',
			description: expect.stringContaining('a different Idempotency Key'),
		});
		// As nothing was made, a retry may have another key.
		const retried = await transfer(api, keyed('invoice-78', change), {
			execution: retryOf(second, '3'),
		});
		expect(retried.error).toBeUndefined();
		expect(api.transfers.size).toBe(2);
	});

	test('for which the API refused a transfer is free for another one', async () => {
		const api = transferApiOf('reject400');
		const { json } = await transfer(api, keyed('invoice-77', perItem), {
			items: amounts('1.00', '2.00'),
			node: goOn,
		});
		expect(json[1]).toMatchObject({ idempotencyKey: 'invoice-77', isEarlierTransfer: false });
	});

	test("an item's own transfer is not an earlier one when n8n runs it again", async () => {
		const api = transferApiOf();
		const execution = newExecution();
		await transfer(api, keyed('invoice-77'), { execution });
		const { json } = await transfer(api, keyed('invoice-77'), { execution });
		expect(json).toMatchObject([{ isEarlierTransfer: false }]);
	});
});

test.each<[string, INodeParameters, string]>([
	['the same account', { toAccountId: '1001' }, 'Both accounts are the same: 1001'],
	['the same account, as a number', { toAccountId: '={{ 1001 }}' }, 'Both accounts are the same'],
	['no account', { accountId: '' }, 'From Account ID is empty'],
	['no account to send to', { toAccountId: '' }, 'To Account ID is empty'],
	['an account that is no number', { toAccountId: 'Marketing' }, 'To Account ID is not a whole'],
	['no amount', { amount: '' }, 'Amount is empty'],
	['an inexact number', { amount: '={{ 0.1 + 0.2 }}' }, 'Amount is not a valid amount: 0.3000'],
	['a huge number', { amount: '={{ 1e21 }}' }, 'Amount is not a valid amount'],
	['a negative amount', { amount: '-5' }, 'Amount is not a valid amount'],
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

test.each([
	['$5', 'no currency symbol'],
	['={{ 0.1 + 0.2 }}', 'rounding errors'],
	['0.00', 'greater than zero'],
])('the hint for an amount of %s', async (amount, advice) => {
	const { error } = await transfer(transferApiOf(), { amount });
	expect(error?.description).toContain('"Amount"');
	expect(error?.description).toContain(advice);
});

test.each([
	['={{ 10 }}', '10.00'],
	['={{ 10.5 }}', '10.50'],
])('an exact number, %s, is accepted', async (amount, expected) => {
	const api = transferApiOf();
	await transfer(api, { amount });
	expect(api.requests.map(({ body }) => bodySchema.parse(body).amount)).toEqual([expected]);
});
