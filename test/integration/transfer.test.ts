import type { INodeParameters } from 'n8n-workflow';

import { type Bank, startBank, transferBodySchema } from '../../harness/bank';
import { credentialsFor, runNode, type RunOptions } from '../../harness/core/runNode.ts';

// Only the waiting is taken out.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async () => await Promise.resolve()),
}));

let bank: Bank;
afterEach(async () => {
	jest.restoreAllMocks();
	await bank.close();
});

const parameters = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'account',
	operation: 'transfer',
	accountId: '1001',
	toAccountId: '1002',
	amount: '25.00',
	...more,
});

const run = async (more: Partial<RunOptions> = {}) =>
	await runNode({
		parameters: parameters(),
		credentials: credentialsFor(`${bank.url}/v1/public`, { keyScope: 'customer' }),
		...more,
	});

test('amount, account and key reach the API; its answer is the output', async () => {
	bank = await startBank();
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect(items.map(({ json: each }) => each)).toEqual(
		[...bank.transfers].map(([idempotencyKey, made]) => ({
			...made,
			idempotencyKey,
			isEarlierTransfer: false,
		})),
	);
	expect(
		bank.requests.map(({ method, url, body }) => [
			method,
			url,
			transferBodySchema.parse(JSON.parse(body)),
		]),
	).toEqual([
		['POST', '/v1/public/accounts/1001/transfers', { amount: '25.00', toAccountId: 1002 }],
	]);
});

test('a connection that breaks after the transfer was made: one transfer', async () => {
	bank = await startBank('drop', 'drop');
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(bank.requests).toHaveLength(3);
	expect(bank.transfers.size).toBe(1);
});

test("n8n's Retry On Fail after that: still one transfer", async () => {
	bank = await startBank('drop', 'drop', 'drop', 'drop', 'drop');
	const { items, error } = await run({ retryOnFail: true });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(bank.requests).toHaveLength(6);
	expect(bank.transfers.size).toBe(1);
});

test('items that are the same make as many transfers as there are items', async () => {
	bank = await startBank();
	await run({ items: [{}, {}, {}] });
	expect(bank.transfers.size).toBe(3);
});

test('a loop of items that are the same makes a transfer at each turn', async () => {
	bank = await startBank();
	await run({ items: [{}, {}], turns: 3 });
	expect(bank.transfers.size).toBe(6);
});

test('another execution makes another transfer, also under the ID of an earlier one', async () => {
	bank = await startBank();
	await run({ executionId: '7' });
	await run({ executionId: '8' });
	// As after a reset of the database, or in a cloned n8n.
	jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 1000);
	await run({ executionId: '7' });
	expect(bank.transfers.size).toBe(3);
});

test.each<[string, Partial<RunOptions>]>([
	['execution', { executionId: '8' }],
	['workflow', { workflowId: 'workflow-2' }],
	['step', { nodeId: 'node-2' }],
	['amount', { parameters: parameters({ amount: '26.00' }) }],
	['account', { parameters: parameters({ toAccountId: '1003' }) }],
])('another %s is another transfer, even in the same millisecond', async (_name, change) => {
	bank = await startBank();
	jest.spyOn(Date, 'now').mockReturnValue(Date.now());
	const first = { executionId: '7', workflowId: 'workflow-1' };
	await run(first);
	await run(first);
	expect(bank.transfers.size).toBe(1);
	await run({ ...first, ...change });
	expect(bank.transfers.size).toBe(2);
});

