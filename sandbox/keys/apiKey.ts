import { randomBytes } from 'node:crypto';

import { z } from 'zod/v4';

import { type Caller, findAccount } from '../accounts/account.ts';
import type { Database } from '../database/database.ts';
import { notFound, oneOfKinds } from '../http/errors.ts';

export const API_KEYS_TABLE = `
-- accountId: null for a customer-scoped key.
create table apiKeys (
	apiKey text primary key,
	accountId integer references accounts,
	active integer not null
) strict;
-- §8: one active key per customer, and a sandbox is one customer.
create unique index oneActiveKey on apiKeys ((1)) where active = 1;
`;

const keyRow = z
	.object({
		apiKey: z.string(),
		accountId: z.number().nullable(),
		active: z.number().transform(Boolean),
	})
	.transform(({ accountId, ...key }): typeof key & { caller: Caller } => ({
		...key,
		caller: accountId === null ? { scope: 'customer' } : { scope: 'account', accountId },
	}));

/** What is known about the key that a request was sent with: whose it is, or why it does not count; never the key. */
export type KeyLookup =
	{ state: 'missing' | 'malformed' | 'unknown' | 'replaced' } | { state: 'active'; caller: Caller };

/** What an API key may be: it has to fit into a header (§5.1). */
export const apiKeySchema = z
	.string()
	.regex(/^[\w.~+/=-]{8,200}$/, 'expected 8 to 200 letters, digits or characters of "._~+/=-"');

const apiKey = apiKeySchema.optional();

export const keyBody = z.discriminatedUnion(
	'scope',
	[
		z.strictObject({ scope: z.literal('customer'), apiKey }),
		z.strictObject({ scope: z.literal('account'), accountId: z.int(), apiKey }),
	],
	oneOfKinds(['customer', 'account']),
);

export const keySchema = z.object({
	apiKey: z.string(),
	scope: z.enum(['customer', 'account']),
	accountId: z.number().nullable(),
});

/**
 * Makes an API key, a random one by default, and invalidates the one before it at once (§5.3, §8). Throws a 404 for an unknown account.
 */
export function createApiKey(db: Database, caller: Caller, apiKey = newApiKey()): string {
	if (caller.scope === 'account' && !findAccount(db, caller.accountId)) {
		throw notFound('No account has this accountId');
	}
	const accountId = caller.scope === 'account' ? caller.accountId : null;
	db.transaction(() => {
		db.run('update apiKeys set active = 0');
		db.run('insert or replace into apiKeys values (:apiKey, :accountId, 1)', { apiKey, accountId });
	});
	return apiKey;
}

export const newApiKey = (): string => `sandbox_${randomBytes(32).toString('base64url')}`;

export const activeApiKey = (db: Database): z.infer<typeof keyRow> | undefined =>
	db.get(keyRow, 'select * from apiKeys where active = 1');

/** Gives the active key, and those that it replaced. */
export const allApiKeys = (db: Database): string[] =>
	db.all(keyRow, 'select * from apiKeys').map(({ apiKey: key }) => key);

/** Looks up the key in an Authorization header (§5.1). */
export function lookUpApiKey(db: Database, header: string | undefined): KeyLookup {
	if (header === undefined) return { state: 'missing' };
	const [, apiKey] = /^Bearer (\S+)$/.exec(header) ?? [];
	if (apiKey === undefined) return { state: 'malformed' };
	const key = db.get(keyRow, 'select * from apiKeys where apiKey = :apiKey', { apiKey });
	if (!key) return { state: 'unknown' };
	return key.active ? { state: 'active', caller: key.caller } : { state: 'replaced' };
}
