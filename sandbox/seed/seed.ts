import { z } from 'zod';

import { insertAccount, listAccounts } from '../accounts/account.ts';
import type { Database } from '../database/database.ts';
import { recomputeUsage } from '../transactions/usage.ts';
import { ACCOUNTS } from './accounts.ts';
import { seedLarge } from './large.ts';
import { seedSmall } from './small/small.ts';

/** What a new sandbox holds: a small company, a large one, or just its two accounts. */
export const seedNameSchema = z.enum(['small', 'large', 'none']);
/** What a new sandbox holds: a small company, a large one, or just its two accounts. */
export type SeedName = z.infer<typeof seedNameSchema>;

/** Tells whether nothing was ever put into the database. */
export const isEmpty = (db: Database): boolean => listAccounts(db).length === 0;

/** Fills an empty database; dates are counted from `now`. Call it inside a transaction. */
export function seedDatabase(db: Database, seed: SeedName, now: Date): void {
	for (const account of ACCOUNTS) insertAccount(db, account, account.creditLimit);
	if (seed !== 'none') seedSmall(db, now);
	if (seed === 'large') seedLarge(db, now);
	recomputeUsage(db);
}