describe('Executions → Retry', () => {
	const amounts = (...values: string[]) => values.map((amount) => ({ amount }));
	const perItem = parameters({ amount: '={{ $json.amount }}' });

	/** An execution that made its first transfer and failed at the second item. */
	const runHalf = async (more: Partial<RunOptions> = {}) => {
		const items = amounts('1.00', 'x', '3.00');
		const result = await run({ parameters: perItem, items, executionId: '7', ...more });
		expect(result.error?.message).toContain('Amount is not a valid amount');
		expect(bank.transfers.size).toBe(1);
		return result;
	};

	test('what was made is not made again; the rest is made', async () => {
		bank = await startBank();
		const retryOf = await runHalf();
		const fixed = parameters({ amount: "={{ $json.amount.replace('x', '2.00') }}" });
		const { error, items } = await run({ parameters: fixed, retryOf, executionId: '8' });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect(bank.transfers.size).toBe(3);
		expect(items[0]?.json).toMatchObject({ isEarlierTransfer: false });
	});

	test('of a retry: the same', async () => {
		bank = await startBank();
		const first = await runHalf();
		const second = await run({ parameters: perItem, retryOf: first, executionId: '8' });
		expect(second.error?.message).toContain('Amount is not a valid amount');
		const fixed = parameters({ amount: "={{ $json.amount.replace('x', '2.00') }}" });
		const third = await run({ parameters: fixed, retryOf: second, executionId: '9' });
		expect(third.error).toBeUndefined();
		expect(bank.transfers.size).toBe(3);
	});

	test.each([
		['another amount', { amount: '={{ $json.amount.replace("1.00", "9.00") }}' }],
		['another account', { toAccountId: '1003', amount: '={{ $json.amount }}' }],
		[
			'a key',
			{ amount: '={{ $json.amount }}', options: { idempotencyKey: '={{ $itemIndex + 1 }}' } },
		],
	])('%s for an item that was sent is refused', async (_name, change) => {
		bank = await startBank();
		const retryOf = await runHalf();
		const [key] = bank.transfers.keys();
		const { error } = await run({ parameters: parameters(change), retryOf, executionId: '8' });
		expect(error?.message).toContain(`This item was already sent with Idempotency Key ${key}`);
		expect(bank.transfers.size).toBe(1);
	});

	test('another amount under the same key of the user is refused', async () => {
		bank = await startBank();
		const options = { idempotencyKey: '={{ "invoice-" + $itemIndex }}' };
		const retryOf = await runHalf({
			parameters: parameters({ amount: '={{ $json.amount }}', options }),
		});
		const amount = '={{ $json.amount.replace("1.00", "9.00") }}';
		const { error } = await run({ parameters: parameters({ amount, options }), retryOf });
		expect(error?.message).toContain('already sent with Idempotency Key invoice-0');
	});

	test('an item that the API refused may be sent as something else', async () => {
		bank = await startBank('refuse');
		const retryOf = await run();
		expect(retryOf.error?.message).toBe('Refused (400 bad-request)');
		const { error } = await run({ parameters: parameters({ amount: '9.00' }), retryOf });
		expect(error).toBeUndefined();
		expect(bank.transfers.size).toBe(1);
	});

	test('a transfer of the first execution is not an earlier one, however late the retry', async () => {
		bank = await startBank('drop', 'drop', 'drop', 'drop');
		const more = { parameters: parameters({ options: { idempotencyKey: 'invoice-77' } }) };
		const retryOf = await run(more);
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
		const { items } = await run({ ...more, retryOf });
		expect(items[0]?.json).toMatchObject({ isEarlierTransfer: false });
	});

	test('what was made stays made, whatever becomes of a retry', async () => {
		bank = await startBank();
		const first = await runHalf();
		bank.plan('lock');
		const second = await run({ parameters: perItem, retryOf: first });
		expect(second.error?.message).toBe('Refused (401 unauthorized)');
		const amount = '={{ $json.amount.replace("1.00", "9.00") }}';
		const third = await run({ parameters: parameters({ amount }), retryOf: second });
		expect(third.error?.message).toContain('This item was already sent');
		expect(bank.transfers.size).toBe(1);
	});

	test('another node under the same name is refused without a key', async () => {
		bank = await startBank();
		const retryOf = await runHalf();
		const { error } = await run({ parameters: perItem, retryOf, nodeId: 'node-2' });
		expect(error?.message).toContain('this execution is a retry');
		expect(bank.transfers.size).toBe(1);
	});

	test('where nothing shows what the first execution did, nothing is sent without a key', async () => {
		bank = await startBank();
		const { error } = await run({ mode: 'retry' });
		expect(error).toMatchObject({
			message: expect.stringContaining('this execution is a retry'),
			description: expect.stringContaining('First check'),
		});
		expect(bank.requests).toEqual([]);
		await run({ mode: 'retry', parameters: parameters({ options: { idempotencyKey: 'a' } }) });
		expect(bank.transfers.size).toBe(1);
	});

	test('that goes for each of its items, for Retry On Fail, and for a retry of the retry', async () => {
		bank = await startBank();
		const { items } = await run({
			mode: 'retry',
			items: [{}, {}],
			onError: 'continueRegularOutput',
			retryOnFail: true,
		});
		for (const { json: each } of items) expect(each.error).toContain('this execution is a retry');
		const retryOf = await run({ mode: 'retry' });
		await run({ retryOf, executionId: '3' });
		const withKey = await run({
			mode: 'retry',
			items: [{ key: 'a' }, {}],
			parameters: parameters({ options: { idempotencyKey: '={{ $json.key }}' } }),
		});
		expect([...bank.transfers.keys()]).toEqual(['a']);
		await run({ retryOf: withKey, executionId: '4' });
		expect(bank.requests).toHaveLength(1);
	});
});

