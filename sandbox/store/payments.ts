import { z } from 'zod';
import type { Payment } from '../domain/payment.ts';
import type { Database } from './database.ts';

const paymentRow = z.object({
	id: z.string(),
	accountId: z.number(),
	amount: z.number(),
	dueDate: z.string(),
	status: z.string(),
	type: z.string(),
	descriptor: z.string(),
});

/** Gives the payments of an account that are due from one date (YYYY-MM-DD) to another, both included. */
export function listPayments(
	db: Database,
	accountId: number,
	{ from, to }: { from: string; to: string },
): Payment[] {
	return db.all(
		paymentRow,
		`select * from payments where accountId = :accountId and dueDate between :from and :to
			order by dueDate, id`,
		{ accountId, from, to },
	);
}

/** Adds a payment. Throws when its id is taken. */
export function insertPayment(db: Database, payment: Payment): void {
	db.run(
		`insert into payments values (:id, :accountId, :amount, :dueDate, :status, :type, :descriptor)`,
		{ ...payment },
	);
}
