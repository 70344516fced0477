import { Hono } from 'hono';
import { html } from 'hono/html';

import { findAccount, listAccounts } from '../../accounts/account.ts';
import { findCard } from '../../cards/card.ts';
import { type FinancialEvent, listTransactionEvents } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { listSettlements } from '../../settlements/settlement.ts';
import { findTransaction, type Transaction } from '../../transactions/transaction.ts';
import {
	accountLink,
	cardLink,
	eventRow,
	listPanel,
	matchingCurl,
	settlementRow,
} from '../entities.ts';
import { money, utc, words } from '../format.ts';
import { fragment, page } from '../layout.ts';
import { badge, copyable, facts, live, time } from '../parts.ts';
import { stepButtons } from './simulate.ts';

/** Settlements that the page shows: a transaction rarely has as many. */
const MOST_SETTLEMENTS = 100;

/** One transaction: its steps, events and settlements, and what the network may do next. */
export function transactionPage(services: Services, apiPath: string): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): Transaction => {
		const accountIds = listAccounts(db).map((account) => account.id);
		const transaction = findTransaction(db, id, accountIds);
		if (!transaction) throw notFound('The transaction was not found');
		return transaction;
	};

	routes.get('/:id', (c) => {
		const transaction = requested(c.req.param('id'));
		return page(
			c,
			heading(transaction),
			html`${state(services, transaction)}
				<div id="result" class="panel"></div>
				<section class="panel" aria-labelledby="api-heading">
					<h2 id="api-heading" class="panel-title">API</h2>
					${matchingCurl(c, apiPath, `/transactions/${transaction.id}`)}
				</section>`,
		);
	});

	routes.get('/:id/state', (c) => {
		const transaction = requested(c.req.param('id'));
		return fragment(c, heading(transaction), state(services, transaction));
	});

	return routes;
}

const heading = ({ merchantName, amountDirection, createdAt }: Transaction) => ({
	title: merchantName ?? 'Unnamed merchant',
	lede: `${amountDirection === 'credit' ? 'Refund' : 'Purchase'} · ${utc(createdAt)}`,
});

function state(services: Services, transaction: Transaction) {
	const { db } = services;
	const { id, amount, currency, status, createdAt, amountDirection } = transaction;
	const { authorizedAmount, clearedAmount, refundedAmount } = transaction;
	const card = findCard(db, transaction.cardId);
	const account = card && findAccount(db, card.accountId);
	const request = { sort: 'asc', page: 1, pageSize: MOST_SETTLEMENTS } as const;
	const accountIds = account ? [account.id] : [];
	const filter = { transactionId: id, cardId: transaction.cardId };
	const settlements = listSettlements(db, accountIds, filter, request, MOST_SETTLEMENTS).data;
	const events = listTransactionEvents(db, id);
	const issues = events.flatMap((event) =>
		event.issues.map(({ reason, origin }) => `${words(reason)} (${origin})`),
	);
	const sum = (value: number) => (value === 0 ? undefined : money(value, currency));
	return live(
		'transaction',
		`/dashboard/transactions/${id}/state`,
		html`<section class="panel" aria-labelledby="transaction-heading">
				<div class="panel-head">
					<h2 id="transaction-heading">Transaction ${badge(status)}</h2>
					<span class="actions">${stepButtons(transaction)}</span>
				</div>
				${facts([
					['Transaction ID', copyable(id, 'transaction ID')],
					['Amount', `${amountDirection === 'credit' ? '+' : ''}${money(amount, currency)}`],
					['Declined because of', issues.join(', ')],
					['Authorized', money(authorizedAmount, currency)],
					['Cleared', sum(clearedAmount)],
					['Refunded', sum(refundedAmount)],
					['Card', card && cardLink(card)],
					['Account', account && accountLink(account)],
					['Created', time(createdAt, utc)],
				])}
			</section>
			${listPanel(
				'steps-heading',
				'Steps',
				events.map((event, index) =>
					eventRow(services, event, `${stepName(event, index)} ${money(event.amount, currency)}`),
				),
				'No events.',
				html`<p class="muted">Each step is an event; its deliveries are on the right.</p>`,
			)}
			${listPanel('settlements-heading', 'Settlements', settlements.map(settlementRow), 'Nothing was settled yet.')}`,
	);
}

/** What happened, as the markers and the place of an event tell it. */
function stepName(
	{ isSuccess, isReversal, amountDirection }: FinancialEvent,
	index: number,
): string {
	if (!isSuccess) return 'Declined';
	if (isReversal) return 'Released or reversed';
	if (amountDirection === 'credit') return 'Refunded';
	return index === 0 ? 'Authorized' : 'Cleared';
}
