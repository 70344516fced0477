import { z } from 'zod';

import type { Services } from '../services.ts';
import { type Seed, seedDatabase, seedSchema } from './seed.ts';

/** POST /sandbox/reset. */
export const resetBody = z.object({ seed: seedSchema.default('small') }).strict();

/**
 * Deletes everything and seeds anew, without faults and by the machine's clock. Throws the database's error, and
 * changes nothing, when it cannot be written.
 */
export function resetSandbox(
	{
		db,
		clock,
		faults,
		requestLog,
		wakeDeliveries,
	}: Pick<Services, 'db' | 'clock' | 'faults' | 'requestLog' | 'wakeDeliveries'>,
	seed: Seed,
): void {
	seedDatabase(db, seed, clock.base());
	faults.set([], 0);
	clock.reset();
	requestLog.clear();
	wakeDeliveries();
}
