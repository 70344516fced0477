import '../support/noWaits';

import { credentialsFor } from '../../dev/harness/core/credentials.ts';
import { runNode, type RunOptions } from '../../dev/harness/core/runNode.ts';
import {
	startTransferApi,
	type TransferApi,
	transferParameters,
} from '../../dev/harness/transferApi';

// What only n8n's engine can show; transferOnce.property.test.ts has Executions → Retry in it.

let api: TransferApi;
afterEach(() => api.close());

const run = async (more: Partial<RunOptions>) =>
	await runNode({
		parameters: { ...transferParameters, amount: '25.00' },
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
