import { randomUUID } from 'node:crypto';
import { TRANSFER_STATUS } from '../assumptions.ts';
import type { Transfer, TransferRequest } from '../domain/transfer.ts';
import { badRequest } from '../errors.ts';
import type { Services } from '../services.ts';
import { findAccount } from '../store/accounts.ts';
import { availableCredit, creditOf } from '../store/credit.ts';
import { findTransferByKey, insertTransfer } from '../store/transfers.ts';

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
		const first = idempotencyKey === undefined ? undefined : findTransferByKey(db, idempotencyKey);
		if (first) {
			if (isSame(first, request)) return first;
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
		insertTransfer(db, made, idempotencyKey);
		return made;
	});
}

const isSame = (one: TransferRequest, other: TransferRequest): boolean =>
	one.fromAccountId === other.fromAccountId &&
	one.toAccountId === other.toAccountId &&
	one.amount === other.amount;
