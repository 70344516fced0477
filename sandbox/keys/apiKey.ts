import { createHash } from 'node:crypto';

import { z } from 'zod/v4';

import { type Caller, findAccount } from '../accounts/account.ts';
import type { Database } from '../database/database.ts';
import { notFound, oneOfKinds } from '../http/errors.ts';

/** The table behind the queries below. */
export const API_KEYS_TABLE = `
create table apiKeys (
	hash text primary key,
	scope text not null check (scope in ('account', 'customer')),
	accountId integer references accounts,
	createdAt text not null,
	replacedAt text,
	check ((scope = 'account') = (accountId is not null))
) strict;
-- §8: one active key per customer, and a sandbox is one customer.
create unique index oneActiveKey on apiKeys ((1)) where replacedAt is null;
`;

const keyRow = z.object({ accountId: z.number().nullable(), replacedAt: z.string().nullable() });

/** What is known about the key that a request was sent with: whose it is, or why it does not count; never the key. */
export type KeyLookup =
	{ state: 'missing' | 'malformed' | 'unknown' | 'replaced' } | { state: 'active'; caller: Caller };

/** What an API key may be: it has to fit into a header (§5.1). */
export const apiKeySchema = z
	.string()
	.regex(/^[\w.~+/=-]{8,200}$/, 'expected 8 to 200 letters, digits or characters of "._~+/=-"');

const apiKey = apiKeySchema.optional();

/** POST /sandbox/keys. */
export const keyBody = z.discriminatedUnion(
	'scope',
	[
		z.strictObject({ scope: z.literal('customer'), apiKey }),
		z.strictObject({ scope: z.literal('account'), accountId: z.int(), apiKey }),
	],
	oneOfKinds(['customer', 'account']),
);

/** The response of POST /sandbox/keys. */
export const keySchema = z.object({
	apiKey: z.string(),
	scope: z.enum(['customer', 'account']),
	accountId: z.number().nullable(),
});

/**
 * Makes an API key, a random one by default, and invalidates the one before it at once (§5.3, §8). The key is not
 * stored and cannot be shown again (§5.2). Throws a 404 for an unknown account.
 */
export function createApiKey(
	{ db, now }: { db: Database; now: () => Date },
	caller: Caller,
	apiKey = newApiKey(db),
): string {
	if (caller.scope === 'account' && !findAccount(db, caller.accountId)) {
		throw notFound('No account has this accountId');
	}
	const createdAt = now().toISOString();
	db.transaction(() => {
		db.run('update apiKeys set replacedAt = :createdAt where replacedAt is null', { createdAt });
		db.run('insert or replace into apiKeys values (:hash, :scope, :accountId, :createdAt, null)', {
			hash: hash(apiKey),
			scope: caller.scope,
			accountId: caller.scope === 'account' ? caller.accountId : null,
			createdAt,
		});
	});
	return apiKey;
}

/** An API key that is not in use yet. */
export const newApiKey = ({ ids }: Database): string => `sandbox_${ids.secret()}`;

const activeKey = z.object({
	hash: z.string(),
	scope: z.string(),
	accountId: z.number().nullable(),
	createdAt: z.string(),
});

/** The active key, without itself (accountId null: of the customer); undefined if no key is active. */
export const activeApiKey = (db: Database): z.infer<typeof activeKey> | undefined =>
	db.get(activeKey, 'select * from apiKeys where replacedAt is null');

/** Puts a key back that was active, if its account exists. */
export function restoreApiKey(db: Database, key: z.infer<typeof activeKey>): void {
	if (key.accountId === null || findAccount(db, key.accountId)) {
		db.run('delete from apiKeys');
		db.insert('apiKeys', key);
	}
}

/** Looks up the key in an Authorization header (§5.1). */
export function lookUpApiKey(db: Database, header: string | undefined): KeyLookup {
	if (header === undefined) return { state: 'missing' };
	const [, apiKey] = /^Bearer (\S+)$/.exec(header) ?? [];
	if (apiKey === undefined) return { state: 'malformed' };
	const row = db.get(keyRow, 'select accountId, replacedAt from apiKeys where hash = :hash', {
		hash: hash(apiKey),
	});
	if (!row) return { state: 'unknown' };
	if (row.replacedAt !== null) return { state: 'replaced' };
	const { accountId } = row;
	const caller: Caller =
		accountId === null ? { scope: 'customer' } : { scope: 'account', accountId };
	return { state: 'active', caller };
}

const hash = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');
