import { Hono } from 'hono';
import { html } from 'hono/html';

import { listAccounts } from '../../accounts/account.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { failPayment, listPayments, type Payment } from '../../payments/payment.ts';
import type { Services } from '../../services.ts';
import * as ui from '../ui.ts';

const PATH = '/dashboard/payments';

const DAY = 86_400_000;

/** The payments of all accounts, and what makes one fail. */
export function paymentsPage(services: Services): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const all = paymentsWithin(services, -180, 180);
		const others = all.filter((each) => !isScheduled(each)).toReversed();
		return c.render(
			html`${ui.panel('scheduled', 'Scheduled', ui.table(paymentTable, all.filter(isScheduled)))}
			${ui.panel('past', 'Paid and failed', ui.table(paymentTable, others))}`,
			'Payments',
		);
	});

	routes.post('/:id/fail', (c) => {
		failPayment(services, c.req.param('id'));
		return ui.done(c, 'The payment failed; its amount is part of the next one.');
	});

	return routes;
}

/** Whether a payment is still to come. */
export const isScheduled = ({ status }: Payment): boolean => status === 'scheduled';

/** Gives the payments of all accounts that are due within a range of days from now on, the earliest first. */
export function paymentsWithin({ db, now }: Services, from: number, to: number): Payment[] {
	const at = now();
	const date = (days: number) => new Date(at.getTime() + days * DAY).toISOString().slice(0, 10);
	return listAccounts(db)
		.flatMap(({ id }) => listPayments(db, id, { from: date(from), to: date(to) }, at))
		.toSorted((one, other) => one.dueDate.localeCompare(other.dueDate));
}

/** Payments, each with a button while it is scheduled. */
export const paymentTable: ui.Table<Payment> = {
	noun: 'payment',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Due',
			cell: ({ id, dueDate, descriptor }) =>
				html`${ui.dateOf(dueDate)} ${ui.copyButton(id, `ID of the payment of ${dueDate}`)}
					<small>${descriptor}</small>`,
		},
		{
			title: 'Status',
			cell: ({ status, type }) => html`${ui.badge(status)} <small>${type}</small>`,
		},
		{ title: 'Amount', cell: ({ amount }) => ui.money(amount), isNumber: true },
		{ cell: (payment) => (isScheduled(payment) ? failButton(payment) : undefined) },
	],
	empty: 'None.',
};

const failButton = ({ id, descriptor, dueDate }: Payment): ui.Html =>
	ui.actionButton(`${PATH}/${id}/fail`, 'Fail', `${descriptor} of ${ui.dateOf(dueDate)}`, {
		question: 'What it was for becomes part of the next payment of the account.',
	});
