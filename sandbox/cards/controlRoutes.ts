import { Hono } from 'hono';
import { z } from 'zod';
import { listAccounts } from '../accounts/account.ts';
import { badRequest, notFound } from '../http/errors.ts';
import type { ControlEnv } from '../http/guard.ts';
import { pathParameters, query } from '../http/input.ts';
import { pageParameters } from '../http/query.ts';
import type { Services } from '../services.ts';
import { cardUsage } from '../transactions/usage.ts';
import { cardDetails, CARD_TRANSITIONS, findCard, listCards, setCardStatus } from './card.ts';

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
