import { z } from 'zod';

/** `debit` reduces the card's balance, `credit` is a refund (§2). */
export const amountDirectionSchema = z.enum(['debit', 'credit']);
/** `debit` or `credit` (§2). */
export type AmountDirection = z.infer<typeof amountDirectionSchema>;

/** Transaction status (§2, §3). */
export const transactionStatusSchema = z.enum(['pending', 'declined', 'settled', 'released']);
/** Transaction status (§2, §3). */
export type TransactionStatus = z.infer<typeof transactionStatusSchema>;

/** A card transaction (§2); `amount` in minor units, `createdAt` RFC 3339 in UTC. */
export interface Transaction {
	id: string;
	cardId: string;
	amount: number;
	amountDirection: AmountDirection;
	currency: string;
	status: TransactionStatus;
	createdAt: string;
	merchantName?: string | undefined;
	/** What the network asked for at first; `amount` shrinks when some of it is reversed. */
	authorizedAmount: number;
	/** How much of `amount` has been cleared. */
	clearedAmount: number;
	/** How much of what was cleared has been refunded, each time by a separate transaction. */
	refundedAmount: number;
}
