import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { type Account, listAccounts } from '../../accounts/account.ts';
import { type Card, findCard } from '../../cards/card.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf, readQuery } from '../../http/query.ts';
import type { Services } from '../../services.ts';
import {
	listTransactions,
	type Transaction,
	transactionStatusSchema,
} from '../../transactions/transaction.ts';
import { cardLink } from '../entities.ts';
import { accountFilter, accountIdsOf, blank, searchField, statusFilter } from '../filters.ts';
import { money, utc } from '../format.ts';
import { type Html, isPartial, page } from '../layout.ts';
import {
	badge,
	empty,
	filterForm,
	live,
	pager,
	SEARCHED_LIST_SECONDS,
	time,
	urlWith,
} from '../parts.ts';

const HEADING = { title: 'Transactions', lede: 'All card transactions, newest first.' };

const PATH = '/dashboard/transactions';

/** The query of the list; a filter that is left empty is absent. */
const listParameters = pageParametersOf(25).extend({
	status: blank(transactionStatusSchema),
	accountId: blank(z.coerce.number().int()),
	cardId: blank(z.string().uuid().toLowerCase()),
	search: blank(z.string().trim()),
});

/** The list of transactions, a page at a time. */
export function transactionsPage(services: Services): Hono<ControlEnv> {
	const { db, countBudget } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const query = readQuery(c, listParameters);
		const accounts = listAccounts(db);
		const accountIds = accountIdsOf(accounts, query.accountId);
		const transactions = listTransactions(db, accountIds, query, query, countBudget);
		const { status, accountId, cardId, search } = query;
		const url = (number: number) =>
			urlWith(PATH, { status, accountId, cardId, search, page: number });
		const list = live(
			'transactions',
			url(query.page),
			html`${transactions.data.length === 0 ? empty('No matching transactions.') : table(services, transactions.data)}
			${pager(transactions, 'transaction', url)}`,
			SEARCHED_LIST_SECONDS,
		);
		if (isPartial(c)) return c.html(list);
		const card = cardId === undefined ? undefined : findCard(db, cardId);
		return page(
			c,
			HEADING,
			html`<section class="panel" aria-labelledby="list-heading">
				<div class="panel-head">
					<h2 id="list-heading">${card ? html`Of ${cardLink(card)}` : 'All cards'}</h2>
					${filterForm(PATH, 'transactions', filters(query, accounts, card))}
				</div>
				${list}
			</section>`,
		);
	});

	return routes;
}

const filters = (
	{ status, accountId, search }: z.infer<typeof listParameters>,
	accounts: Account[],
	card: Card | undefined,
): Html =>
	html`${searchField(search, 'Merchant, card, last four or ID')}
	${statusFilter(transactionStatusSchema.options, status)}
	${card ? html`<input type="hidden" name="cardId" value="${card.id}" />` : accountFilter(accounts, accountId)}`;

const table = (services: Services, transactions: Transaction[]): Html =>
	html`<div class="table-scroll">
		<table class="stacked">
			<thead>
				<tr>
					<th scope="col">Merchant</th>
					<th scope="col">Card</th>
					<th scope="col">Status</th>
					<th scope="col" class="number">Amount</th>
				</tr>
			</thead>
			<tbody>
				${transactions.map((transaction) => row(services, transaction))}
			</tbody>
		</table>
	</div>`;

function row({ db }: Services, transaction: Transaction): Html {
	const { id, merchantName, createdAt, cardId, status, amountDirection } = transaction;
	const card = findCard(db, cardId);
	const sign = amountDirection === 'credit' ? '+' : '';
	return html`<tr id="transaction-${id}">
		<td>
			<a href="${PATH}/${id}">${merchantName ?? 'Unnamed merchant'}</a>
			<small>${time(createdAt, utc)}</small>
		</td>
		<td>${card && cardLink(card)}</td>
		<td>${badge(status)}</td>
		<td class="number">${sign}${money(transaction.amount, transaction.currency)}</td>
	</tr>`;
}
