import { randomUUID } from 'node:crypto';
import { reasonsToDecline } from '../domain/authorization.ts';
import type { FinancialEvent, Issue, Merchant } from '../domain/financialEvent.ts';
import { formatAmount } from '../domain/money.ts';
import type { Transaction } from '../domain/transaction.ts';
import { notFound } from '../errors.ts';
import type { Services } from '../services.ts';
import { findCard } from '../store/cards.ts';
import { availableCredit, creditOf } from '../store/credit.ts';
import { recordEvent } from '../store/outbox.ts';
import { cardUsage, insertTransaction } from '../store/transactions.ts';

/** What a simulation works with. */
export type SimulationServices = Pick<Services, 'db' | 'now' | 'wakeDeliveries'>;

/** A purchase as the network requests it; `amount` in minor units. */
export interface AuthorizationRequest {
	cardId: string;
	amount: number;
	currency: string;
	merchant: Merchant;
	/** A reason to decline that lies outside the platform. */
	decline?: Issue | undefined;
}

/** What a simulation wrote: all of it, or nothing, in one SQLite transaction. */
export interface SimulationResult {
	transaction: Transaction;
	event: FinancialEvent;
	deliveries: { id: string; endpointId: string }[];
}

/**
 * Authorizes a purchase: writes the transaction (pending or declined), its CardFinancialEvent and
 * the webhook deliveries (§2, §3, §6). Throws a 404 for an unknown card.
 */
export function authorize(
	{ db, now: clock, wakeDeliveries }: SimulationServices,
	purchase: AuthorizationRequest,
): SimulationResult {
	const now = clock();
	const result = db.transaction(() => {
		const card = findCard(db, purchase.cardId);
		if (!card) throw notFound('No card has this cardId');
		const credit = availableCredit(creditOf(db, [card.accountId], now));
		const issues = reasonsToDecline(card, cardUsage(db, card, now), credit, {
			...purchase,
			merchantCategory: purchase.merchant.category,
		});
		if (purchase.decline) issues.push(purchase.decline);
		const transaction: Transaction = {
			id: randomUUID(),
			cardId: card.id,
			amount: purchase.amount,
			amountDirection: 'debit',
			currency: purchase.currency,
			status: issues.length > 0 ? 'declined' : 'pending',
			createdAt: now.toISOString(),
			merchantName: purchase.merchant.merchantName,
			authorizedAmount: purchase.amount,
			clearedAmount: 0,
			refundedAmount: 0,
		};
		const event = authorizationEvent(transaction, issues, purchase.merchant);
		insertTransaction(db, transaction);
		return { transaction, event, deliveries: recordEvent(db, event, card.accountId, now) };
	});
	wakeDeliveries();
	return result;
}

function authorizationEvent(
	transaction: Transaction,
	issues: Issue[],
	merchant: Merchant,
): FinancialEvent {
	return {
		id: randomUUID(),
		transactionId: transaction.id,
		cardId: transaction.cardId,
		amount: formatAmount(transaction.amount),
		amountDirection: transaction.amountDirection,
		currency: transaction.currency,
		isReversal: false,
		isSuccess: issues.length === 0,
		createdAt: transaction.createdAt,
		issues,
		...merchant,
	};
}
