import { randomUUID } from 'node:crypto';

import { Hono } from 'hono';
import { z } from 'zod/v4';

import { SENSITIVE_DETAILS } from '../assumptions.ts';
import { listEvents } from '../events/financialEvent.ts';
import { notFound } from '../http/errors.ts';
import { pageParameters, readQuery } from '../http/query.ts';
import { readBody } from '../http/readBody.ts';
import type { ApiEnv } from '../keys/caller.ts';
import type { Services } from '../services.ts';
import { cardUsage } from '../transactions/usage.ts';
import { cardAccountIds, newCardAccountId, requestedCard, warnOfPassedOver } from './access.ts';
import { CARD_ACTIONS, cardDetails, cardListItem, cardStatusSchema, listCards } from './card.ts';
import { changeCard, createBody, createCard, takeCardAction, updateBody } from './change.ts';

const listParameters = pageParameters.extend({
	name: z.string().min(1).optional(),
	status: cardStatusSchema.optional(),
});

export function cardRoutes(services: Services): Hono<ApiEnv> {
	const { db, now } = services;
	const routes = new Hono<ApiEnv>();

	routes.get('/', (c) => {
		const accountIds = cardAccountIds(db, c.var.caller);
		const query = readQuery(c, listParameters);
		const page = listCards(db, accountIds, query, query);
		warnOfPassedOver(c, db, 'its cards are left out');
		return c.json({ ...page, data: page.data.map(cardListItem) });
	});

	routes.post('/', async (c) => {
		cardAccountIds(db, c.var.caller);
		const body = await readBody(c, createBody);
		const card = createCard(services, body, newCardAccountId(db, c.var.caller, body.accountId));
		if (body.accountId === undefined) {
			warnOfPassedOver(c, db, `the card belongs to account ${card.accountId}`);
		}
		return c.json(cardDetails(card, cardUsage(db, card, now())), 201);
	});

	routes.get('/:cardId', (c) => {
		const card = requestedCard(c, services);
		return c.json(cardDetails(card, cardUsage(db, card, now())));
	});

	routes.patch('/:cardId', async (c) => {
		requestedCard(c, services);
		const body = await readBody(c, updateBody);
		const card = db.transaction(() => changeCard(db, requestedCard(c, services), body));
		return c.json(cardDetails(card, cardUsage(db, card, now())));
	});

	// 400 is not among its errors (§4.6): an id that is no uuid is just not found.
	routes.get('/:cardId/financial-events', (c) =>
		c.json({ data: listEvents(db, requestedCard(c, services, notFound()).id) }),
	);

	// As above, 400 is not among its errors (§4.7).
	routes.get('/:cardId/sensitive-details', (c) => {
		const { id: cardId } = requestedCard(c, services, notFound());
		const { method, url } = SENSITIVE_DETAILS;
		const bodyJson = { cardId, token: randomUUID() };
		return c.json({ method, details: { method: 'POST', url, bodyJson } });
	});

	for (const action of CARD_ACTIONS) {
		routes.post(`/:cardId/${action}`, (c) => {
			takeCardAction(db, requestedCard(c, services).id, action);
			return c.body(null, 204);
		});
	}

	return routes;
}
