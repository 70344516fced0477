import { eventStepSchema } from '../events/financialEvent.ts';
import { badRequest } from '../http/errors.ts';
import { formatAmount } from '../money.ts';
import { stepAmounts, type Transaction } from '../transactions/transaction.ts';

export const STEPS = eventStepSchema.exclude(['authorization']).options;
export type Step = (typeof STEPS)[number];

/** A transaction as a step leaves it, and how much the step was about (minor units). */
export interface StepOutcome {
	transaction: Transaction;
	amount: number;
}

/**
 * Takes a step of a transaction (§3 "Transaction status"; own.md says which lead where)
 * and gives its outcome. `requested` is in minor units; without it the step is about all that
 * there is, but an increment needs it. A refund leaves the transaction settled; its own transaction
 * is the caller's to make. Throws a 400 for a step that the transaction's status or amounts do not allow.
 */
export function takeStep(
	step: Step,
	transaction: Transaction,
	requested: number | undefined,
): StepOutcome {
	const { status, amount, authorizedAmount, clearedAmount, refundedAmount } = transaction;
	if (step !== 'refund' && status !== 'pending') {
		throw badRequest(`The transaction is ${status}, no longer pending`);
	}
	if (step === 'increment') {
		if (requested === undefined) throw badRequest('amount: an increment needs an amount');
		const increased = {
			amount: amount + requested,
			authorizedAmount: authorizedAmount + requested,
		};
		return { transaction: { ...transaction, ...increased }, amount: requested };
	}
	const { held, refundable } = stepAmounts(transaction);
	if (step === 'refund') {
		if (transaction.amountDirection === 'credit') throw badRequest('A refund cannot be refunded');
		const refunded = chooseAmount(requested, refundable, 'cleared and not refunded');
		const after = { ...transaction, refundedAmount: refundedAmount + refunded };
		return { transaction: after, amount: refunded };
	}
	if (step === 'release' && requested !== undefined) {
		throw badRequest('amount: a release always covers the full held amount');
	}
	const chosen = chooseAmount(requested, held, 'held');
	const after =
		step === 'clearing'
			? { ...transaction, clearedAmount: clearedAmount + chosen }
			: { ...transaction, amount: amount - chosen };
	return { transaction: withStatus(after), amount: chosen };
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
