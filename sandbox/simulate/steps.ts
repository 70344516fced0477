import { randomUUID } from 'node:crypto';

import { allAccountIds } from '../accounts/account.ts';
import type { Database } from '../database/database.ts';
import { type FinancialEvent, firstEvent } from '../events/financialEvent.ts';
import { notFound } from '../http/errors.ts';
import { formatAmount } from '../money.ts';
import { addToScheduledPayment } from '../payments/payment.ts';
import { insertSettlement } from '../settlements/settlement.ts';
import { findTransaction, type Transaction } from '../transactions/transaction.ts';
import { insertTransaction, updateTransaction } from '../transactions/write.ts';
import { recordEvent } from '../webhooks/outbox.ts';
import type { SimulationResult, SimulationServices } from './authorize.ts';
import { type Step, type StepOutcome, takeStep } from './lifecycle.ts';

/**
 * Takes a step of a transaction: writes its new state, what follows from it (refund, settlement,
 * payment), its CardFinancialEvent and the webhook deliveries (§2, §3, §6). `amount` is in minor
 * units, by default all there is. Gives the transaction, or that of the refund. Throws a 404 for an
 * unknown transaction, a 400 for a step that it does not allow.
 */
export function simulateStep(
	{ db, now: clock, wakeDeliveries }: SimulationServices,
	step: Step,
	transactionId: string,
	amount?: number,
): SimulationResult {
	const now = clock();
	const result = db.transaction(() => {
		const accountIds = allAccountIds(db);
		const before = findTransaction(db, transactionId, accountIds);
		if (!before) throw notFound('No transaction has this transactionId');
		const outcome = takeStep(step, before, amount);
		updateTransaction(db, before, outcome.transaction);
		const transaction = step === 'refund' ? insertRefund(db, outcome, now) : outcome.transaction;
		if (step === 'clearing' || step === 'refund') {
			settle(db, transaction, outcome.amount, now);
		}
		const event = stepEvent(firstEvent(db, transactionId), step, transaction, outcome.amount);
		return { transaction, event, deliveries: recordEvent(db, event, before.accountId, now) };
	});
	wakeDeliveries();
	return result;
}

function insertRefund(db: Database, outcome: StepOutcome, now: Date): Transaction {
	const { transaction: refunded, amount } = outcome;
	const refund: Transaction = {
		...refunded,
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

function settle(
	db: Database,
	{ id: transactionId, cardId, accountId, amountDirection, currency }: Transaction,
	amount: number,
	now: Date,
): void {
	insertSettlement(db, {
		id: randomUUID(),
		transactionId,
		cardId,
		accountId,
		amount,
		amountDirection,
		currency,
		createdAt: now.toISOString(),
	});
	addToScheduledPayment(db, accountId, amountDirection === 'debit' ? amount : -amount, now);
}

function stepEvent(
	authorization: FinancialEvent,
	step: Step,
	{ id: transactionId, createdAt }: Transaction,
	amount: number,
): FinancialEvent {
	return {
		...authorization,
		id: randomUUID(),
		transactionId,
		createdAt,
		amount: formatAmount(amount),
		amountDirection: step === 'clearing' ? 'debit' : 'credit',
		isReversal: step === 'release' || step === 'reversal',
		isSuccess: true,
		issues: [],
	};
}
