import fc from 'fast-check';

import { transferParameters } from '../../dev/harness/transferApi';
import {
	execute,
	type ExecuteOptions,
	newExecution,
	retryOf,
	useFakeClock,
} from '../support/execute';
import { fakeApi, networkError, refusal } from '../support/fakeApi';

useFakeClock();

/** A transfer of the API's ledger. */
interface Made {
	from: number;
	to: number;
	amount: string;
	/** By the clock of the test. */
	at: number;
	/** Which run of the node made it. */
	run: number;
}

/** How the API reacts to a request: `drop` makes the transfer and breaks the connection; so does 409 and 503 in place of it, but not if negative. */
const reaction = fc.constantFrom(
	'make',
	'drop',
	'never sent',
	400,
	401,
	409,
	503,
	-409,
	-429,
	-503,
);

/** How the node is run again after a run. */
const CONTEXTS: Record<string, (before: ExecuteOptions) => ExecuteOptions> = {
	'Retry On Fail': (before) => before,
	'Executions → Retry': ({ execution = newExecution() }) => ({ execution: retryOf(execution) }),
	'another execution': () => ({ execution: newExecution('3') }),
	'a sub-workflow': () => ({ execution: newExecution('4', 'integrated') }),
	'a tool': ({ runIndex = 0, execution }) => ({ runIndex: runIndex + 1, execution, node: TOOL }),
	'a tool without an execution': () => ({
		execution: newExecution('', 'webhook'),
		node: TOOL,
		context: { getExecuteData: () => ({ data: {}, source: null }) },
	}),
};
const TOOL = { type: 'n8n-nodes-card-platform.cardPlatformTool' };

type Payment = Record<'invoice' | 'amount' | 'to', string>;

const payment: fc.Arbitrary<Payment> = fc.record({
	invoice: fc.constantFrom('INV-1', 'INV-2', 'INV-3'),
	amount: fc.constantFrom('1.00', '2.00'),
	to: fc.constantFrom('1002', '1003'),
});

const scenario = fc.record({
	payments: fc.uniqueArray(payment, { minLength: 1, maxLength: 3, selector: (p) => p.invoice }),
	reactions: fc.array(reaction, { maxLength: 12 }),
	runs: fc.array(
		fc.record({
			context: fc.constantFrom(...Object.keys(CONTEXTS)),
			/** What passes before it, in milliseconds. */
			pause: fc.constantFrom(0, 3_000, 60_000, 2 * 86_400_000),
			/** The account that somebody has changed all items to. */
			edited: fc.constantFrom(undefined, undefined, '1003'),
		}),
		{ minLength: 1, maxLength: 5 },
	),
	latency: fc.constantFrom(0, 200, 40_000),
	/** The API's clock against n8n's, and its transfers' against its responses'. */
	clock: fc.integer({ min: -86_400_000, max: 86_400_000 }),
	skew: fc.integer({ min: -4_000, max: 4_000 }),
});

test('whatever the keys, retries, contexts and clocks: paid once, to the right account, and the output never says the contrary', async () => {
	await fc.assert(
		fc.asyncProperty(scenario, async ({ payments, reactions, runs, latency, clock, skew }) => {
			const ledger = new Map<string, Made>();
			let run = 0;
			// Of an execution and its retries: what it has paid, it goes on to call paid now.
			let [firstRun, startedAt] = [1, Date.now()];
			const api = fakeApi(
				({ path, headers, body }) => {
					const next = reactions.shift() ?? 'make';
					if (next === 'never sent') throw networkError('ECONNREFUSED');
					const refused = refusal(Math.abs(Number(next)), { 'retry-after': '2' });
					if (Number(next) < 402) return refused;
					const key = String(headers['Idempotency-Key']);
					const { amount, toAccountId } = body as { amount: string; toAccountId: number };
					const from = Number(path.split('/')[2]);
					const made = ledger.get(key) ?? { from, to: toAccountId, amount, at: Date.now(), run };
					ledger.set(key, made);
					if (next === 'drop') throw networkError('ECONNRESET');
					if (next !== 'make') return refused;
					const createdAt = new Date(made.at + clock + skew).toISOString();
					const accounts = { fromAccountId: made.from, toAccountId: made.to };
					const date = new Date(Date.now() + clock).toUTCString();
					return {
						status: 201,
						headers: { date },
						body: { id: key, ...accounts, status: 'x', createdAt },
					};
				},
				{ latency },
			);

			const output = async (items: Payment[], options: ExecuteOptions) => {
				const parameters = { ...transferParameters, toAccountId: '={{ $json.to }}' };
				const node = { onError: 'continueRegularOutput', ...options.node } as const;
				run++;
				const { json } = await execute(api, parameters, { ...options, items: [...items], node });
				for (const [index, item] of json.entries()) {
					const { invoice = '', amount, to } = items[index] ?? {};
					const made = ledger.get(invoice);
					const error = typeof item.error === 'string' ? item.error : '';
					// A failure whose outcome is known has not paid, unless it is refused as a second payment.
					const isPaid = made !== undefined && made.run >= firstRun;
					if (isPaid && error !== '')
						expect(error).toMatch(/[Tt]he outcome of .* is unknown|already/);
					if (error !== '') continue;
					expect(made).toMatchObject({ from: 1001, to: Number(to), amount });
					if (made?.run === run) expect(item.moneyMoved).not.toBe('earlier');
					// An equal one of some seconds ago may be this one, by clocks that differ.
					const isOld = made !== undefined && made.run < firstRun && made.at < startedAt - 10_000;
					if (isOld) expect(item.moneyMoved).toBe('earlier');
				}
				return json;
			};

			let options: ExecuteOptions = { execution: newExecution('1') };
			await output(payments, options);
			for (const { context, pause, edited } of runs) {
				jest.setSystemTime(Date.now() + pause);
				// What runs outside of executions, n8n cannot repeat.
				const isFirst = options.execution?.id === '' || !/Retry|tool$/.test(context);
				options = CONTEXTS[context]?.(options) ?? options;
				if (isFirst) [firstRun, startedAt] = [run + 1, Date.now()];
				await output(
					edited ? payments.map((each) => ({ ...each, to: edited })) : payments,
					options,
				);
			}
			// When the API is well, and somebody starts the workflow again, each is paid, or shown as paid to another.
			reactions.length = 0;
			[firstRun, startedAt] = [run + 1, Date.now()];
			const last = await output(payments, { execution: newExecution('9') });
			const isAsked = payments.map(({ invoice, to }) => ledger.get(invoice)?.to === Number(to));
			expect(last.map(({ error }) => error === undefined)).toEqual(isAsked);
			expect(new Set(ledger.keys())).toEqual(new Set(payments.map(({ invoice }) => invoice)));
		}),
		{ numRuns: 150 },
	);
});
