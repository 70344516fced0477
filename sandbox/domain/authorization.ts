import { PLATFORM_ISSUES, SMALL_AUTHORIZATION } from '../assumptions.ts';
import type { Card } from './card.ts';
import type { Issue } from './financialEvent.ts';

/** An amount in minor units, its ISO 4217 currency, and what the merchant sells, if that is known. */
export interface Charge {
	amount: number;
	currency: string;
	merchantCategory?: string | undefined;
}

/** What a card's earlier transactions amount to, for the decision about the next one. */
export interface CardUsage {
	/** Minor units spent in the current period of the card's limit. */
	spent: number;
	/** Whether a transaction has used up a single-use card. */
	used: boolean;
}

/** Tells whether a charge is one of the small ones that a single-use card does not count (§2 Card). */
export const isSmall = ({ amount, currency }: Charge): boolean =>
	currency === SMALL_AUTHORIZATION.currency && amount <= SMALL_AUTHORIZATION.amount;

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
