import { Hono } from 'hono';
import { z } from 'zod/v4';

import { pageParameters, readQuery } from '../http/query.ts';
import { accountsOf, type ApiEnv } from '../keys/caller.ts';
import type { Services } from '../services.ts';
import { listSettlements, settlementDetails } from './settlement.ts';

const listParameters = pageParameters.extend({
	cardId: z.guid().toLowerCase().optional(),
});

/** GET /settlements (§4.11). No feature gates it (§5.5). */
export function settlementRoutes({ db }: Services): Hono<ApiEnv> {
	const routes = new Hono<ApiEnv>();

	routes.get('/', (c) => {
		const accountIds = accountsOf(db, c.var.caller).map(({ id }) => id);
		const query = readQuery(c, listParameters);
		const page = listSettlements(db, accountIds, query);
		return c.json({ ...page, data: page.data.map(settlementDetails) });
	});

	return routes;
}
