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

test('a key that comes again at another turn of a loop is refused', async () => {
	const api = await startTransferApi();
	const { error } = await runNode({
		parameters: { ...transferParameters, amount: '25.00' },
		items: [{ invoice: 'INV-1' }],
		credentials: credentialsFor(api.url, { keyScope: 'customer' }),
		turns: 2,
	});
	await api.close();
	expect(error?.message).toMatch(/^The Idempotency Key "INV-1" was already used in this execution/);
	expect(api.requests).toHaveLength(1);
});
