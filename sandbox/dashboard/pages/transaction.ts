import { Hono } from 'hono';
import { html } from 'hono/html';

import { allAccountIds, findAccount } from '../../accounts/account.ts';
import { findCard } from '../../cards/card.ts';
import {
	type EventStep,
	type FinancialEvent,
	listTransactionEvents,
	stepOf,
} from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { listSettlements } from '../../settlements/settlement.ts';
import { findTransaction } from '../../transactions/transaction.ts';
import { apiPanel, showDetail } from '../detail.ts';
import {
	accountLink,
	cardLink,
	eventTable,
	issuesOf,
	merchantOf,
	SETTLEMENT_TABLE,
} from '../entities.ts';
import { money, utc } from '../format.ts';
import { type Column, table } from '../list.ts';
import { actions, copyable, muted, panel, preformatted, time } from '../parts.ts';
import { stepButtons } from './simulate.ts';

/** Settlements that the page shows: a transaction rarely has as many. */
const MOST_SETTLEMENTS = 100;

/** One transaction: its events and settlements, and what the network may do next. */
export function transactionPage(services: Services, apiPath: string): Hono<ControlEnv> {
	const { db } = services;
	const routes = new Hono<ControlEnv>();

	routes.get('/:id', (c) => {
		const transaction = findTransaction(db, c.req.param('id'), allAccountIds(db));
		if (!transaction) throw notFound('The transaction was not found');
		const { id, cardId, accountId, currency, createdAt } = transaction;
		const isCredit = transaction.amountDirection === 'credit';
		const card = findCard(db, cardId);
		const account = findAccount(db, accountId);
		const oldest = { sort: 'asc', page: 1, pageSize: MOST_SETTLEMENTS } as const;
		const filter = { transactionId: id, cardId };
		const settlements = listSettlements(db, [accountId], filter, oldest, MOST_SETTLEMENTS).data;
		const events = listTransactionEvents(db, id);
		const sum = (value: number) => (value === 0 ? undefined : money(value, currency));
		return showDetail(c, {
			noun: 'transaction',
			heading: {
				title: merchantOf(transaction),
				lede: `${isCredit ? 'Refund' : 'Purchase'} · ${utc(createdAt)}`,
			},
			status: transaction.status,
			actions: actions(stepButtons(transaction)),
			facts: [
				['Transaction ID', copyable(id, 'transaction ID')],
				['Amount', `${isCredit ? '+' : ''}${money(transaction.amount, currency)}`],
				['Declined because of', events.map(issuesOf).filter(Boolean).join(', ')],
				['Authorized', money(transaction.authorizedAmount, currency)],
				['Cleared', sum(transaction.clearedAmount)],
				['Refunded', sum(transaction.refundedAmount)],
				['Card', card && cardLink(card)],
				['Account', account && accountLink(account)],
				['Created', time(createdAt, utc)],
			],
			sections: html`${panel(
				'events',
				'Events',
				table(eventTable(services, stepColumn(services)), events),
				muted('Each step is an event.'),
			)}
			${panel('settlements', 'Settlements', table(SETTLEMENT_TABLE, settlements))}`,
			fixed: html`<article id="result"></article>
				${apiPanel(c, apiPath, [
					['Transaction', `/transactions/${id}`],
					['Events of the card', `/cards/${cardId}/financial-events`],
				])}`,
		});
	});

	return routes;
}

/** What happened, and the event as it is served and delivered. */
const stepColumn = ({ db }: Services): Column<FinancialEvent> => ({
	title: 'Step',
	cell: (event) =>
		html`<details>
			<summary>
				${stepName(event, stepOf(db, event.id))} ${money(event.amount, event.currency)}
			</summary>
			${preformatted('Fields', JSON.stringify(event, null, 2))}
		</details>`,
});

const STEP_NAMES: Record<EventStep, string> = {
	authorization: 'Authorized',
	increment: 'Increased',
	clearing: 'Cleared',
	release: 'Released',
	reversal: 'Reversed',
	refund: 'Refunded',
	test: 'Test event',
};

function stepName({ isSuccess }: FinancialEvent, step: EventStep = 'authorization'): string {
	if (isSuccess) return STEP_NAMES[step];
	return step === 'increment' ? 'Increase declined' : 'Declined';
}
