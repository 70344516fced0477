import { insertAccount, listAccounts } from '../store/accounts.ts';
import type { Database } from '../store/database.ts';
import { ACCOUNTS } from './accounts.ts';
import { seedSmall } from './small/small.ts';

/** What a new sandbox holds: a small company, or just its two accounts. */
export type SeedName = 'small' | 'none';

/** Tells whether nothing was ever put into the database. */
export const isEmpty = (db: Database): boolean => listAccounts(db).length === 0;

/** Fills an empty database; dates are counted from `now`. Call it inside a transaction. */
export function seedDatabase(db: Database, seed: SeedName, now: Date): void {
	for (const account of ACCOUNTS) insertAccount(db, account);
	if (seed === 'small') seedSmall(db, now);
}