test('without an execution ID each run is another transfer, and Retry On Fail is refused', async () => {
	bank = await startBank();
	await run({ executionId: '' });
	await run({ executionId: '' });
	expect(bank.transfers.size).toBe(2);
	const { error } = await run({ executionId: '', retryOnFail: true });
	expect(error?.message).toContain('n8n gives this run no execution ID');
	expect(bank.transfers.size).toBe(2);
});

test('for an agent outside of workflows nothing is sent without a key', async () => {
	bank = await startBank();
	const { error } = await run({ executionId: '', mode: 'internal' });
	expect(error?.message).toContain('the node cannot tell whether n8n retries the agent');
	expect(bank.requests).toEqual([]);
});

test('in a sub-workflow nothing is sent without a key', async () => {
	bank = await startBank();
	const { error } = await run({ mode: 'integrated' });
	expect(error).toMatchObject({
		message: expect.stringContaining('in a sub-workflow'),
		description: expect.stringContaining('When Executed by Another Workflow'),
	});
	expect(bank.requests).toEqual([]);
	const options = { idempotencyKey: '={{ $json.invoice }}' };
	const more = { mode: 'integrated', parameters: parameters({ options }) } as const;
	await run({ ...more, items: [{ invoice: 'a' }, { invoice: 'b' }] });
	expect([...bank.transfers.keys()]).toEqual(['a', 'b']);
});

describe('an outcome that is not known', () => {
	const failed = async (more: Partial<RunOptions> = {}) => {
		const { error, items } = await run(more);
		return { error, items, key: [...bank.transfers.keys()].join() };
	};

	test('is said, with the key that makes it safe to send again', async () => {
		bank = await startBank('drop', 'drop', 'drop', 'drop');
		const { error, key } = await failed();
		expect(error).toMatchObject({
			message: expect.stringContaining(
				`It is not known whether the transfer with Idempotency Key ${key} was made`,
			),
			description: expect.stringContaining(`the option "Idempotency Key" set to ${key}`),
			context: { itemIndex: 0 },
		});
		expect(error?.description).toContain('Executions → Retry and change nothing');
		expect(error?.description).not.toContain('Retry On Fail');
		await run({ parameters: parameters({ options: { idempotencyKey: key } }) });
		expect(bank.transfers.size).toBe(1);
	});

	test('is in the details of the error item, too', async () => {
		bank = await startBank('drop', 'drop', 'drop', 'drop');
		const { items, key } = await failed({ onError: 'continueRegularOutput' });
		expect(items[0]?.json).toMatchObject({ message: { idempotencyKey: key } });
	});

	test('stays unknown when the last of the retries is refused', async () => {
		bank = await startBank('drop', 'lock');
		const { error } = await failed();
		expect(error?.message).toMatch(/^It is not known .* \(401 unauthorized\)$/);
	});

	test('stays unknown when n8n tries again and is refused', async () => {
		bank = await startBank('drop', 'drop', 'drop', 'drop', 'refuse', 'refuse');
		const { error } = await failed({ retryOnFail: true });
		expect(bank.requests.length).toBeGreaterThan(4);
		expect(error?.message).toMatch(/^It is not known .* \(400 bad-request\)$/);
	});

	test('the same transfer later in that execution is refused: it could be the second try', async () => {
		bank = await startBank('drop', 'drop', 'drop', 'drop');
		const { items } = await failed({ items: [{}, {}], onError: 'continueRegularOutput' });
		expect(items[1]?.json.error).toContain(
			'it is not known whether an equal transfer was already made',
		);
		expect(bank.transfers.size).toBe(1);
	});

	test('a redirect of a transfer leaves it unknown', async () => {
		bank = await startBank('redirect');
		expect((await failed()).error?.message).toMatch(/^It is not known/);
	});

	test('a refusal says that nothing was made: no word of an unknown outcome', async () => {
		bank = await startBank('refuse');
		const { error } = await failed();
		expect(error?.message).toBe('Refused (400 bad-request)');
	});
});

test('the output has the key, and says that a transfer is not an earlier one', async () => {
	bank = await startBank();
	const { items } = await run();
	const [key] = bank.transfers.keys();
	expect(items[0]?.json).toMatchObject({ idempotencyKey: key, isEarlierTransfer: false });
});

