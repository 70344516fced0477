import '../support/noWaits';

import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode, type RunOptions } from '../../harness/core/runNode.ts';
import {
	startTransferApi,
	type TransferApi,
	transferBodySchema,
	transferParameters,
} from '../../harness/transferApi';

// What only n8n's engine can show; transferOnce.property.test.ts has Executions → Retry in it.

const REQUIRED = 'Idempotency Key is required here, so the transfer was not sent';

let api: TransferApi;
afterEach(async () => {
	jest.restoreAllMocks();
	await api.close();
});

const parameters = (more: INodeParameters = {}): INodeParameters => ({
	...transferParameters,
	amount: '25.00',
	...more,
});

const run = async (more: Partial<RunOptions> = {}) =>
	await runNode({
		parameters: parameters(),
		credentials: credentialsFor(`${api.url}/v1/public`, { keyScope: 'customer' }),
		...more,
	});

test('amount, account and key reach the API; its response is the output', async () => {
	api = await startTransferApi();
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect(items.map(({ json: each }) => each)).toEqual(
		[...api.transfers].map(([idempotencyKey, made]) => ({
			...made,
			idempotencyKey,
			isEarlierTransfer: false,
		})),
	);
	expect(
		api.requests.map(({ method, url, body }) => [
			method,
			url,
			transferBodySchema.parse(JSON.parse(body)),
		]),
	).toEqual([
		['POST', '/v1/public/accounts/1001/transfers', { amount: '25.00', toAccountId: 1002 }],
	]);
});

test("n8n's Retry On Fail after connections that broke when the transfer was made: one transfer", async () => {
	api = await startTransferApi('dropAfter', 'dropAfter', 'dropAfter', 'dropAfter', 'dropAfter');
	const { items, error } = await run({ retryOnFail: true });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(api.requests).toHaveLength(6);
	expect(api.transfers.size).toBe(1);
});

test('a loop of items that are the same makes a transfer at each turn', async () => {
	api = await startTransferApi();
	await run({ items: [{}, {}], turns: 3 });
	expect(api.transfers.size).toBe(6);
});

test('another execution makes another transfer, also under the ID of an earlier one', async () => {
	api = await startTransferApi();
	await run({ executionId: '7' });
	await run({ executionId: '8' });
	// As after a reset of the database, or in a cloned n8n.
	jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 1000);
	await run({ executionId: '7' });
	expect(api.transfers.size).toBe(3);
});

test.each<[string, Partial<RunOptions>, string]>([
	['without an execution ID', { executionId: '' }, "$('Your Trigger')"],
	['for an agent outside of workflows', { executionId: '', mode: 'internal' }, "$('Your Trigger')"],
	['in a sub-workflow', { mode: 'integrated' }, "$('When Executed by Another Workflow')"],
])('%s, nothing is sent without a key', async (_name, more, expression) => {
	api = await startTransferApi();
	const { error } = await run(more);
	expect(error).toMatchObject({
		message: REQUIRED,
		description: expect.stringContaining(expression),
	});
	expect(api.requests).toEqual([]);
});

test('the output says that another execution made the transfer under the same key', async () => {
	api = await startTransferApi();
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
