import { z } from 'zod';

import type { Database } from './database/database.ts';

const row = z.object({ count: z.number() });

/** Counts what the database holds. */
export function countRows(db: Database) {
	const count = (of: string) => db.get(row, `select count(*) as count from ${of}`)?.count ?? 0;
	return {
		activeApiKeys: count('apiKeys where replacedAt is null'),
		cards: count('cards'),
		transactions: count('transactions'),
		events: count('events'),
		payments: count('payments'),
		endpoints: count('endpoints'),
		deliveries: count('deliveries'),
	};
}
