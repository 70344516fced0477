import { z } from 'zod/v4';

import { listAccounts } from '../accounts/account.ts';
import type { Database } from '../database/database.ts';
import { refillDatabase } from '../database/schema.ts';
import type { Services } from '../services.ts';
import { seedDataSchema } from './data.ts';
import { largeCompany } from './large.ts';
import { smallCompany } from './small.ts';
import { writeSeed } from './write.ts';

const SEEDS = {
	small: smallCompany,
	large: largeCompany,
	none: () => seedDataSchema.parse({}),
};

/** What a new sandbox holds: a small company, a large one, or just its accounts. */
export const seedNameSchema = z.enum(['small', 'large', 'none']);

/** A seed by its name, or own data. */
export const seedSchema = z.union([seedNameSchema, seedDataSchema]);
/** A seed by its name, or own data. */
export type Seed = z.infer<typeof seedSchema>;

/** Tells whether nothing was ever put into the database. */
export const isEmpty = (db: Database): boolean => listAccounts(db).length === 0;

/** Deletes everything and writes a seed; dates are counted back from `now`. Throws, and changes nothing, if it cannot. */
export function seedDatabase(db: Database, seed: Seed, now: Date): void {
	const data = typeof seed === 'string' ? SEEDS[seed]() : seed;
	refillDatabase(db, () => writeSeed(db, data, now));
}

/** POST /sandbox/reset. */
export const resetBody = z.object({ seed: seedSchema.default('small') }).strict();

/**
 * Deletes everything and seeds anew, without faults and by the machine's clock. Throws the database's error, and
 * changes nothing, when it cannot be written.
 */
export function resetSandbox(
	services: Pick<
		Services,
		'db' | 'clock' | 'faults' | 'requestLog' | 'applyCredentials' | 'wakeDeliveries'
	>,
	seed: Seed,
): void {
	const { db, clock, faults, requestLog, applyCredentials, wakeDeliveries } = services;
	seedDatabase(db, seed, clock.base());
	faults.set([], 0);
	clock.reset();
	requestLog.clear();
	applyCredentials();
	wakeDeliveries();
}
