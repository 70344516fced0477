import '../support/noWaits';

import fc from 'fast-check';

import { credentialsFor } from '../../dev/harness/core/credentials.ts';
import { runNode, type RunResult } from '../../dev/harness/core/runNode.ts';
import { type Reaction, startTransferApi, transferParameters } from '../../dev/harness/transferApi';

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
	/** False: the key differs in each attempt, as a month does on its last day. */
	isStable: fc.boolean(),
});

test('whatever the network and the API do: with Executions → Retry, each item is transferred exactly once, or is refused under another key', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async ({ amounts, reactions, retryOnFail, isStable }) => {
			const api = await startTransferApi(...reactions);
			try {
				const options = {
					parameters: {
						...transferParameters,
						...(!isStable && {
							idempotencyKey: '={{ $json.invoice }}-{{ $now.plus(0).toMillis() }}',
						}),
					},
					credentials: credentialsFor(api.url, { keyScope: 'customer' }),
					items: amounts.map((amount, index) => ({ amount, invoice: `INV-${index}` })),
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
				if (isStable) expect(api.transfers.size).toBe(amounts.length);
			} finally {
				await api.close();
			}
		}),
		{ numRuns: 60 },
	);
});

test('whatever executions there are, and in whatever order: one transfer for each key, and none without an item', async () => {
	const api = await startTransferApi();
	const invoice = fc.constantFrom('INV-1', 'INV-2', 'INV-3');
	const executions = fc.array(fc.array(invoice, { minLength: 1, maxLength: 3 }), {
		minLength: 1,
		maxLength: 3,
	});
	await fc.assert(
		fc.asyncProperty(executions, async (all) => {
			api.transfers.clear();
			for (const [index, invoices] of all.entries()) {
				const { items } = await runNode({
					parameters: transferParameters,
					credentials: credentialsFor(api.url, { keyScope: 'customer' }),
					items: invoices.map((each) => ({ amount: '1.00', invoice: each })),
					onError: 'continueRegularOutput',
					executionId: String(index),
				});
				// The second item with a key is refused.
				const isSecond = invoices.map((each, at) => invoices.indexOf(each) < at);
				expect(items.map(({ json }) => 'error' in json)).toEqual(isSecond);
			}
			expect(new Set(api.transfers.keys())).toEqual(new Set(all.flat()));
		}),
		{ numRuns: 40 },
	);
	await api.close();
});
