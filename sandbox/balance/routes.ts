import { Hono } from 'hono';

import { noteWarnings } from '../http/unknown.ts';
import { accountsOf, type ApiEnv } from '../keys/caller.ts';
import type { Services } from '../services.ts';
import { balanceDetails, creditOf, spendOf } from './credit.ts';

/** GET /balance (§4.10): of the key's account, or of all accounts of the customer together. */
export function balanceRoutes({ db, now }: Services): Hono<ApiEnv> {
	const routes = new Hono<ApiEnv>();

	routes.get('/', (c) => {
		const accountIds = accountsOf(db, c.var.caller).map(({ id }) => id);
		if (accountIds.length > 1) {
			noteWarnings(c, [`the balance of all ${accountIds.length} accounts of this key together`]);
		}
		const at = now();
		return c.json(balanceDetails(creditOf(db, accountIds, at), spendOf(db, accountIds, at)));
	});

	return routes;
}
