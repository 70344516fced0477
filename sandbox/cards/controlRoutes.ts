import { Hono } from 'hono';
import { z } from 'zod';

import { allAccountIds } from '../accounts/account.ts';
import type { ControlEnv } from '../http/guard.ts';
import { pathParameters, query } from '../http/input.ts';
import { pageParameters } from '../http/query.ts';
import type { Services } from '../services.ts';
import { cardUsage } from '../transactions/usage.ts';
import { cardDetails, listCards } from './card.ts';
import { takeCardAction } from './change.ts';

const actionParameters = z.object({
	cardId: z.string().toLowerCase(),
	action: z.enum(['freeze', 'unfreeze', 'archive']),
});

/** The cards of all accounts with all of their fields, and the actions of §3, without an API key. */
export function cardRoutes({ db, now, countBudget }: Services) {
	return new Hono<ControlEnv>()
		.get('/', query(pageParameters), (c) => {
			const accountIds = allAccountIds(db);
			const page = listCards(db, accountIds, {}, c.req.valid('query'), countBudget);
			const data = page.data.map((card) => ({
				accountId: card.accountId,
				...cardDetails(card, cardUsage(db, card, now())),
			}));
			return c.json({ ...page, data });
		})

		.post('/:cardId/:action', pathParameters(actionParameters), (c) => {
			const { cardId, action } = c.req.valid('param');
			takeCardAction(db, cardId, action);
			return c.body(null, 204);
		});
}
