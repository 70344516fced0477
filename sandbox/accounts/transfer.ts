import { randomUUID } from 'node:crypto';

import { z } from 'zod/v4';

import { TRANSFER_STATUS } from '../assumptions.ts';
import { availableCredit, creditOf } from '../balance/credit.ts';
import type { Database } from '../database/database.ts';
import { badRequest } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { findAccount } from './account.ts';

export const TRANSFERS_TABLE = `
-- fromAccountId, toAccountId and amount are also what a repeated idempotencyKey is compared with.
create table transfers (
	id text primary key,
	fromAccountId integer not null references accounts,
	toAccountId integer not null references accounts,
	amount integer not null check (amount > 0),
	status text not null,
	createdAt text not null,
	idempotencyKey text unique
) strict;
`;

const transferRow = z.object({
	id: z.string(),
	fromAccountId: z.number(),
	toAccountId: z.number(),
	amount: z.number(),
	status: z.string(),
	createdAt: z.string(),
});

/** A transfer (§2); `amount` in minor units. */
export type Transfer = z.infer<typeof transferRow>;

/** The request of a transfer (§2 Transfer request), with its source. */
type TransferRequest = Pick<Transfer, 'fromAccountId' | 'toAccountId' | 'amount'>;

/**
 * Moves funds (assumption TRANSFER_STATUS: credit limit) from one account to another (§4.2). With
 * an Idempotency-Key that was used before it gives the first result and moves nothing. Throws a
 * 400 for a key that was used with another request, an unknown destination, the source itself as
 * destination, and insufficient funds; a request that fails does not use up its key.
 */
export function transfer(
	{ db, now }: Pick<Services, 'db' | 'now'>,
	request: TransferRequest,
	idempotencyKey: string | undefined,
): Transfer {
	return db.transaction(() => {
		const first = db.get(transferRow, 'select * from transfers where idempotencyKey = :key', {
			key: idempotencyKey ?? null,
		});
		if (first) {
			const fields = ['fromAccountId', 'toAccountId', 'amount'] as const;
			if (fields.every((field) => first[field] === request[field])) return first;
			throw badRequest('Idempotency-Key: already used for a different request');
		}
		const { fromAccountId, toAccountId, amount } = request;
		if (fromAccountId === toAccountId)
			throw badRequest('toAccountId: must differ from the source account');
		if (!findAccount(db, toAccountId)) {
			throw badRequest('toAccountId: no account of this customer');
		}
		const at = now();
		if (amount > availableCredit(creditOf(db, [fromAccountId], at))) {
			throw badRequest('amount: insufficient funds in the source account');
		}
		const made = {
			id: randomUUID(),
			fromAccountId,
			toAccountId,
			amount,
			status: TRANSFER_STATUS,
			createdAt: at.toISOString(),
		};
		db.insert('transfers', { ...made, idempotencyKey });
		const change = 'update accounts set creditLimit = creditLimit + :amount where id = :id';
		db.run(change, { id: fromAccountId, amount: -amount });
		db.run(change, { id: toAccountId, amount });
		return made;
	});
}

export const listTransfers = (db: Database, count: number): Transfer[] =>
	db.all(transferRow, 'select * from transfers order by rowid desc limit :count', { count });

const detailsSchema = transferRow.omit({ amount: true });

/** A transfer (§2 Transfer): without its amount. */
export const transferDetails = (transfer: Transfer) => detailsSchema.parse(transfer);
