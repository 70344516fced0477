import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { listAccounts } from '../../accounts/account.ts';
import { type Card, findCard } from '../../cards/card.ts';
import { listTransactionEvents } from '../../events/financialEvent.ts';
import type { ControlEnv } from '../../http/guard.ts';
import { pageParametersOf, readQuery } from '../../http/query.ts';
import type { Services } from '../../services.ts';
import {
	listTransactions,
	type Transaction,
	transactionStatusSchema,
} from '../../transactions/transaction.ts';
import { cardLink, issuesOf, merchantOf, transactionLink } from '../entities.ts';
import { money } from '../format.ts';
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

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'expected a date such as 2026-01-31');

/** The query of the list; a filter that is left empty is absent. */
const listParameters = pageParametersOf(25).extend({
	status: blank(transactionStatusSchema),
	accountId: blank(z.coerce.number().int()),
	cardId: blank(z.string().uuid().toLowerCase()),
	search: blank(z.string().trim()),
	from: blank(day),
	to: blank(day),
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
			path: '/dashboard/transactions',
			noun: 'transaction',
			id: ({ id }: Transaction) => id,
			columns: transactionColumns(services),
			filters: [
				searchFilter('Merchant, card or ID'),
				statusFilter(transactionStatusSchema.options),
				{ name: 'from', label: 'From', type: 'date' as const },
				{ name: 'to', label: 'To', type: 'date' as const },
				// A link may set both, the card also when it is gone.
				...(query.cardId === undefined
					? [accountFilter(accounts)]
					: [{ name: 'cardId' }, { name: 'accountId' }]),
			],
			query,
			seconds: SEARCHED_LIST_SECONDS,
			empty: 'No transactions yet.',
		};
		const range = { createdAfter: startOf(query.from, 0), createdBefore: startOf(query.to, 1) };
		const found = listTransactions(db, accountIds, { ...query, ...range }, query, countBudget);
		return showList(c, HEADING, list, found);
	});

	return routes;
}

/** When a day, or a later one, begins on this machine. */
function startOf(date: string | undefined, daysLater: number): string | undefined {
	if (date === undefined) return undefined;
	const start = new Date(`${date}T00:00:00`);
	if (Number.isNaN(start.getTime())) return undefined;
	start.setDate(start.getDate() + daysLater);
	return start.toISOString();
}

const titleOf = (cardId: string | undefined, card: Card | undefined): string | Html => {
	if (card) return html`Of ${cardLink(card)}`;
	return cardId === undefined ? 'All cards' : `Of card ${cardId}`;
};

const transactionColumns = ({ db }: Services): Column<Transaction>[] => [
	{
		title: 'Merchant',
		cell: (transaction): Html =>
			html`${transactionLink(transaction.id, merchantOf(transaction))}
				<small>${time(transaction.createdAt)}</small>`,
	},
	{
		title: 'Card',
		cell: ({ cardId }) => {
			const card = findCard(db, cardId);
			return card && cardLink(card);
		},
	},
	{ title: 'Amount', cell: signedAmount, isNumber: true },
	{ title: 'Status', cell: ({ status }) => badge(status) },
	{
		title: 'Reason of the decline',
		cell: ({ id, status }) =>
			status === 'declined' ? listTransactionEvents(db, id).map(issuesOf).join(', ') : undefined,
	},
];

/** "+$12.50" for a refund. */
export const signedAmount = ({
	amount,
	currency,
	amountDirection,
}: Pick<Transaction, 'amount' | 'currency' | 'amountDirection'>): string =>
	`${amountDirection === 'credit' ? '+' : ''}${money(amount, currency)}`;
