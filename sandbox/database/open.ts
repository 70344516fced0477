import { z } from 'zod';
import { StartError } from '../http/errors.ts';
import { Database } from './database.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION, TABLES_CHILDREN_FIRST } from './schema.ts';

/**
 * Opens a sandbox's database file (or ':memory:') and creates the tables if it is empty. Throws a
 * StartError when the file cannot be written, is in use, or is not a sandbox's.
 */
export function openDatabase(file: string): Database {
	let db: Database | undefined;
	try {
		db = new Database(file);
		// One process at a time: two delivery workers on one file would send everything twice.
		db.execute('pragma locking_mode = exclusive; pragma journal_mode = wal;');
		db.execute('pragma synchronous = normal; begin immediate; commit;');
		createTables(db, file);
		return db;
	} catch (error) {
		db?.close();
		if (error instanceof StartError) throw error;
		throw new StartError(`cannot use the database file ${file}: ${explain(error)}`);
	}
}

/** Deletes every row of every table, keys and endpoints included. */
export function emptyDatabase(db: Database): void {
	for (const table of TABLES_CHILDREN_FIRST) db.run(`delete from ${table}`);
}

function createTables(db: Database, file: string): void {
	const pragma = (name: string) => db.get(z.record(z.number()), `pragma ${name}`)?.[name];
	const { tables = 0 } =
		db.get(z.object({ tables: z.number() }), 'select count(*) as tables from sqlite_master') ?? {};
	if (tables === 0) {
		const marks = `pragma application_id = ${APPLICATION_ID}; pragma user_version = ${SCHEMA_VERSION};`;
		db.transaction(() => db.execute(SCHEMA + marks));
	} else if (pragma('application_id') !== APPLICATION_ID) {
		throw new StartError(`${file} is the database of another program; choose another file`);
	} else if (pragma('user_version') !== SCHEMA_VERSION) {
		throw new StartError(`${file} was created by another version of the sandbox; delete it`);
	}
}

function explain(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return message.includes('locked') ? 'another sandbox is using it' : message;
}
