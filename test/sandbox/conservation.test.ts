import fc from 'fast-check';
import { z } from 'zod/v4';

import { transfer } from '../../sandbox/accounts/transfer.ts';
import { creditOf } from '../../sandbox/balance/credit.ts';
import { findCard } from '../../sandbox/cards/card.ts';
import { countRows } from '../../sandbox/database/schema.ts';
import { authorize, type SimulationServices } from '../../sandbox/simulate/authorize.ts';
import { STEPS } from '../../sandbox/simulate/lifecycle.ts';
import { simulateStep } from '../../sandbox/simulate/steps.ts';
import { cardUsage } from '../../sandbox/transactions/usage.ts';
import { happens } from '../support/happens';
import { ACCOUNT_IDS, attempt, databaseWithCards, servicesOf } from './support/database.ts';
import { cardId } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const LIMIT = 1_000;
/** More than an account has, unless the other one funds it: so each of them may be what declines. */
const CARD_LIMIT = 1_200;

const sums = z.object({
	held: z.number(),
	owed: z.number(),
	settled: z.number(),
	spent: z.number(),
	refunds: z.number(),
	refunded: z.number(),
	wrong: z.number(),
});

/** Sums of an account's purchases and refunds, each from different rows. */
const SUMS = `select
	coalesce(sum(case status when 'pending' then amount - clearedAmount end), 0) as held,
	coalesce(sum(case amountDirection when 'debit' then clearedAmount - refundedAmount end), 0) as owed,
	(select coalesce(sum(case s.amountDirection when 'debit' then s.amount else -s.amount end), 0)
		from settlements s join transactions t on t.id = s.transactionId where t.accountId = :id) as settled,
	coalesce(sum(case when amountDirection = 'debit' and status <> 'declined'
		then amount - refundedAmount end), 0) as spent,
	coalesce(sum(case amountDirection when 'credit' then amount end), 0) as refunds,
	coalesce(sum(refundedAmount), 0) as refunded,
	coalesce(sum(refundedAmount > clearedAmount or clearedAmount > amount or status <> case
		when status = 'declined' and clearedAmount = 0 then 'declined'
		when amount > clearedAmount then 'pending'
		when clearedAmount > 0 then 'settled' else 'released' end), 0) as wrong
	from transactions where accountId = :id`;

/** What holds whatever has happened. */
function expectBalance({ db }: SimulationServices): void {
	let limits = 0;
	for (const [index, id] of ACCOUNT_IDS.entries()) {
		const credit = creditOf(db, [id], NOW);
		const { held, owed, settled, spent, refunds, refunded, wrong } =
			db.get(sums, SUMS, { id }) ?? sums.parse({});
		expect([credit.held, credit.owed, settled]).toEqual([held, owed, owed]);
		expect([refunds, wrong]).toEqual([refunded, 0]);
		expect(cardUsage(db, findCard(db, cardId(index)) ?? { id: '' }, NOW).spent).toBe(spent);
		expect(spent).toBeLessThanOrEqual(CARD_LIMIT);
		expect(credit.overall - credit.held - credit.owed).toBeGreaterThanOrEqual(0);
		limits += credit.overall;
	}
	expect(limits).toBe(LIMIT * ACCOUNT_IDS.length);
}

const account = fc.nat(1);
const amount = fc.integer({ min: 1, max: 400 });

/** Most steps are about few purchases, so that some are cleared first and refunded then. */
const action = fc.oneof(
	happens(1, 'purchase', { account, amount }),
	happens(3, 'step', {
		step: fc.constantFrom(...STEPS, 'clearing' as const, 'refund' as const),
		which: fc.nat(2),
		amount: fc.option(amount, { nil: undefined, freq: 2 }),
	}),
	happens(1, 'transfer', { account, amount, key: fc.constantFrom('a', 'b', 'c', undefined) }),
);

test('money is conserved under any sequence of purchases, steps and transfers', () => {
	const done: Record<string, number> = {};
	let runs = 0;
	fc.assert(
		fc.property(fc.array(action, { maxLength: 60, size: 'max' }), (actions) => {
			const card = { limit: { amount: CARD_LIMIT, type: 'lifetime' } };
			const services = servicesOf(databaseWithCards(NOW, LIMIT, card), () => NOW);
			const ids: string[] = [];
			runs += 1;
			let events = 0;
			const act = (each: (typeof actions)[number]) => {
				if (each.kind === 'transfer') {
					const [fromAccountId = 0, toAccountId = 0] =
						each.account === 0 ? ACCOUNT_IDS : ACCOUNT_IDS.toReversed();
					const request = { fromAccountId, toAccountId, amount: each.amount };
					return attempt(() => transfer(services, request, each.key)) && 'transfer';
				}
				if (each.kind === 'purchase') {
					const charge = { amount: each.amount, currency: 'USD', merchant: {} };
					const { transaction } = authorize(services, { cardId: cardId(each.account), ...charge });
					ids.push(transaction.id);
					events += 1;
					return transaction.status;
				}
				const { step, which, amount: some } = each;
				const id = ids[which % Math.max(1, ids.length)];
				if (id === undefined) return undefined;
				const requested = step === 'release' ? undefined : some;
				const result = attempt(() => simulateStep(services, step, id, requested));
				if (result && step === 'refund') ids.push(result.transaction.id);
				if (result) events += 1;
				return result && step;
			};
			for (const each of actions) {
				const what = act(each);
				if (what !== undefined) done[what] = (done[what] ?? 0) + 1;
				expectBalance(services);
			}
			expect(countRows(services.db).events).toBe(events);
			services.db.close();
		}),
		{ numRuns: 150 },
	);
	// Each of them was accepted often enough to show something. A test of mutations runs less often.
	const often = Object.keys(done).filter((what) => (done[what] ?? 0) > runs / 10);
	expect(often.sort()).toEqual(['declined', 'pending', 'transfer', ...STEPS].sort());
});
