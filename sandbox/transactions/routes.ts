import { Hono } from 'hono';
import { z } from 'zod/v4';

import { notFound } from '../http/errors.ts';
import { pageParameters, readQuery } from '../http/query.ts';
import { type ApiEnv, visibleIds } from '../keys/caller.ts';
import type { Services } from '../services.ts';
import {
	findTransaction,
	listTransactions,
	transactionDetails,
	transactionStatusSchema,
} from './transaction.ts';

const listParameters = pageParameters.extend({
	cardId: z.guid().toLowerCase().optional(),
	status: transactionStatusSchema.optional(),
});

/** The Transaction endpoints (§4.8). No feature gates them (§5.5). */
export function transactionRoutes({ db }: Services): Hono<ApiEnv> {
	const routes = new Hono<ApiEnv>();

	routes.get('/', (c) => {
		const accountIds = visibleIds(c, db);
		const query = readQuery(c, listParameters);
		const page = listTransactions(db, accountIds, query, query);
		return c.json({ ...page, data: page.data.map(transactionDetails) });
	});

	// Its errors are 401, 404 and 500 (§4.8): an id that is no uuid is just not found.
	routes.get('/:transactionId', (c) => {
		const accountIds = visibleIds(c, db);
		const id = c.req.param('transactionId').toLowerCase();
		const transaction = findTransaction(db, id, accountIds);
		if (!transaction) throw notFound();
		return c.json(transactionDetails(transaction));
	});

	return routes;
}
