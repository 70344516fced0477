import fc from 'fast-check';
import { z } from 'zod/v4';

import { transfer } from '../../sandbox/accounts/transfer.ts';
import { creditOf } from '../../sandbox/balance/credit.ts';
import { findCard } from '../../sandbox/cards/card.ts';
import { countRows } from '../../sandbox/database/schema.ts';
import { authorize, type SimulationServices } from '../../sandbox/simulate/authorize.ts';
import { type Step, STEPS } from '../../sandbox/simulate/lifecycle.ts';
import { simulateStep } from '../../sandbox/simulate/steps.ts';
import { cardUsage } from '../../sandbox/transactions/usage.ts';
import { ACCOUNT_IDS, attempt, databaseWithCards, servicesOf } from './support/database.ts';
import { authorizeIn, held, type Ledger, spent, stepIn, transferIn } from './support/ledger.ts';
import { cardId } from './support/sandbox.ts';

const NOW = new Date('2026-03-15T12:00:00Z');
const LIMIT = 1_000;
/** More than an account has, unless the other one funds it: so each of them may be what declines. */
const CARD_LIMIT = 1_200;

/** A sandbox without its HTTP server, and the ids of its transactions in the order of the model's. */
interface Real {
	services: SimulationServices;
	transactionIds: string[];
}

type Command = fc.Command<Ledger, Real>;

const startReal = (): Real => ({
	services: servicesOf(
		databaseWithCards(NOW, LIMIT, { limit: { amount: CARD_LIMIT, type: 'lifetime' } }),
		() => NOW,
	),
	transactionIds: [],
});

const startModel = (): Ledger => ({
	accounts: ACCOUNT_IDS.map(() => ({ limit: LIMIT, owed: 0 })),
	cardLimit: CARD_LIMIT,
	transactions: [],
	keys: new Map(),
	events: 0,
});

const transactionRow = z.object({
	amount: z.number(),
	cleared: z.number(),
	refunded: z.number(),
	status: z.string(),
	direction: z.string(),
});

function expectAgreement(model: Ledger, { services: { db }, transactionIds }: Real): void {
	for (const [index, id] of ACCOUNT_IDS.entries()) {
		const account = model.accounts[index];
		const expected = { overall: account?.limit, held: held(model, index), owed: account?.owed };
		const credit = creditOf(db, [id], NOW);
		expect(credit).toEqual(expected);
		expect(credit.overall - credit.held - credit.owed).toBeGreaterThanOrEqual(0);
		const card = findCard(db, cardId(index)) ?? { id: '' };
		expect(cardUsage(db, card, NOW).spent).toBe(spent(model, index));
	}
	const stored = transactionIds.map((id) =>
		db.get(
			transactionRow,
			`select amount, clearedAmount as cleared, refundedAmount as refunded, status,
				amountDirection as direction from transactions where id = :id`,
			{ id },
		),
	);
	expect(stored).toEqual(model.transactions.map(({ entry }) => entry));
	const totals = db.get(
		z.object({ limits: z.number(), payments: z.number(), settlements: z.number() }),
		`select (select sum(creditLimit) from accounts) as limits,
			(select coalesce(sum(amount), 0) from payments) as payments,
			(select coalesce(sum(case amountDirection when 'debit' then amount else -amount end), 0)
				from settlements) as settlements`,
	);
	expect(totals?.limits).toBe(LIMIT * ACCOUNT_IDS.length);
	expect(totals?.settlements).toBe(totals?.payments);
	expect(countRows(db).events).toBe(model.events);
}

const command = (name: string, run: (model: Ledger, real: Real) => void): Command => ({
	check: () => true,
	run: (model, real) => {
		run(model, real);
		expectAgreement(model, real);
	},
	toString: () => name,
});

const purchase = (account: number, amount: number): Command =>
	command(`purchase of ${amount} on ${account}`, (model, { services, transactionIds }) => {
		const approved = authorizeIn(model, account, amount);
		const request = { cardId: cardId(account), amount, currency: 'USD', merchant: {} };
		const { transaction } = authorize(services, request);
		expect(transaction.status).toBe(approved ? 'pending' : 'declined');
		transactionIds.push(transaction.id);
	});

const step = (kind: Step, place: number, amount: number | undefined): Command =>
	command(`${kind} of ${amount ?? 'all'} of ${place}`, (model, { services, transactionIds }) => {
		const index = place % Math.max(1, transactionIds.length);
		const [id, transaction] = [transactionIds[index], model.transactions[index]];
		if (id === undefined || !transaction) return;
		const requested = kind === 'release' ? undefined : amount;
		const accepted = stepIn(model, kind, transaction, requested);
		const result = attempt(() => simulateStep(services, kind, id, requested));
		expect(result !== undefined).toBe(accepted);
		if (result && kind === 'refund') transactionIds.push(result.transaction.id);
	});

const transferOf = (from: number, amount: number, key: string): Command =>
	command(`transfer of ${amount} from ${from}, key ${key}`, (model, { services }) => {
		const [fromAccountId = 0, toAccountId = 0] =
			from === 0 ? ACCOUNT_IDS : [...ACCOUNT_IDS].reverse();
		const accepted = transferIn(model, from, amount, key);
		const request = { fromAccountId, toAccountId, amount };
		expect(attempt(() => transfer(services, request, key)) !== undefined).toBe(accepted);
	});

test('money is conserved under any sequence of purchases, steps and transfers', () => {
	const account = fc.integer({ min: 0, max: 1 });
	const amount = fc.integer({ min: 1, max: LIMIT });
	const kind = fc.constantFrom(...STEPS, 'clearing' as const, 'refund' as const);
	const commands = fc.commands(
		[
			fc.tuple(account, amount).map((of) => purchase(...of)),
			// Most steps are about few purchases, so that some are cleared first and refunded then.
			fc.tuple(kind, fc.nat(2), fc.option(amount, { nil: undefined })).map((of) => step(...of)),
			fc.tuple(account, amount, fc.constantFrom('a', 'b', 'c')).map((of) => transferOf(...of)),
		],
		{ maxCommands: 60 },
	);
	fc.assert(
		fc.property(commands, (sequence) => {
			const real = startReal();
			fc.modelRun(() => ({ model: startModel(), real }), sequence);
			real.services.db.close();
		}),
		{ numRuns: 150 },
	);
});
