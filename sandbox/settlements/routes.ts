import type { Handler } from 'hono';
import { z } from 'zod/v4';

import { pageParameters, readQuery } from '../http/query.ts';
import { type ApiEnv, visibleIds } from '../keys/caller.ts';
import type { Services } from '../services.ts';
import { listSettlements, settlementDetails } from './settlement.ts';

const listParameters = pageParameters.extend({ cardId: z.guid().toLowerCase().optional() });

/** GET /settlements (§4.11). No feature gates it (§5.5). */
export const readSettlements =
	({ db }: Services): Handler<ApiEnv> =>
	(c) => {
		const accountIds = visibleIds(c, db);
		const query = readQuery(c, listParameters);
		const page = listSettlements(db, accountIds, query);
		return c.json({ ...page, data: page.data.map(settlementDetails) });
	};
