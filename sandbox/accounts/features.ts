import { z } from 'zod';

import type { Database } from '../database/database.ts';
import { notFound } from '../http/errors.ts';
import { type Account, findAccount, updateAccount } from './account.ts';

/** PUT /sandbox/accounts/:id/features. */
export const featuresBody = z
	.object({
		cardManagement: z.boolean(),
		accountManagement: z.boolean(),
		webhooks: z.boolean(),
	})
	.partial()
	.strict();

/** Switches features of an account (§1), and gives it as it is then. Throws a 404 for an unknown account. */
export function changeFeatures(
	db: Database,
	accountId: number,
	changes: z.infer<typeof featuresBody>,
): Account {
	const account = findAccount(db, accountId);
	if (!account) throw notFound('No account has this id');
	const changed = { ...account, features: { ...account.features, ...changes } };
	updateAccount(db, changed);
	return changed;
}
