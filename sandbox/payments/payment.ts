import { randomUUID } from 'node:crypto';

import { z } from 'zod/v4';

import { findAccount } from '../accounts/account.ts';
import { PAYMENT_TERM_DAYS } from '../assumptions.ts';
import type { Database } from '../database/database.ts';
import { notFound } from '../http/errors.ts';
import { formatAmount } from '../money.ts';
import type { Services } from '../services.ts';

export const PAYMENTS_TABLE = `
create table payments (
	id text primary key,
	accountId integer not null references accounts,
	amount integer not null,
	dueDate text not null,
	status text not null,
	type text not null,
	descriptor text not null
) strict;
create index paymentsByDate on payments (accountId, dueDate, id);
create index scheduledPayments on payments (accountId, dueDate, id, amount) where status = 'scheduled';
`;

const paymentRow = z.object({
	id: z.string(),
	accountId: z.number(),
	amount: z.number(),
	dueDate: z.string(),
	/** One of PAYMENT_STATUSES. */
	status: z.string(),
	/** One of PAYMENT_TYPES. */
	type: z.string(),
	descriptor: z.string(),
});

/** A payment (§2); `amount` in minor units, `dueDate` as YYYY-MM-DD. */
export type Payment = z.infer<typeof paymentRow>;

/** A scheduled payment is paid on its due date (assumption, §2 Payment). */
const COLUMNS = `id, accountId, amount, dueDate, type, descriptor,
	case when status = 'scheduled' and dueDate <= :today then 'paid' else status end as status`;

/**
 * Gives the payments of an account that are due from one date (YYYY-MM-DD) to another, both
 * included.
 */
export function listPayments(
	db: Database,
	accountId: number,
	{ from, to }: { from: string; to: string },
	now: Date,
): Payment[] {
	return db.all(
		paymentRow,
		`select ${COLUMNS} from payments where accountId = :accountId and dueDate between :from and :to
			order by dueDate, id`,
		{ accountId, from, to, today: dateOf(now) },
	);
}

/**
 * Adds an amount in minor units (below zero: takes it off) to an account's next scheduled payment;
 * makes one if there is none (assumption PAYMENT_TERM_DAYS). Throws for an unknown account.
 */
export function addToScheduledPayment(
	db: Database,
	accountId: number,
	amount: number,
	now: Date,
): void {
	const changed = db.run(
		`update payments set amount = amount + :amount where id = (
			select id from payments
				where accountId = :accountId and status = 'scheduled' and dueDate > :today
				order by dueDate, id limit 1)`,
		{ accountId, amount, today: dateOf(now) },
	);
	if (changed > 0) return;
	const account = findAccount(db, accountId);
	if (!account) throw new Error(`there is no account ${accountId}`);
	insertPayment(db, {
		id: randomUUID(),
		accountId,
		amount,
		dueDate: dateAfter(now, PAYMENT_TERM_DAYS),
		status: 'scheduled',
		type: 'automatic',
		descriptor: `${account.name} card balance`,
	});
}

export const dueBody = z.strictObject({ days: z.int().min(1).max(366) });

/** Moves a scheduled payment to some days from now. Throws a 404 when no scheduled payment has this id. */
export function movePayment(
	{ db, now: clock }: Services,
	id: string,
	{ days }: z.infer<typeof dueBody>,
): Payment {
	const now = clock();
	const dueDate = dateAfter(now, days);
	const scheduled = db.get(
		paymentRow,
		`select ${COLUMNS} from payments where id = :id and status = 'scheduled' and dueDate > :today`,
		{ id, today: dateOf(now) },
	);
	if (!scheduled) throw notFound('No scheduled payment has this ID');
	db.update('payments', id, { dueDate });
	return { ...scheduled, dueDate };
}

export function insertPayment(db: Database, payment: Payment): void {
	db.insert('payments', { ...payment });
}

const dateOf = (time: Date): string => time.toISOString().slice(0, 10);

export const dateAfter = (now: Date, days: number): string =>
	dateOf(new Date(now.getTime() + days * 24 * 60 * 60 * 1000));

const detailsSchema = paymentRow.omit({ accountId: true }).extend({ amount: z.string() });

export const paymentDetails = (payment: Payment) =>
	detailsSchema.parse({ ...payment, amount: formatAmount(payment.amount) });
