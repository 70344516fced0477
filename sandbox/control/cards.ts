import { Hono } from 'hono';
import { cardDetails } from '../api/represent.ts';
import { pageParameters, readQuery } from '../api/query.ts';
import { CARD_TRANSITIONS, type CardAction } from '../domain/card.ts';
import { badRequest, notFound } from '../errors.ts';
import type { Services } from '../services.ts';
import { listAccounts } from '../store/accounts.ts';
import { findCard, listCards, setCardStatus } from '../store/cards.ts';
import { cardUsage } from '../store/transactions.ts';
import type { ControlEnv } from './guard.ts';

/** The cards of all accounts with all of their fields, and the actions of §3, without an API key. */
export function cardRoutes({ db, now, countBudget }: Services): Hono<ControlEnv> {
	const routes = new Hono<ControlEnv>();

	routes.get('/', (c) => {
		const accountIds = listAccounts(db).map(({ id }) => id);
		const page = listCards(db, accountIds, {}, readQuery(c, pageParameters), countBudget);
		const data = page.data.map((card) => ({
			accountId: card.accountId,
			...cardDetails(card, cardUsage(db, card, now())),
		}));
		return c.json({ ...page, data });
	});

	const actions: CardAction[] = ['freeze', 'unfreeze', 'archive'];
	for (const action of actions) {
		routes.post(`/:cardId/${action}`, (c) => {
			const id = c.req.param('cardId').toLowerCase();
			db.transaction(() => {
				const card = findCard(db, id);
				if (!card) throw notFound('The card was not found');
				const status = CARD_TRANSITIONS[action][card.status];
				if (status === 'refused') throw badRequest(`Cannot ${action} an archived card`);
				setCardStatus(db, card.id, status);
			});
			return c.body(null, 204);
		});
	}

	return routes;
}
