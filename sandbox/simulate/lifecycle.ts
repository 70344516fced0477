import { eventStepSchema } from '../events/financialEvent.ts';
import { badRequest } from '../http/errors.ts';
import { formatAmount } from '../money.ts';
import type { Transaction } from '../transactions/transaction.ts';

/** What can happen to a transaction after its authorization. */
export const STEPS = eventStepSchema.exclude(['authorization']).options;
/** What can happen to a transaction after its authorization. */
export type Step = (typeof STEPS)[number];

/** A transaction as a step leaves it, and how much the step was about (minor units). */
export interface StepOutcome {
	transaction: Transaction;
	amount: number;
}

/**
 * Takes a step of a transaction (§3 "Transaction status"; assumptions.ts says which lead where)
 * and gives what comes of it. `requested` is in minor units; without it the step is about all that
 * there is, but an increment needs it. A refund leaves the transaction settled; its own transaction
 * is the caller's to make. Throws a 400 for a step that the transaction's status or amounts do not allow.
 */
export function takeStep(
	step: Step,
	transaction: Transaction,
	requested: number | undefined,
): StepOutcome {
	switch (step) {
		case 'increment':
			return increase(transaction, requested);
		case 'clearing':
			return clear(transaction, requested);
		case 'release':
			if (requested !== undefined)
				throw badRequest('amount: a release always covers the full held amount');
			return release(transaction, held(transaction));
		case 'reversal':
			return reverse(transaction, requested);
		case 'refund':
			return refund(transaction, requested);
	}
}

function increase(transaction: Transaction, requested: number | undefined): StepOutcome {
	requirePending(transaction);
	if (requested === undefined) throw badRequest('amount: an increment needs an amount');
	const amount = transaction.amount + requested;
	const authorizedAmount = transaction.authorizedAmount + requested;
	return { transaction: { ...transaction, amount, authorizedAmount }, amount: requested };
}

function clear(transaction: Transaction, requested: number | undefined): StepOutcome {
	const amount = chooseAmount(requested, held(transaction), 'held');
	const clearedAmount = transaction.clearedAmount + amount;
	return { transaction: withStatus({ ...transaction, clearedAmount }), amount };
}

function reverse(transaction: Transaction, requested: number | undefined): StepOutcome {
	return release(transaction, chooseAmount(requested, held(transaction), 'held'));
}

function release(transaction: Transaction, amount: number): StepOutcome {
	return {
		transaction: withStatus({ ...transaction, amount: transaction.amount - amount }),
		amount,
	};
}

function refund(transaction: Transaction, requested: number | undefined): StepOutcome {
	const { clearedAmount, refundedAmount, amountDirection } = transaction;
	if (amountDirection === 'credit') throw badRequest('A refund cannot be refunded');
	const amount = chooseAmount(
		requested,
		clearedAmount - refundedAmount,
		'cleared and not refunded',
	);
	return { transaction: { ...transaction, refundedAmount: refundedAmount + amount }, amount };
}

function held(transaction: Transaction): number {
	requirePending(transaction);
	return transaction.amount - transaction.clearedAmount;
}

function requirePending({ status }: Transaction): void {
	if (status !== 'pending') throw badRequest(`The transaction is ${status}, no longer pending`);
}

function chooseAmount(requested: number | undefined, most: number, what: string): number {
	const amount = requested ?? most;
	if (amount > most) throw badRequest(`amount: only ${formatAmount(most)} is ${what}`);
	if (amount === 0) throw badRequest(`Nothing is ${what}`);
	return amount;
}

/** Pending while something is held; then §2: settled with the settled amount, or released with zero. */
function withStatus(transaction: Transaction): Transaction {
	const { amount, clearedAmount } = transaction;
	if (amount > clearedAmount) return transaction;
	return { ...transaction, status: clearedAmount > 0 ? 'settled' : 'released' };
}
