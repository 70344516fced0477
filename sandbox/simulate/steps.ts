import { randomUUID } from 'node:crypto';

import { allAccountIds } from '../accounts/account.ts';
import { findCard } from '../cards/card.ts';
import type { Database } from '../database/database.ts';
import {
	type FinancialEvent,
	type Issue,
	listTransactionEvents,
} from '../events/financialEvent.ts';
import { recordEvent } from '../events/record.ts';
import { notFound } from '../http/errors.ts';
import { formatAmount } from '../money.ts';
import { addToScheduledPayment } from '../payments/payment.ts';
import { insertSettlement } from '../settlements/settlement.ts';
import {
	findTransaction,
	insertTransaction,
	type Transaction,
	updateTransaction,
} from '../transactions/transaction.ts';
import { cardUsage, isSmall } from '../transactions/usage.ts';
import { platformIssues, type SimulationResult, type SimulationServices } from './authorize.ts';
import { type Step, type StepOutcome, takeStep } from './lifecycle.ts';

/**
 * Takes a step of a transaction: writes its new state, what follows from it (refund, settlement,
 * payment), its CardFinancialEvent and the webhook deliveries (§2, §3, §6). `amount` is in minor
 * units, by default all there is. An increment is declined for the reasons of an authorization, and
 * then changes nothing. Gives the transaction, or that of the refund. Throws a 404 for an unknown
 * transaction, a 400 for a step that it does not allow.
 */
export function simulateStep(
	services: SimulationServices,
	step: Step,
	transactionId: string,
	amount?: number,
): SimulationResult {
	const { db, wakeDeliveries } = services;
	const now = services.now();
	const result = db.transaction(() => {
		const before = findTransaction(db, transactionId, allAccountIds(db));
		if (!before) throw notFound('No transaction has this transactionId');
		const outcome = takeStep(step, before, amount);
		const [authorization] = listTransactionEvents(db, transactionId);
		if (!authorization) throw new Error(`transaction ${transactionId} has no event`);
		const issues =
			step === 'increment' ? declineIncrement(db, before, authorization, outcome.amount, now) : [];
		const after = issues.length > 0 ? before : outcome.transaction;
		updateTransaction(db, after);
		const transaction = step === 'refund' ? insertRefund(db, outcome, now) : after;
		if (step === 'clearing' || step === 'refund') {
			const { amount: settled } = outcome;
			const createdAt = now.toISOString();
			insertSettlement(db, transaction, { id: randomUUID(), amount: settled, createdAt });
			addToScheduledPayment(db, before.accountId, step === 'refund' ? -settled : settled, now);
		}
		const event: FinancialEvent = {
			...authorization,
			id: randomUUID(),
			transactionId: transaction.id,
			createdAt: transaction.createdAt,
			amount: formatAmount(outcome.amount),
			amountDirection: step === 'increment' || step === 'clearing' ? 'debit' : 'credit',
			isReversal: step === 'release' || step === 'reversal',
			isSuccess: issues.length === 0,
			issues,
		};
		const context = { step, accountId: before.accountId };
		return { transaction, event, deliveries: recordEvent(services, event, context, now) };
	});
	wakeDeliveries();
	return result;
}

/**
 * Gives the reasons to decline an increment. It counts in the month of its purchase, which does not
 * itself use up a single-use card for it.
 */
function declineIncrement(
	db: Database,
	{ cardId, createdAt, currency, authorizedAmount }: Transaction,
	authorization: FinancialEvent,
	amount: number,
	now: Date,
): Issue[] {
	const card = findCard(db, cardId);
	if (!card) throw new Error(`card ${cardId} does not exist`);
	const usage = cardUsage(db, card, new Date(createdAt));
	const used = usage.used && isSmall({ amount: authorizedAmount, currency });
	const charge = { amount, currency, merchant: authorization };
	return platformIssues(db, card, charge, now, { ...usage, used });
}

function insertRefund(db: Database, { transaction, amount }: StepOutcome, now: Date): Transaction {
	const refund: Transaction = {
		...transaction,
		id: randomUUID(),
		amount,
		amountDirection: 'credit',
		status: 'settled',
		createdAt: now.toISOString(),
		authorizedAmount: amount,
		clearedAmount: amount,
		refundedAmount: 0,
	};
	insertTransaction(db, refund);
	return refund;
}
