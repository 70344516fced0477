import '../support/noWaits';

import fc from 'fast-check';

import { credentialsFor } from '../../harness/core/credentials.ts';
import { runNode, type RunResult } from '../../harness/core/runNode.ts';
import { type Reaction, startTransferApi, transferParameters } from '../../harness/transferApi';

const reaction = fc.constantFrom<Reaction>(
	'answer',
	'answer',
	'dropBefore',
	'dropAfter',
	'reject400',
	'reject401',
);

const scenario = fc.record({
	amounts: fc.array(fc.constantFrom('1.00', '2.00'), { minLength: 1, maxLength: 4 }),
	reactions: fc.array(reaction, { maxLength: 24 }),
	retryOnFail: fc.boolean(),
});

test('whatever the network and the API do: with Executions → Retry, each item is transferred exactly once', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async ({ amounts, reactions, retryOnFail }) => {
			const api = await startTransferApi(...reactions);
			try {
				const options = {
					parameters: transferParameters,
					credentials: credentialsFor(api.url, { keyScope: 'customer' }),
					items: amounts.map((amount) => ({ amount })),
					retryOnFail,
				};
				let retryOf: RunResult | undefined;
				// Each execution takes at least one of the reactions, unless it succeeds.
				for (let id = 1; id <= reactions.length + 1; id++) {
					const result = await runNode({ ...options, executionId: String(id), retryOf });
					expect(api.transfers.size).toBeLessThanOrEqual(amounts.length);
					if (result.error === undefined) break;
					retryOf = result;
				}
				expect(api.transfers.size).toBe(amounts.length);
			} finally {
				await api.close();
			}
		}),
		{ numRuns: 60 },
	);
});

test('two executions never share a transfer', async () => {
	const api = await startTransferApi();
	const amount = fc.constantFrom('1.00', '2.00');
	const account = fc.constantFrom('1002', '1003');
	const executions = fc.array(
		fc.record({
			executionId: fc.constantFrom('1', '2'),
			items: fc.array(fc.record({ amount, account }), { minLength: 1, maxLength: 3 }),
		}),
		{ minLength: 1, maxLength: 3 },
	);
	await fc.assert(
		fc.asyncProperty(executions, async (all) => {
			api.transfers.clear();
			// The IDs repeat, as after a reset of the database; the start of an execution does not.
			let now = Date.now();
			for (const { executionId, items } of all) {
				const clock = jest.spyOn(Date, 'now').mockReturnValue((now += 1000));
				const { error } = await runNode({
					parameters: {
						...transferParameters,
						toAccountId: '={{ $json.account }}',
					},
					credentials: credentialsFor(api.url, { keyScope: 'customer' }),
					items,
					executionId,
				});
				clock.mockRestore();
				expect(error).toBeUndefined();
			}
			expect(api.transfers.size).toBe(all.flatMap(({ items }) => items).length);
		}),
		{ numRuns: 40 },
	);
	await api.close();
});
