import type { CardUsage } from '../domain/authorization.ts';
import type { Card } from '../domain/card.ts';
import { formatAmount } from '../domain/money.ts';
import type { Payment } from '../domain/payment.ts';
import type { Transaction } from '../domain/transaction.ts';

/** A card as the list shows it (§2 "The card list returns items with"). */
export const cardSummary = ({ id, createdAt, lastFour, name, status, type }: Card) => ({
	id,
	createdAt,
	lastFour,
	name,
	status,
	type,
});

/** A card with all of its fields (§2 Card); balance and limit only where there is a limit. */
export const cardDetails = (card: Card, { spent }: CardUsage) => ({
	...cardSummary(card),
	categories: card.categories,
	category: card.category,
	...(card.limit && {
		balance: formatAmount(card.limit.amount - spent),
		limit: { amount: formatAmount(card.limit.amount), type: card.limit.type },
	}),
});

/** A transaction (§2 Card transaction). */
export const transactionDetails = (transaction: Transaction) => ({
	...transaction,
	amount: formatAmount(transaction.amount),
});

/** A payment (§2 Payment). */
export const paymentDetails = ({ id, amount, dueDate, status, type, descriptor }: Payment) => ({
	id,
	amount: formatAmount(amount),
	dueDate,
	status,
	type,
	descriptor,
});
