import { z } from 'zod';

import type { Database } from './database/database.ts';

const countsRow = z.object({
	activeApiKeys: z.number(),
	cards: z.number(),
	transactions: z.number(),
	events: z.number(),
	payments: z.number(),
	endpoints: z.number(),
	deliveries: z.number(),
});

/** How much a sandbox holds, of each kind. */
export type Counts = z.infer<typeof countsRow>;

/** Counts what the database holds. */
export function countRows(db: Database): Counts {
	const counts = db.get(
		countsRow,
		`select (select count(*) from apiKeys where replacedAt is null) as activeApiKeys,
			(select count(*) from cards) as cards,
			(select count(*) from transactions) as transactions,
			(select count(*) from events) as events,
			(select count(*) from payments) as payments,
			(select count(*) from endpoints) as endpoints,
			(select count(*) from deliveries) as deliveries`,
	);
	if (!counts) throw new Error('a query of counts gave no row');
	return counts;
}
