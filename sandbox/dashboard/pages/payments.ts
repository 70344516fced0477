import { html } from 'hono/html';

import { listAccounts } from '../../accounts/account.ts';
import { dateAfter, listPayments, type Payment } from '../../payments/payment.ts';
import type { Services } from '../../services.ts';
import * as ui from '../ui.ts';

export function addPayments(pages: ui.Pages, services: Services): void {
	pages.get('/payments', (c) => {
		const all = paymentsWithin(services, -180, 180);
		const others = all.filter((each) => !isScheduled(each)).toReversed();
		return c.render(
			html`${ui.panel('scheduled', 'Scheduled', ui.table(paymentTable, all.filter(isScheduled)))}
			${ui.panel('past', 'Paid and failed', ui.table(paymentTable, others))}`,
			'Payments',
		);
	});
}

export const isScheduled = ({ status }: Payment): boolean => status === 'scheduled';

/** Gives the payments of all accounts that are due within a range of days from now on, the earliest first. */
export function paymentsWithin({ db, now }: Services, from: number, to: number): Payment[] {
	const at = now();
	const range = { from: dateAfter(at, from), to: dateAfter(at, to) };
	return listAccounts(db)
		.flatMap(({ id }) => listPayments(db, id, range, at))
		.toSorted((one, other) => one.dueDate.localeCompare(other.dueDate));
}

export const paymentTable: ui.Table<Payment> = {
	noun: 'payment',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Due',
			cell: ({ id, dueDate, descriptor, type }) =>
				html`${ui.dateOf(dueDate)} ${ui.copyButton(id, `ID of the payment of ${dueDate}`)}
					<small>${descriptor} · ${type}</small>`,
		},
		{ title: 'Amount', cell: ({ amount }) => ui.money(amount), isNumber: true },
		{ title: 'Status', cell: ({ status }) => ui.badge(status) },
	],
	empty: 'No payments.',
};
