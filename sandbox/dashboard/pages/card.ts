import { Hono } from 'hono';
import { html } from 'hono/html';

import { findAccount } from '../../accounts/account.ts';
import { type Card, cardDetails, findCard } from '../../cards/card.ts';
import { listEvents } from '../../events/financialEvent.ts';
import { notFound } from '../../http/errors.ts';
import type { ControlEnv } from '../../http/guard.ts';
import type { Services } from '../../services.ts';
import { listSettlements } from '../../settlements/settlement.ts';
import { cardUsage } from '../../transactions/usage.ts';
import { accountLink, eventRow, listPanel, matchingCurl, settlementRow } from '../entities.ts';
import { utc, words } from '../format.ts';
import { fragment, type Html, page } from '../layout.ts';
import { badge, copyable, facts, live, time } from '../parts.ts';
import { actions, usage } from './cards.ts';

/** Events and settlements that the page shows; the list of transactions leads to all. */
const MOST_ROWS = 10;

/** One card: its ID, limit and account, the latest events and settlements, and the actions of §3. */
export function cardPage(services: Services, apiPath: string): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	const requested = (id: string): Card => {
		const card = findCard(services.db, id);
		if (!card) throw notFound('The card was not found');
		return card;
	};

	routes.get('/:cardId', (c) => {
		const card = requested(c.req.param('cardId'));
		return page(
			c,
			heading(card),
			html`${state(services, card)}
				<section class="panel" aria-labelledby="api-heading">
					<h2 id="api-heading" class="panel-title">API</h2>
					${matchingCurl(c, apiPath, `/cards/${card.id}`)}
				</section>`,
		);
	});

	routes.get('/:cardId/state', (c) => {
		const card = requested(c.req.param('cardId'));
		return fragment(c, heading(card), state(services, card));
	});

	return routes;
}

const heading = ({ name, lastFour }: Card) => ({ title: name, lede: `Card •••• ${lastFour}` });

function state(services: Services, card: Card): Html {
	const { db, now } = services;
	const account = findAccount(db, card.accountId);
	const request = { sort: 'desc', page: 1, pageSize: MOST_ROWS } as const;
	const filter = { cardId: card.id };
	const settlements = listSettlements(db, [card.accountId], filter, request, MOST_ROWS).data;
	return live(
		'card',
		`/dashboard/cards/${card.id}/state`,
		html`<section class="panel" aria-labelledby="card-heading">
				<div class="panel-head">
					<h2 id="card-heading">Card ${badge(card.status)}</h2>
					${actions(card)}
				</div>
				${facts([
					['Card ID', copyable(card.id, 'card ID')],
					['Type', card.type],
					['Account', account && accountLink(account)],
					['Limit', usage(cardDetails(card, cardUsage(db, card, now())))],
					['Categories', card.categories.map(words).join(', ') || 'any'],
					['Deprecated category', card.category && words(card.category)],
					['Created', time(card.createdAt, utc)],
				])}
			</section>
			${listPanel(
				'events-heading',
				'Latest events',
				listEvents(db, card.id, MOST_ROWS).map((event) => eventRow(services, event)),
				'No events yet.',
				html`<a href="/dashboard/transactions?cardId=${card.id}">All transactions</a>`,
			)}
			${listPanel('settlements-heading', 'Latest settlements', settlements.map(settlementRow), 'Nothing was settled yet.')}`,
	);
}
