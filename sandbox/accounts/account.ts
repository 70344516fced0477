import { z } from 'zod/v4';

import type { Database } from '../database/database.ts';
import { notFound } from '../http/errors.ts';

export const ACCOUNTS_TABLE = `
create table accounts (
	id integer primary key,
	name text not null,
	cardManagement integer not null,
	accountManagement integer not null,
	webhooks integer not null,
	creditLimit integer not null check (creditLimit >= 0)
) strict;
`;

/** The sender of a request, by its API key (§5.4). */
export type Caller = { scope: 'customer' } | { scope: 'account'; accountId: number };

const flag = z.number().transform(Boolean);

const accountRow = z
	.object({
		id: z.number(),
		name: z.string(),
		cardManagement: flag,
		accountManagement: flag,
		webhooks: flag,
	})
	.transform(({ id, name, ...features }) => ({ id, name, features }));

/** An account of the customer (§2 Account). A sandbox holds exactly one customer. */
export type Account = z.infer<typeof accountRow>;

/** What is enabled for an account (§1, §5.5); requests for a feature that is off get a 403. */
export type Features = Account['features'];

export function listAccounts(db: Database): Account[] {
	return db.all(accountRow, 'select * from accounts order by id');
}

export const allAccountIds = (db: Database): number[] => listAccounts(db).map(({ id }) => id);

export function findAccount(db: Database, id: number): Account | undefined {
	return db.get(accountRow, 'select * from accounts where id = :id', { id });
}

/** Adds an account with its credit limit in minor units. Throws when its id is taken. */
export function insertAccount(
	db: Database,
	{ id, name, features }: Account,
	creditLimit: number,
): void {
	db.insert('accounts', { id, name, ...features, creditLimit });
}

export const featuresBody = z
	.strictObject({
		cardManagement: z.boolean(),
		accountManagement: z.boolean(),
		webhooks: z.boolean(),
	})
	.partial();

/** Switches features of an account (§1), and gives it as it is then. Throws a 404 for an unknown account. */
export function changeFeatures(
	db: Database,
	accountId: number,
	changes: z.infer<typeof featuresBody>,
): Account {
	const account = findAccount(db, accountId);
	if (!account) throw notFound('No account has this id');
	const changed = { ...account, features: { ...account.features, ...changes } };
	db.update('accounts', accountId, changed.features);
	return changed;
}
