import { Hono } from 'hono';
import { z } from 'zod';
import { cardDetails } from '../api/represent.ts';
import { pageParameters } from '../api/query.ts';
import { CARD_TRANSITIONS } from '../domain/card.ts';
import { badRequest, notFound } from '../errors.ts';
import type { Services } from '../services.ts';
import { listAccounts } from '../store/accounts.ts';
import { findCard, listCards, setCardStatus } from '../store/cards.ts';
import { cardUsage } from '../store/transactions.ts';
import type { ControlEnv } from './guard.ts';
import { pathParameters, query } from './input.ts';

const actionParameters = z.object({
	cardId: z.string().toLowerCase(),
	action: z.enum(['freeze', 'unfreeze', 'archive']),
});

/** The cards of all accounts with all of their fields, and the actions of §3, without an API key. */
export function cardRoutes({ db, now, countBudget }: Services) {
	return new Hono<ControlEnv>()
		.get('/', query(pageParameters), (c) => {
			const accountIds = listAccounts(db).map(({ id }) => id);
			const page = listCards(db, accountIds, {}, c.req.valid('query'), countBudget);
			const data = page.data.map((card) => ({
				accountId: card.accountId,
				...cardDetails(card, cardUsage(db, card, now())),
			}));
			return c.json({ ...page, data });
		})

		.post('/:cardId/:action', pathParameters(actionParameters), (c) => {
			const { cardId, action } = c.req.valid('param');
			db.transaction(() => {
				const card = findCard(db, cardId);
				if (!card) throw notFound('The card was not found');
				const status = CARD_TRANSITIONS[action][card.status];
				if (status === 'refused') throw badRequest(`Cannot ${action} an archived card`);
				setCardStatus(db, card.id, status);
			});
			return c.body(null, 204);
		});
}