test('the output tells a transfer that another execution made under the same key', async () => {
	bank = await startBank();
	const more = { parameters: parameters({ options: { idempotencyKey: 'invoice-77' } }) };
	const first = await run({ ...more, executionId: '1' });
	expect(first.items[0]?.json).toMatchObject({ isEarlierTransfer: false });
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
	const second = await run({ ...more, executionId: '2' });
	expect(second.items[0]?.json).toMatchObject({
		isEarlierTransfer: true,
		idempotencyKey: 'invoice-77',
	});
});

test('items with the same key and the same transfer make one, and the output says so', async () => {
	bank = await startBank();
	const { items } = await run({
		parameters: parameters({ options: { idempotencyKey: 'invoice-77' } }),
		items: [{}, {}],
	});
	expect(bank.transfers.size).toBe(1);
	expect(items.map(({ json: each }) => each.isEarlierTransfer)).toEqual([false, true]);
});

test.each<[string, Partial<RunOptions>]>([
	['on the main path', {}],
	['in a retry that knows nothing of the first execution', { mode: 'retry' }],
])('items with the same key but other amounts, %s: the second is refused', async (_name, more) => {
	bank = await startBank();
	const { items } = await run({
		parameters: parameters({
			amount: '={{ $json.amount }}',
			options: { idempotencyKey: 'invoice-77' },
		}),
		items: [{ amount: '1.00' }, { amount: '2.00' }],
		onError: 'continueRegularOutput',
		...more,
	});
	expect(bank.requests).toHaveLength(1);
	expect(items[1]?.json.error).toContain(
		'Idempotency Key "invoice-77" was already used for another transfer',
	);
});

test('a key whose transfer the API refused is free for another one', async () => {
	bank = await startBank('refuse');
	const { items } = await run({
		parameters: parameters({
			amount: '={{ $json.amount }}',
			options: { idempotencyKey: 'invoice-77' },
		}),
		items: [{ amount: '1.00' }, { amount: '2.00' }],
		onError: 'continueRegularOutput',
	});
	expect(items[1]?.json).toMatchObject({ idempotencyKey: 'invoice-77', isEarlierTransfer: false });
});

test('a clock that is ahead makes no transfer of this execution an earlier one', async () => {
	bank = await startBank();
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
	const { items } = await run();
	expect(items[0]?.json).toMatchObject({ isEarlierTransfer: false });
});

test('a key of the user is sent as it is', async () => {
	bank = await startBank();
	await run({ parameters: parameters({ options: { idempotencyKey: 'invoice-77' } }) });
	expect([...bank.transfers.keys()]).toEqual(['invoice-77']);
});

test.each([
	['a number', '={{ 77 }}', '77'],
	['blanks round it', ' invoice 77 ', 'invoice 77'],
	['a word that only looks like nothing', 'inv-nan-nullable-7', 'inv-nan-nullable-7'],
])('a key of the user that is %s', async (_name, idempotencyKey, expected) => {
	bank = await startBank();
	await run({ parameters: parameters({ options: { idempotencyKey } }) });
	expect([...bank.transfers.keys()]).toEqual([expected]);
});

test.each([
	['an object', '={{ {a: 1} }}'],
	['characters that a header cannot carry', '請求-1'],
	['a line break', "={{ 'a\\nb' }}"],
	['too long', 'x'.repeat(256)],
])('a key of the user that is %s is refused: no other key takes its place', async (_name, key) => {
	bank = await startBank();
	const { error } = await run({ parameters: parameters({ options: { idempotencyKey: key } }) });
	expect(error?.message).toContain('Idempotency Key is invalid');
	expect(bank.requests).toEqual([]);
});

test.each([
	['nothing', '={{ null }}', 'it is empty'],
	['a missing field', '={{ $json.invoice }}', 'it is empty'],
	['an empty field of the form', '', 'it is empty'],
	['blank', '   ', 'it is empty'],
	['a prefix only', '=INV-{{ $json.invoice }}', '{{ $json.invoice }} is empty'],
	[
		'empty in one part',
		'={{ $json.customer }}-{{ $json.invoice }}',
		'{{ $json.invoice }} is empty',
	],
])(
	'a key of the user that is %s is refused, with the item',
	async (_name, idempotencyKey, hint) => {
		bank = await startBank();
		const { error } = await run({
			parameters: parameters({ options: { idempotencyKey } }),
			items: [{ customer: 7, address: {}, list: [] }],
		});
		expect(error).toMatchObject({
			message: 'Idempotency Key is empty for this item, so the transfer was not sent',
			description: expect.stringContaining(hint),
			context: { itemIndex: 0 },
		});
		expect(bank.requests).toEqual([]);
	},
);

