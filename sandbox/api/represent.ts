import type { CardUsage } from '../domain/authorization.ts';
import type { Card } from '../domain/card.ts';
import { formatAmount } from '../domain/money.ts';
import type { Payment } from '../domain/payment.ts';
import type { Settlement } from '../domain/settlement.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Transfer } from '../domain/transfer.ts';
import { availableCredit, type Credit, type Spend } from '../store/credit.ts';

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
	id: transaction.id,
	cardId: transaction.cardId,
	amount: formatAmount(transaction.amount),
	amountDirection: transaction.amountDirection,
	currency: transaction.currency,
	status: transaction.status,
	createdAt: transaction.createdAt,
	merchantName: transaction.merchantName,
});

/** A settlement (§2 Settlement, assumption SETTLEMENT in assumptions.ts). */
export const settlementDetails = (settlement: Settlement) => ({
	...settlement,
	amount: formatAmount(settlement.amount),
});

/** A transfer (§2 Transfer). */
export const transferDetails = (transfer: Transfer) => ({
	id: transfer.id,
	fromAccountId: transfer.fromAccountId,
	toAccountId: transfer.toAccountId,
	status: transfer.status,
	createdAt: transfer.createdAt,
});

/** Credit limit and spend (§2 Balance). */
export const balanceDetails = (credit: Credit, spend: Spend) => ({
	availableCreditLimit: formatAmount(availableCredit(credit)),
	overallCreditLimit: formatAmount(credit.overall),
	last24HoursSpend: formatAmount(spend.last24Hours),
	last30DaysSpend: formatAmount(spend.last30Days),
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
