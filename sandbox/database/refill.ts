import { z } from 'zod';

import type { Database } from './database.ts';
import { TABLES_CHILDREN_FIRST } from './schema.ts';

/**
 * Deletes every row of every table, keys and endpoints included, and lets `fill` write new ones: in
 * one transaction, without the checks and the indexes that make writing in bulk slow. The indexes are
 * created again at the end. What `fill` writes must be consistent by itself.
 */
export function refillDatabase(db: Database, fill: () => void): void {
	// Has no effect inside a transaction.
	db.execute('pragma foreign_keys = off');
	try {
		db.transaction(() => {
			const indexes = db.all(
				z.object({ name: z.string(), sql: z.string() }),
				`select name, sql from sqlite_master where type = 'index' and sql is not null`,
			);
			for (const { name } of indexes) db.execute(`drop index ${name}`);
			for (const table of TABLES_CHILDREN_FIRST) db.execute(`delete from ${table}`);
			fill();
			for (const { sql } of indexes) db.execute(sql);
		});
	} finally {
		db.execute('pragma foreign_keys = on');
	}
}
