import fc from 'fast-check';

import { findCard } from '../../sandbox/cards/card.ts';
import { authorize } from '../../sandbox/simulate/authorize.ts';
import { STEPS } from '../../sandbox/simulate/lifecycle.ts';
import { simulateStep } from '../../sandbox/simulate/steps.ts';
import { cardUsage } from '../../sandbox/transactions/usage.ts';
import { attempt, databaseWithCards, servicesOf } from './support/database.ts';
import { cardId } from './support/sandbox.ts';

const LIMIT = 1_000;
const CARD = cardId(0);

const commands = fc.array(
	fc.oneof(
		fc.record({
			kind: fc.constant('purchase' as const),
			amount: fc.integer({ min: 1, max: 1_200 }),
		}),
		fc.record({
			// Most steps are about few purchases, so that some are cleared first and refunded then.
			kind: fc.constantFrom(...STEPS, 'clearing' as const, 'refund' as const),
			place: fc.nat(2),
			amount: fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }),
		}),
		fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: -40, max: 40 }) }),
	),
	{ maxLength: 60 },
);

/** What a purchase of the model still amounts to, and the period it was approved in. */
interface Approved {
	id: string;
	period: string;
	amount: number;
}

test.each(['monthly', 'lifetime'])(
	'a %s limit: what is approved in a period never exceeds it, and 0 ≤ balance ≤ limit',
	(type) => {
		fc.assert(
			fc.property(commands, (sequence) => {
				let now = new Date('2026-01-15T12:00:00Z');
				const limit = { amount: LIMIT, type };
				const db = databaseWithCards(now, 1_000_000, { limit });
				const services = servicesOf(db, () => now);
				const approved: Approved[] = [];
				const period = () => (type === 'monthly' ? now.toISOString().slice(0, 7) : 'ever');
				const spentIn = (month: string) =>
					approved
						.filter((purchase) => purchase.period === month)
						.reduce((sum, { amount }) => sum + amount, 0);
				for (const command of sequence) {
					if (command.kind === 'wait') now = new Date(now.getTime() + command.days * 86_400_000);
					else if (command.kind === 'purchase') {
						const { amount } = command;
						const request = { cardId: CARD, amount, currency: 'USD', merchant: {} };
						const { transaction } = authorize(services, request);
						const fits = spentIn(period()) + amount <= LIMIT;
						expect(transaction.status).toBe(fits ? 'pending' : 'declined');
						if (fits) approved.push({ id: transaction.id, period: period(), amount });
					} else {
						const { kind, place, amount } = command;
						const purchase = approved[place % Math.max(1, approved.length)];
						if (!purchase) continue;
						const requested = kind === 'release' ? undefined : amount;
						const result = attempt(() => simulateStep(services, kind, purchase.id, requested));
						if (result && kind === 'increment' && amount !== undefined) {
							const fits = spentIn(purchase.period) + amount <= LIMIT;
							expect(result.event.isSuccess).toBe(fits);
							if (fits) purchase.amount += amount;
						} else if (result && kind !== 'clearing') {
							purchase.amount -= Math.round(Number(result.event.amount) * 100);
						}
					}
					const card = findCard(db, CARD) ?? { id: '' };
					const { spent } = cardUsage(db, card, now);
					expect(spent).toBe(spentIn(period()));
					expect(spent).toBeGreaterThanOrEqual(0);
					expect(spent).toBeLessThanOrEqual(LIMIT);
				}
				db.close();
			}),
			{ numRuns: 100 },
		);
	},
);
