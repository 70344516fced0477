import '../support/noWaits';

import type { INodeParameters } from 'n8n-workflow';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode, type RunOptions } from '../../harness/core/runNode.ts';
import { startTransferApi, type TransferApi, transferParameters } from '../../harness/transferApi';

// What only n8n's engine can show; transferOnce.property.test.ts has Executions → Retry in it.

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
		items: [{ invoice: 'INV-1' }],
		credentials: credentialsFor(`${api.url}/v1/public`, { keyScope: 'customer' }),
		...more,
	});

test("n8n's Retry On Fail after connections that broke when the transfer was made: one transfer", async () => {
	api = await startTransferApi('dropAfter', 'dropAfter', 'dropAfter', 'dropAfter', 'dropAfter');
	const { items, error } = await run({ retryOnFail: true });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(api.requests).toHaveLength(6);
	expect(api.transfers.size).toBe(1);
});

test('a key that comes again at another turn of a loop is refused', async () => {
	api = await startTransferApi();
	const { error } = await run({ turns: 2 });
	expect(error?.message).toMatch(/^The Idempotency Key "INV-1" was already used in this execution/);
	expect(api.requests).toHaveLength(1);
});

test.each<[string, Partial<RunOptions>]>([
	['without an execution ID', { executionId: '' }],
	['for an agent outside of workflows', { executionId: '', mode: 'internal' }],
	['in a sub-workflow', { mode: 'integrated' }],
])('%s, a lost response is one transfer, too', async (_name, more) => {
	api = await startTransferApi('dropAfter', 'dropAfter', 'dropAfter', 'dropAfter');
	const { error } = await run({ ...more, retryOnFail: true });
	expect(error).toBeUndefined();
	expect([api.requests.length, api.transfers.size]).toEqual([5, 1]);
});

test('the output says that another execution made the transfer under the same key', async () => {
	api = await startTransferApi();
	const first = await run({ executionId: '1' });
	expect(first.items[0]?.json).toMatchObject({ isEarlierTransfer: false });
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
	const second = await run({ executionId: '2' });
	expect(second.items[0]?.json).toMatchObject({
		isEarlierTransfer: true,
		idempotencyKey: 'INV-1',
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
