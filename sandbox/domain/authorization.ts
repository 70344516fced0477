import { PLATFORM_ISSUES, SMALL_AUTHORIZATION } from '../assumptions.ts';
import type { Card } from './card.ts';
import type { Issue } from './financialEvent.ts';

/** An amount in minor units and its ISO 4217 currency. */
export interface Charge {
	amount: number;
	currency: string;
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
 * approved. Frozen and archived cards refuse new transactions (§3), a limit holds, and a
 * single-use card serves one transaction (§2 Card).
 */
export function reasonsToDecline(card: Card, usage: CardUsage, charge: Charge): Issue[] {
	const issues: Issue[] = [];
	if (card.status === 'frozen') issues.push(PLATFORM_ISSUES.frozen);
	if (card.status === 'archived') issues.push(PLATFORM_ISSUES.archived);
	if (card.type === 'single-use' && usage.used && !isSmall(charge)) {
		issues.push(PLATFORM_ISSUES.spent);
	}
	if (card.limit && usage.spent + charge.amount > card.limit.amount) {
		issues.push(PLATFORM_ISSUES.overLimit);
	}
	return issues;
}
