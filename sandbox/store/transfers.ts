import { z } from 'zod';
import type { Transfer } from '../domain/transfer.ts';
import type { Database } from './database.ts';

const transferRow = z.object({
	id: z.string(),
	fromAccountId: z.number(),
	toAccountId: z.number(),
	amount: z.number(),
	status: z.string(),
	createdAt: z.string(),
});

/** Gives the transfer that was made with an Idempotency-Key (§4.2), or undefined if none was. */
export function findTransferByKey(db: Database, idempotencyKey: string): Transfer | undefined {
	return db.get(transferRow, 'select * from transfers where idempotencyKey = :idempotencyKey', {
		idempotencyKey,
	});
}

/**
 * Writes a transfer and moves its amount. Throws when its key is taken or the source's credit
 * limit is smaller. Call it inside a transaction.
 */
export function insertTransfer(
	db: Database,
	transfer: Transfer,
	idempotencyKey: string | undefined,
): void {
	db.run(
		`insert into transfers values
			(:id, :fromAccountId, :toAccountId, :amount, :status, :createdAt, :idempotencyKey)`,
		{ ...transfer, idempotencyKey: idempotencyKey ?? null },
	);
	changeCreditLimit(db, transfer.fromAccountId, -transfer.amount);
	changeCreditLimit(db, transfer.toAccountId, transfer.amount);
}

function changeCreditLimit(db: Database, id: number, change: number): void {
	db.run('update accounts set creditLimit = creditLimit + :change where id = :id', { id, change });
}
