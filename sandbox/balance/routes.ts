import type { Handler } from 'hono';

import { note } from '../http/unknown.ts';
import { type ApiEnv, visibleIds } from '../keys/caller.ts';
import type { Services } from '../services.ts';
import { balanceDetails, creditOf, spendOf } from './credit.ts';

/** GET /balance (§4.10): of the key's account, or of all accounts of the customer together. */
export const readBalance =
	({ db, now }: Services): Handler<ApiEnv> =>
	(c) => {
		const accountIds = visibleIds(c, db);
		if (accountIds.length > 1) {
			const warning = `the balance of all ${accountIds.length} accounts of this key together`;
			note(c, 'warnings', [warning]);
		}
		const at = now();
		return c.json(balanceDetails(creditOf(db, accountIds, at), spendOf(db, accountIds, at)));
	};
