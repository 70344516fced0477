import type { Database } from '../database/database.ts';
import type { Transaction } from './transaction.ts';
import { recordUsage } from './usage.ts';

/**
 * Adds a transaction and what it means for card and account. Throws when its id is taken or its card is
 * unknown. Call it inside a transaction.
 */
export function insertTransaction(db: Database, transaction: Transaction): void {
	writeTransaction(db, transaction);
	recordUsage(db, undefined, transaction);
}

/** Writes the row of a transaction alone: `recomputeUsage` must follow. */
export function writeTransaction(db: Database, transaction: Transaction): void {
	db.run('insert into transactions values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
		transaction.id,
		transaction.cardId,
		transaction.accountId,
		transaction.amount,
		transaction.amountDirection,
		transaction.currency,
		transaction.status,
		transaction.createdAt,
		transaction.merchantName ?? null,
		transaction.authorizedAmount,
		transaction.clearedAmount,
		transaction.refundedAmount,
	]);
}

/**
 * Writes what a step after the authorization changed: status and amounts, and what they mean for card
 * and account. Call it inside a transaction.
 */
export function updateTransaction(
	db: Database,
	before: Transaction,
	transaction: Transaction,
): void {
	const { id, amount, status, authorizedAmount, clearedAmount, refundedAmount } = transaction;
	db.run(
		`update transactions set amount = :amount, status = :status,
			authorizedAmount = :authorizedAmount, clearedAmount = :clearedAmount,
			refundedAmount = :refundedAmount where id = :id`,
		{ id, amount, status, authorizedAmount, clearedAmount, refundedAmount },
	);
	recordUsage(db, before, transaction);
}
