import { Hono } from 'hono';
import { html } from 'hono/html';

import { listAccounts } from '../../accounts/account.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { failPayment, listPayments, type Payment } from '../../payments/payment.ts';
import type { Services } from '../../services.ts';
import { dateOf, money } from '../format.ts';
import { done, type Html } from '../layout.ts';
import { type Table, table } from '../list.ts';
import { actionButton, badge, copyButton, panel } from '../parts.ts';

const PATH = '/dashboard/payments';

/** The payments of all accounts, and what makes one fail. */
export function paymentsPage(services: Services): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const coming = paymentsWithin(services, 0, 90).filter(isScheduled);
		const others = paymentsWithin(services, -180, 90).filter((each) => !isScheduled(each));
		return c.render(
			html`${panel('scheduled', 'Scheduled', table(paymentTable, coming))}
			${panel('past', 'Paid and failed', table(paymentTable, others.toReversed()))}`,
			'Payments',
		);
	});

	routes.post('/:id/fail', (c) => {
		failPayment(services, c.req.param('id'));
		return done(c, 'The payment failed; its amount is part of the next one.');
	});

	return routes;
}

/** Whether a payment is still to come. */
export const isScheduled = ({ status }: Payment): boolean => status === 'scheduled';

/** Gives the payments of all accounts that are due within a range of days from now on, the earliest first. */
export function paymentsWithin({ db, now }: Services, from: number, to: number): Payment[] {
	const at = now();
	const date = (days: number) =>
		new Date(at.getTime() + days * 86_400_000).toISOString().slice(0, 10);
	return listAccounts(db)
		.flatMap(({ id }) => listPayments(db, id, { from: date(from), to: date(to) }, at))
		.toSorted((one, other) => one.dueDate.localeCompare(other.dueDate));
}

const paymentTable: Table<Payment> = {
	noun: 'payment',
	id: ({ id }) => id,
	columns: [
		{
			title: 'Due',
			cell: ({ id, dueDate, descriptor }) =>
				html`${dateOf(dueDate)} ${copyButton(id, 'payment ID')} <small>${descriptor}</small>`,
		},
		{ title: 'Status', cell: ({ status, type }) => html`${badge(status)} <small>${type}</small>` },
		{ title: 'Amount', cell: ({ amount }) => money(amount), isNumber: true },
		{
			title: html`<span class="visually-hidden">Actions</span>`,
			cell: (payment) => (isScheduled(payment) ? failButton(payment) : undefined),
		},
	],
	empty: 'None.',
};

const failButton = ({ id, descriptor, dueDate }: Payment): Html =>
	actionButton(`${PATH}/${id}/fail`, 'Fail', `${descriptor} of ${dateOf(dueDate)}`, {
		question: 'What it was for becomes part of the next payment of the account.',
	});
