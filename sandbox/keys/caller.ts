import type { Context, MiddlewareHandler } from 'hono';

import { type Account, type Caller, listAccounts } from '../accounts/account.ts';
import type { Database } from '../database/database.ts';
import { unauthorized } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { lookUpApiKey } from './apiKey.ts';

/** What the handlers of the API find in their context. */
export interface ApiEnv {
	Variables: { caller: Caller };
}

const REFUSALS = {
	missing: 'The authorization header was not provided',
	malformed: 'The authorization header must be "Bearer", a space and the API key',
	unknown: 'The API key is not valid',
	replaced: 'The API key was replaced by a newer one and is no longer valid',
};

/** Lets only requests with the active API key pass (§5.1, §5.3, §5.6); throws a 401. */
export function authenticate({ db }: Services): MiddlewareHandler<ApiEnv> {
	return async (c, next) => {
		const lookup = lookUpApiKey(db, c.req.header('authorization'));
		if (lookup.state !== 'active') throw unauthorized(REFUSALS[lookup.state]);
		c.set('caller', lookup.caller);
		await next();
	};
}

/** Gives the accounts whose data the caller may see (§5.4): all of the customer's, or the key's own. */
export function accountsOf(db: Database, caller: Caller): Account[] {
	const accounts = listAccounts(db);
	if (caller.scope === 'customer') return accounts;
	return accounts.filter(({ id }) => id === caller.accountId);
}

/** Gives the ids of the accounts whose data the sender of a request may see. */
export const visibleIds = (c: Context<ApiEnv>, db: Database): number[] =>
	accountsOf(db, c.var.caller).map(({ id }) => id);
