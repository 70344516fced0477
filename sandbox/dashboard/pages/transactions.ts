import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { listAccounts } from '../../accounts/account.ts';
import { type Card, findCard } from '../../cards/card.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf, readQuery } from '../../http/query.ts';
import type { Services } from '../../services.ts';
import {
	listTransactions,
	type Transaction,
	transactionStatusSchema,
} from '../../transactions/transaction.ts';
import { cardLink, merchantOf, transactionLink } from '../entities.ts';
import { money, utc } from '../format.ts';
import type { Html } from '../layout.ts';
import {
	accountFilter,
	accountIdsOf,
	blank,
	type Column,
	SEARCHED_LIST_SECONDS,
	searchFilter,
	showList,
	statusFilter,
} from '../list.ts';
import { badge, time } from '../parts.ts';

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
		const card = query.cardId === undefined ? undefined : findCard(db, query.cardId);
		const list = {
			title: titleOf(query.cardId, card),
			path: PATH,
			noun: 'transaction',
			id: ({ id }: Transaction) => id,
			columns: transactionColumns(services),
			filters: [
				searchFilter('Merchant, card, last four or ID'),
				statusFilter(transactionStatusSchema.options),
				// A link may set both, the card also when it is gone.
				...(query.cardId === undefined
					? [accountFilter(accounts)]
					: [{ name: 'cardId' }, { name: 'accountId' }]),
			],
			query,
			seconds: SEARCHED_LIST_SECONDS,
			empty: 'No transactions yet.',
		};
		const found = listTransactions(db, accountIds, query, query, countBudget);
		return showList(c, HEADING, list, found);
	});

	return routes;
}

const titleOf = (cardId: string | undefined, card: Card | undefined): string | Html => {
	if (card) return html`Of ${cardLink(card)}`;
	return cardId === undefined ? 'All cards' : `Of card ${cardId}`;
};

/** What lists show of transactions. */
export const transactionColumns = ({ db }: Services): Column<Transaction>[] => [
	{
		title: 'Merchant',
		cell: (transaction): Html =>
			html`${transactionLink(transaction.id, merchantOf(transaction))}
				<small>${time(transaction.createdAt, utc)}</small>`,
	},
	{
		title: 'Card',
		cell: ({ cardId }) => {
			const card = findCard(db, cardId);
			return card && cardLink(card);
		},
	},
	{ title: 'Status', cell: ({ status }) => badge(status) },
	{
		title: 'Amount',
		cell: ({ amount, currency, amountDirection }) =>
			`${amountDirection === 'credit' ? '+' : ''}${money(amount, currency)}`,
		isNumber: true,
	},
];
