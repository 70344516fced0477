import type { INodeParameters } from 'n8n-workflow';

import { type Bank, startBank, transferBodySchema } from '../../harness/bank';
import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode, type RunOptions } from '../../harness/core/runNode.ts';
import { skipTime } from '../support/sleep';

// Only the waiting is taken out.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async (ms: number) => await skipTime(ms)),
}));

const REQUIRED = 'Idempotency Key is required here, so the transfer was not sent';

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

	test('another node under the same name is refused without a key', async () => {
		bank = await startBank();
		const retryOf = await runHalf();
		const { error } = await run({ parameters: perItem, retryOf, nodeId: 'node-2' });
		expect(error?.message).toBe(REQUIRED);
		expect(bank.transfers.size).toBe(1);
	});
});

test.each<[string, Partial<RunOptions>, string]>([
	['without an execution ID', { executionId: '' }, "$('Your Trigger')"],
	['for an agent outside of workflows', { executionId: '', mode: 'internal' }, "$('Your Trigger')"],
	['in a sub-workflow', { mode: 'integrated' }, "$('When Executed by Another Workflow')"],
])('%s nothing is sent without a key', async (_name, more, expression) => {
	bank = await startBank();
	const { error } = await run(more);
	expect(error).toMatchObject({
		message: REQUIRED,
		description: expect.stringContaining(expression),
	});
	expect(bank.requests).toEqual([]);
});

test('in a sub-workflow, transfers with keys are made', async () => {
	bank = await startBank();
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

	test('stays unknown when n8n tries again and is refused', async () => {
		bank = await startBank('drop', 'drop', 'drop', 'drop', 'refuse', 'refuse');
		const { error } = await failed({ retryOnFail: true });
		expect(bank.requests.length).toBeGreaterThan(4);
		expect(error?.message).toMatch(/^It is not known .* \(400 bad-request\)$/);
	});
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
	const hints = [first, second].map(({ data }) =>
		data.resultData.runData.cardPlatform?.flatMap(({ hints: each }) => each ?? []),
	);
	expect(hints).toEqual([
		[],
		[
			{
				message: expect.stringContaining('No money was moved now for 1 of 1 items'),
				type: 'warning',
				location: 'outputPane',
			},
		],
	]);
});

test.each([
	['nothing', '={{ null }}', 'Enter a value for "Idempotency Key"'],
	['empty in one part', '=INV-{{ $json.invoice }}', '{{ $json.invoice }} is empty'],
])('a key of the user that is %s is refused', async (_name, idempotencyKey, hint) => {
	bank = await startBank();
	const { error } = await run({ parameters: parameters({ options: { idempotencyKey } }) });
	expect(error).toMatchObject({ description: expect.stringContaining(hint) });
	expect(bank.requests).toEqual([]);
});

test('a clock that is ahead makes no transfer of this execution an earlier one', async () => {
	bank = await startBank();
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
	const { items } = await run();
	expect(items[0]?.json).toMatchObject({ isEarlierTransfer: false });
});

test('each item has the options of its own', async () => {
	bank = await startBank();
	await run({
		parameters: parameters({ options: { idempotencyKey: '={{ $json.invoice }}' } }),
		items: [{ invoice: 'a' }, { invoice: 'b' }],
	});
	expect([...bank.transfers.keys()]).toEqual(['a', 'b']);
});
