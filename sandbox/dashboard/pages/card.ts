import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';

import { findAccount } from '../../accounts/account.ts';
import { type Card, cardDetails, findCard } from '../../cards/card.ts';
import { takeCardAction } from '../../cards/change.ts';
import { listEvents } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { listSettlements } from '../../settlements/settlement.ts';
import { cardUsage } from '../../transactions/usage.ts';
import { apiPanel, showDetail } from '../detail.ts';
import {
	accountLink,
	eventTable,
	SETTLEMENT_TABLE,
	summary,
	transactionLink,
} from '../entities.ts';
import { cardName, money, utc, words } from '../format.ts';
import { changed, fragment, type Html } from '../layout.ts';
import { table } from '../list.ts';
import {
	actionButton,
	actions,
	confirmDialog,
	copyable,
	dialogButton,
	done,
	panel,
	time,
} from '../parts.ts';

const PATH = '/dashboard/cards';

/** Events and settlements that the page shows; the list of transactions leads to all. */
const MOST_ROWS = 10;

const DONE = { freeze: 'frozen', unfreeze: 'active', archive: 'archived' };

const actionSchema = z.enum(['freeze', 'unfreeze', 'archive']);

/** One card: its ID, limit and account, the latest events and settlements, and the actions of §3. */
export function cardPage(services: Services, apiPath: string): Hono<ControlEnv> {
	const { db, now } = services;
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): Card => {
		const card = findCard(db, id);
		if (!card) throw notFound('The card was not found');
		return card;
	};

	routes.get('/:cardId', (c) => {
		const card = requested(c.req.param('cardId'));
		const { id: cardId, accountId } = card;
		const account = findAccount(db, accountId);
		const events = listEvents(db, cardId, MOST_ROWS);
		const eventRows = eventTable(services, {
			title: 'Event',
			cell: (event) =>
				transactionLink(`${event.transactionId}#event-${event.id}`, summary(services, event)),
		});
		const newest = { sort: 'desc', page: 1, pageSize: MOST_ROWS } as const;
		const settlements = listSettlements(db, [accountId], { cardId }, newest, MOST_ROWS).data;
		return showDetail(c, {
			noun: 'card',
			heading: headingOf(card),
			status: card.status,
			actions: cardActions(card),
			facts: [
				['Card ID', copyable(cardId, 'card ID')],
				['Type', card.type],
				['Account', account && accountLink(account)],
				['Limit', usage(cardDetails(card, cardUsage(db, card, now())))],
				['Categories', card.categories.map(words).join(', ') || 'any'],
				['Deprecated category', card.category && words(card.category)],
				['Created', time(card.createdAt, utc)],
			],
			sections: html`${panel(
				'events',
				'Latest events',
				table(eventRows, events),
				html`<a href="/dashboard/transactions?cardId=${cardId}">All transactions</a>`,
			)}
			${panel('settlements', 'Latest settlements', table(SETTLEMENT_TABLE, settlements))}`,
			fixed: apiPanel(c, apiPath, [['Matching curl', `/cards/${cardId}`]]),
		});
	});

	routes.get('/:cardId/archive', (c) => {
		const card = requested(c.req.param('cardId'));
		return fragment(
			c,
			headingOf(card),
			confirmDialog({
				title: `Archive ${cardName(card)}?`,
				consequence:
					'An archived card can never become active again. Pending transactions are still settled.',
				action: 'Archive card',
				path: `${PATH}/${card.id}/archive`,
				dangerous: true,
			}),
		);
	});

	routes.post('/:cardId/:action', (c) => {
		const action = actionSchema.safeParse(c.req.param('action'));
		if (!action.success) throw notFound();
		const card = takeCardAction(db, c.req.param('cardId'), action.data);
		return changed(c, headingOf(card), done(`${cardName(card)} is ${DONE[action.data]}.`));
	});

	return routes;
}

const headingOf = ({ name, lastFour }: Card) => ({ title: name, lede: `Card •••• ${lastFour}` });

/** What is left of a card's limit. */
export function usage({ balance, limit }: ReturnType<typeof cardDetails>): Html {
	if (balance === undefined || limit === undefined) return html`No limit`;
	const left = `${money(balance)} of ${money(limit.amount)} left`;
	return html`<span class="number">${left}</span> <small>${limit.type}</small>
		<progress value="${balance}" max="${limit.amount}" aria-label="${left}"></progress>`;
}

/** What §3 allows with a card. */
export function cardActions(card: Card): Html {
	if (card.status === 'archived') return html``;
	const about = cardName(card);
	const path = `${PATH}/${card.id}`;
	return actions(
		card.status === 'frozen'
			? actionButton(`${path}/unfreeze`, 'Unfreeze', about)
			: actionButton(`${path}/freeze`, 'Freeze', about),
		dialogButton(`${path}/archive`, 'Archive', about),
	);
}
