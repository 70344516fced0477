import { randomUUID } from 'node:crypto';

import { PLATFORM_ISSUES } from '../assumptions.ts';
import { availableCredit, creditOf } from '../balance/credit.ts';
import { type Card, findCard } from '../cards/card.ts';
import type { Database } from '../database/database.ts';
import type { FinancialEvent, Issue, Merchant } from '../events/financialEvent.ts';
import { recordEvent } from '../events/record.ts';
import { notFound } from '../http/errors.ts';
import { formatAmount } from '../money.ts';
import type { Services } from '../services.ts';
import { insertTransaction, type Transaction } from '../transactions/transaction.ts';
import { type CardUsage, cardUsage, isSmall } from '../transactions/usage.ts';

/** A charge as the network requests it: an amount in minor units, its ISO 4217 currency, and the merchant. */
interface Charge {
	amount: number;
	currency: string;
	merchant: Merchant;
}

export type SimulationServices = Pick<Services, 'db' | 'now' | 'faults' | 'wakeDeliveries'>;

interface AuthorizationRequest extends Charge {
	cardId: string;
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
 * Gives the reasons for which the platform declines a charge at a time; none if it approves it. Frozen and archived
 * cards refuse new transactions (§3), a limit holds, a single-use card serves one transaction, categories restrict
 * merchants (§2 Card), and the account's available credit (§2 Balance) must suffice.
 */
export function platformIssues(
	db: Database,
	card: Card,
	{ amount, currency, merchant }: Charge,
	now: Date,
	{ spent, used }: CardUsage = cardUsage(db, card, now),
): Issue[] {
	const credit = availableCredit(creditOf(db, [card.accountId], now));
	const { status, type, limit } = card;
	const issues: Issue[] = [];
	if (status === 'frozen') issues.push(PLATFORM_ISSUES.frozen);
	if (status === 'archived') issues.push(PLATFORM_ISSUES.archived);
	if (type === 'single-use' && used && !isSmall({ amount, currency })) {
		issues.push(PLATFORM_ISSUES.spent);
	}
	if (limit && spent + amount > limit.amount) issues.push(PLATFORM_ISSUES.overLimit);
	if (!allows(card, merchant)) issues.push(PLATFORM_ISSUES.category);
	if (amount > credit) issues.push(PLATFORM_ISSUES.overCredit);
	return issues;
}

/** A card without categories, and a merchant whose category the network did not tell, are free. */
const allows = ({ categories }: Card, { category }: Merchant): boolean =>
	category === undefined ||
	categories.length === 0 ||
	categories.some((allowed) => allowed === category);

/**
 * Authorizes a purchase: writes the transaction (pending or declined), its CardFinancialEvent and
 * the webhook deliveries (§2, §3, §6). Throws a 404 for an unknown card.
 */
export function authorize(
	services: SimulationServices,
	purchase: AuthorizationRequest,
): SimulationResult {
	const { db, wakeDeliveries } = services;
	const now = services.now();
	const createdAt = now.toISOString();
	const result = db.transaction(() => {
		const card = findCard(db, purchase.cardId);
		if (!card) throw notFound('No card has this cardId');
		const { amount, currency, merchant, decline } = purchase;
		const issues = platformIssues(db, card, purchase, now);
		if (decline) issues.push(decline);
		const { id: cardId, accountId } = card;
		const transaction: Transaction = {
			...{ id: randomUUID(), cardId, accountId, amount, amountDirection: 'debit', currency },
			status: issues.length > 0 ? 'declined' : 'pending',
			createdAt,
			merchantName: merchant.merchantName,
			authorizedAmount: amount,
			clearedAmount: 0,
			refundedAmount: 0,
		};
		const event: FinancialEvent = {
			...{ id: randomUUID(), transactionId: transaction.id, cardId },
			...{ amount: formatAmount(amount), amountDirection: 'debit', currency },
			isReversal: false,
			isSuccess: issues.length === 0,
			createdAt,
			issues,
			...merchant,
		};
		insertTransaction(db, transaction);
		const context = { step: 'authorization', accountId } as const;
		return { transaction, event, deliveries: recordEvent(services, event, context, now) };
	});
	wakeDeliveries();
	return result;
}
