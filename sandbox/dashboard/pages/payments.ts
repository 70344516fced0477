import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { findAccount, listAccounts } from '../../accounts/account.ts';
import { PAYMENT_STATUSES } from '../../assumptions.ts';
import type { Page } from '../../database/list.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParameters, readQuery } from '../../http/query.ts';
import { findPayment, listPayments, type Payment } from '../../payments/payment.ts';
import type { Services } from '../../services.ts';
import { accountLink, matchingCurl } from '../entities.ts';
import { accountFilter, accountIdsOf, blank, searchField, statusFilter } from '../filters.ts';
import { money } from '../format.ts';
import { fragment, type Html, isPartial, page } from '../layout.ts';
import { badge, copyable, empty, facts, filterForm, live, pager, urlWith } from '../parts.ts';

const HEADING = {
	title: 'Payments',
	lede: 'What the accounts pay for their cards, the latest due date first.',
};

const PATH = '/dashboard/payments';

/** Every date of a payment lies between these. */
const ALL_TIME = { from: '0000-01-01', to: '9999-12-31' };

const listParameters = pageParameters.pick({ page: true }).extend({
	status: blank(z.enum(PAYMENT_STATUSES)),
	accountId: blank(z.coerce.number().int()),
	search: blank(z.string().trim()),
});

type Filter = z.infer<typeof listParameters>;

const PAGE_SIZE = 25;

/** The list of payments, a page at a time, and one payment. */
export function paymentsPage(services: Services, apiPath: string): Hono<ControlEnv> {
	const { db, now } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const query = readQuery(c, listParameters);
		const { status, accountId, search } = query;
		const payments = pageOf(services, query);
		const url = (number: number) => urlWith(PATH, { status, accountId, search, page: number });
		const list = live(
			'payments',
			url(query.page),
			html`${payments.data.length === 0 ? empty('No matching payments.') : table(services, payments.data)}
			${pager(payments, 'payment', url)}`,
		);
		if (isPartial(c)) return c.html(list);
		return page(
			c,
			HEADING,
			html`<section class="panel" aria-labelledby="list-heading">
				<div class="panel-head">
					<h2 id="list-heading">Payments</h2>
					${filterForm(
						PATH,
						'payments',
						html`${searchField(search, 'Description or ID')}
						${statusFilter(PAYMENT_STATUSES, status)} ${accountFilter(listAccounts(db), accountId)}`,
					)}
				</div>
				${list}
			</section>`,
		);
	});

	const requested = (id: string): Payment => {
		const payment = findPayment(db, id, now());
		if (!payment) throw notFound('The payment was not found');
		return payment;
	};

	routes.get('/:id', (c) => {
		const payment = requested(c.req.param('id'));
		const { accountId, dueDate } = payment;
		const request = urlWith('/payments', { accountId, from: dueDate, to: dueDate });
		return page(
			c,
			heading(payment),
			html`${state(services, payment)}
				<section class="panel" aria-labelledby="api-heading">
					<h2 id="api-heading" class="panel-title">API</h2>
					<p class="muted">All payments of the account that are due on that day.</p>
					${matchingCurl(c, apiPath, request)}
				</section>`,
		);
	});

	routes.get('/:id/state', (c) => {
		const payment = requested(c.req.param('id'));
		return fragment(c, heading(payment), state(services, payment));
	});

	return routes;
}

/** Accounts have a payment a month, so that all of them are read. */
function pageOf(
	{ db, now }: Services,
	{ page: number, status, accountId, search }: Filter,
): Page<Payment> {
	const found = accountIdsOf(listAccounts(db), accountId)
		.flatMap((id) => listPayments(db, id, ALL_TIME, now()))
		.filter((payment) => status === undefined || payment.status === status)
		.filter((payment) => search === undefined || isMatch(payment, search.toLowerCase()))
		.toSorted((one, other) => (one.dueDate < other.dueDate ? 1 : -1));
	const start = (number - 1) * PAGE_SIZE;
	return {
		data: found.slice(start, start + PAGE_SIZE),
		page: number,
		pageSize: PAGE_SIZE,
		totalItemCount: found.length,
		totalPages: Math.max(1, Math.ceil(found.length / PAGE_SIZE)),
		totalItemCountCapped: false,
	};
}

const isMatch = ({ id, descriptor }: Payment, search: string): boolean =>
	id === search || descriptor.toLowerCase().includes(search);

const heading = ({ descriptor, dueDate }: Payment) => ({
	title: descriptor,
	lede: `Payment due on ${dueDate}`,
});

function state({ db }: Services, payment: Payment): Html {
	const { id, accountId, amount, dueDate, status, type } = payment;
	const account = findAccount(db, accountId);
	return live(
		'payment',
		`${PATH}/${id}/state`,
		html`<section class="panel" aria-labelledby="payment-heading">
			<h2 id="payment-heading" class="panel-title">Payment ${badge(status)}</h2>
			${facts([
				['Payment ID', copyable(id, 'payment ID')],
				['Amount', money(amount)],
				['Due date', dueDate],
				['Type', type],
				['Account', account && accountLink(account)],
			])}
		</section>`,
	);
}

const table = (services: Services, payments: Payment[]): Html =>
	html`<div class="table-scroll">
		<table class="stacked">
			<thead>
				<tr>
					<th scope="col">Payment</th>
					<th scope="col">Account</th>
					<th scope="col">Status</th>
					<th scope="col" class="number">Amount</th>
				</tr>
			</thead>
			<tbody>
				${payments.map((payment) => row(services, payment))}
			</tbody>
		</table>
	</div>`;

function row(
	{ db }: Services,
	{ id, accountId, amount, dueDate, status, descriptor }: Payment,
): Html {
	const account = findAccount(db, accountId);
	return html`<tr id="payment-${id}">
		<td><a href="${PATH}/${id}">${descriptor}</a> <small>Due ${dueDate}</small></td>
		<td>${account && accountLink(account)}</td>
		<td>${badge(status)}</td>
		<td class="number">${money(amount)}</td>
	</tr>`;
}