test('each item has the options of its own', async () => {
	bank = await startBank();
	await run({
		parameters: parameters({ options: { idempotencyKey: '={{ $json.invoice }}' } }),
		items: [{ invoice: 'a' }, { invoice: 'b' }],
	});
	expect([...bank.transfers.keys()]).toEqual(['a', 'b']);
});

describe('a key of the user that an earlier execution used', () => {
	const options = { idempotencyKey: 'invoice-77' };
	const first = { parameters: parameters({ options }), executionId: '1' };

	test.each([
		['another account', { toAccountId: '1003' }],
		['another amount', { amount: '900.00' }],
	])('for %s: nothing is sent', async (_name, change) => {
		bank = await startBank();
		await run(first);
		const { error } = await run({
			parameters: parameters({ options, ...change }),
			executionId: '2',
			nodeId: 'another-node',
		});
		expect(error?.message).toContain('"invoice-77" was already used for another transfer');
		expect(bank.requests).toHaveLength(1);
	});

	test('for the same transfer: the output says that it is an earlier one', async () => {
		bank = await startBank();
		await run(first);
		const { items } = await run({ ...first, executionId: '2' });
		expect(items[0]?.json).toMatchObject({ isEarlierTransfer: true });
		expect(bank.transfers.size).toBe(1);
	});

	test('with another credential: it is another key', async () => {
		bank = await startBank();
		await run(first);
		const { error } = await run({ ...first, credentialId: '2', executionId: '2' });
		expect(error).toBeUndefined();
		expect(bank.requests).toHaveLength(2);
	});

	test('longer ago than is remembered: the accounts of the response show it', async () => {
		bank = await startBank();
		await run(first);
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 13 * 3_600_000);
		const { error } = await run({ parameters: parameters({ options, toAccountId: '1003' }) });
		expect(error).toMatchObject({
			message: expect.stringContaining('No money was moved'),
			description: expect.stringContaining('a different Idempotency Key'),
		});
	});

	test('with an unclear outcome: a refusal leaves it unclear', async () => {
		bank = await startBank('drop', 'drop', 'drop', 'drop', 'lock');
		await run(first);
		const { error } = await run({ ...first, executionId: '2' });
		expect(error?.message).toMatch(/^It is not known .* \(401 unauthorized\)$/);
	});
});

test('transfers are sent one by one, in the order of the items', async () => {
	bank = await startBank();
	const amounts = ['1.00', '2.00', '3.00', '4.00', '5.00', '6.00'];
	await run({
		parameters: parameters({ amount: '={{ $json.amount }}' }),
		items: amounts.map((amount) => ({ amount })),
	});
	expect(
		bank.requests.map(({ body }) => transferBodySchema.parse(JSON.parse(body)).amount),
	).toEqual(amounts);
	expect(bank.mostAtOnce()).toBe(1);
});

test.each<[string, INodeParameters, string]>([
	['the same account', { toAccountId: '1001' }, 'Both accounts are the same: 1001'],
	['the same account, as a number', { toAccountId: '={{ 1001 }}' }, 'Both accounts are the same'],
	['no account', { accountId: '' }, 'From Account ID is empty'],
	['an account that is no number', { toAccountId: 'Marketing' }, 'To Account ID is not a whole'],
	['no amount', { amount: '' }, 'Amount is not a valid amount'],
	['an inexact number', { amount: '={{ 0.1 + 0.2 }}' }, 'Amount is not a valid amount: 0.3000'],
	['a huge number', { amount: '={{ 1e21 }}' }, 'Amount is not a valid amount'],
	['a negative amount', { amount: '-5' }, 'Amount is not a valid amount'],
])('%s is refused before any request', async (_name, change, message) => {
	bank = await startBank();
	const { error } = await run({ parameters: parameters(change) });
	expect(error).toMatchObject({
		message: expect.stringContaining(message),
		context: { itemIndex: 0 },
	});
	expect(bank.requests).toEqual([]);
});

test.each([
	['={{ 10 }}', '10.00'],
	['={{ 10.5 }}', '10.50'],
])('an exact number, %s, is taken', async (amount, expected) => {
	bank = await startBank();
	await run({ parameters: parameters({ amount }) });
	expect(
		bank.requests.map(({ body }) => transferBodySchema.parse(JSON.parse(body)).amount),
	).toEqual([expected]);
});
