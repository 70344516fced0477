import { insertAccount } from '../../../sandbox/accounts/account.ts';
import { type Card, insertCard } from '../../../sandbox/cards/card.ts';
import type { Database } from '../../../sandbox/database/database.ts';
import { openDatabase } from '../../../sandbox/database/open.ts';
import { createFaults } from '../../../sandbox/faults/faults.ts';
import { ApiError } from '../../../sandbox/http/errors.ts';
import type { SimulationServices } from '../../../sandbox/simulate/authorize.ts';
import { cardId } from './sandbox.ts';

/** Accounts of a database without a seed. The card of the first one is `cardId(0)`, and so on. */
export const ACCOUNT_IDS = [1001, 1002];

/** Opens a database in memory with two accounts and a card of each; no HTTP server. */
export function databaseWithCards(
	now: Date,
	creditLimit: number,
	card: Partial<Card> = {},
): Database {
	const db = openDatabase(':memory:');
	const features = { cardManagement: true, accountManagement: true, webhooks: true };
	for (const [index, id] of ACCOUNT_IDS.entries()) {
		insertAccount(db, { id, name: `Account ${id}`, features }, creditLimit);
		insertCard(db, {
			id: cardId(index),
			accountId: id,
			name: `Card ${id}`,
			lastFour: '0000',
			status: 'active',
			type: 'recurring',
			createdAt: now.toISOString(),
			categories: [],
			...card,
		});
	}
	return db;
}

/** What simulations work with; nothing is delivered. */
export const servicesOf = (db: Database, now: () => Date): SimulationServices => ({
	...{ db, now, faults: createFaults(), wakeDeliveries: () => undefined },
});

/** Does what may be refused with a 400; gives undefined then. */
export function attempt<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch (error) {
		if (error instanceof ApiError && error.status === 400) return undefined;
		throw error;
	}
}
