import { z } from 'zod';
import { refillDatabase } from '../database/refill.ts';
import type { Services } from '../services.ts';
import { seedDatabase, type SeedName, seedNameSchema } from './seed.ts';

/** POST /sandbox/reset. */
export const resetBody = z.object({ seed: seedNameSchema.default('small') }).strict();

/** Deletes everything and seeds anew, without faults and by the machine's clock. */
export function resetSandbox(
	{ db, now, clock, faults, requestLog }: Services,
	seed: SeedName,
): void {
	faults.set([], 0);
	clock.reset();
	refillDatabase(db, () => seedDatabase(db, seed, now()));
	requestLog.clear();
}
