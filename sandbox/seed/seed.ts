import { z } from 'zod/v4';

import { listAccounts } from '../accounts/account.ts';
import type { Database } from '../database/database.ts';
import { emptyTables } from '../database/schema.ts';
import type { Services } from '../services.ts';
import { seedDataSchema } from './data.ts';
import { smallCompany } from './small.ts';
import { writeSeed } from './write.ts';

const SEEDS = { small: smallCompany, none: () => seedDataSchema.parse({}) };

export const seedNameSchema = z.enum(['small', 'none']);

export const seedSchema = z.union([seedNameSchema, seedDataSchema]);
type Seed = z.infer<typeof seedSchema>;

export const isEmpty = (db: Database): boolean => listAccounts(db).length === 0;

/** Deletes everything and writes a seed; dates are counted back from `now`. Throws, and changes nothing, if it cannot. */
export function seedDatabase(db: Database, seed: Seed, now: Date): void {
	const data = typeof seed === 'string' ? SEEDS[seed]() : seed;
	db.transaction(() => {
		emptyTables(db);
		writeSeed(db, data, now);
	});
}

/** POST /sandbox/reset; without a seed, that of the start. */
export const resetBody = z.strictObject({ seed: seedSchema.optional() });

/**
 * Goes back to the state of the start: its clock, key and endpoints, no faults, no requests; with its data, or with
 * another seed. The dialect stays: it is how the API behaves, no data. Throws a 400, and changes nothing, for data that does not fit together.
 */
export function resetSandbox(
	{ db, clock, faults, requestLog, start, dropDeliveries }: Services,
	seed?: Seed,
): void {
	if (seed === undefined) start.fill();
	else seedDatabase(db, seed, clock.start());
	dropDeliveries();
	clock.reset();
	faults.set([]);
	requestLog.clear();
	start.addCredentials();
}
