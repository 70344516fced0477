import { randomUUID } from 'node:crypto';

import { PLATFORM_ISSUES } from '../assumptions.ts';
import { availableCredit, creditOf } from '../balance/credit.ts';
import { type Card, findCard } from '../cards/card.ts';
import type { Database } from '../database/database.ts';
import type { FinancialEvent, Issue, Merchant } from '../events/financialEvent.ts';
import { notFound } from '../http/errors.ts';
import { formatAmount } from '../money.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../transactions/transaction.ts';
import { type CardUsage, cardUsage, isSmall } from '../transactions/usage.ts';
import { insertTransaction } from '../transactions/write.ts';
import { recordEvent } from '../webhooks/outbox.ts';

/** An amount in minor units, its ISO 4217 currency, and what the merchant sells, if that is known. */
export interface Charge {
	amount: number;
	currency: string;
	merchantCategory?: string | undefined;
}

/**
 * Decides an authorization as the platform does: gives the reasons to decline it, none if it is
 * approved. Frozen and archived cards refuse new transactions (§3), a limit holds, a single-use
 * card serves one transaction, categories restrict merchants (§2 Card), and the account's
 * available credit (§2 Balance), in minor units, must suffice.
 */
export function reasonsToDecline(
	card: Card,
	usage: CardUsage,
	availableCredit: number,
	charge: Charge,
): Issue[] {
	const issues: Issue[] = [];
	if (card.status === 'frozen') issues.push(PLATFORM_ISSUES.frozen);
	if (card.status === 'archived') issues.push(PLATFORM_ISSUES.archived);
	if (card.type === 'single-use' && usage.used && !isSmall(charge)) {
		issues.push(PLATFORM_ISSUES.spent);
	}
	if (card.limit && usage.spent + charge.amount > card.limit.amount) {
		issues.push(PLATFORM_ISSUES.overLimit);
	}
	if (!allows(card, charge.merchantCategory)) issues.push(PLATFORM_ISSUES.category);
	if (charge.amount > availableCredit) issues.push(PLATFORM_ISSUES.overCredit);
	return issues;
}

/** A card without categories, and a merchant whose category the network did not tell, are free. */
const allows = ({ categories }: Card, merchantCategory: string | undefined): boolean =>
	merchantCategory === undefined ||
	categories.length === 0 ||
	categories.some((category) => category === merchantCategory);

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
	/** The only endpoints that receive the event; by default all of the account do. */
	endpointIds?: string[] | undefined;
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
		const issues = platformIssues(db, card, purchase, now);
		if (purchase.decline) issues.push(purchase.decline);
		const transaction: Transaction = {
			id: randomUUID(),
			cardId: card.id,
			accountId: card.accountId,
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
		const context = { ...purchase, step: 'authorization', accountId: card.accountId } as const;
		return { transaction, event, deliveries: recordEvent(db, event, context, now) };
	});
	wakeDeliveries();
	return result;
}

/** Gives the reasons for which the platform declines a purchase at a time; none if it approves it. */
export function platformIssues(
	db: Database,
	card: Card,
	{ amount, currency, merchant }: Pick<AuthorizationRequest, 'amount' | 'currency' | 'merchant'>,
	now: Date,
): Issue[] {
	const credit = availableCredit(creditOf(db, [card.accountId], now));
	const charge = { amount, currency, merchantCategory: merchant.category };
	return reasonsToDecline(card, cardUsage(db, card, now), credit, charge);
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
