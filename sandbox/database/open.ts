import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';

import { z } from 'zod/v4';

import { ApiError, reasonOf, StartError, UsageError } from '../http/errors.ts';
import { Database } from './database.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts';

/** Only the user who runs the sandbox may read its file: it holds signing secrets. */
const FILE_MODE = 0o600;

/** The header of a SQLite file: its length, how it begins, and where the marks are that tell whose it is. */
const HEADER = { length: 100, magic: 'SQLite format 3\0', userVersion: 60, applicationId: 68 };

/**
 * Opens a sandbox's database file (or ':memory:') and creates the tables if it is empty. Throws a
 * StartError when the file cannot be written, is damaged, is in use, or is not a sandbox's: then it is
 * not changed.
 */
export function openDatabase(file: string): Database {
	let db: Database | undefined;
	try {
		if (file !== ':memory:') requireOwn(file);
		db = new Database(file === ':memory:' ? file : resolve(file));
		// One process at a time: two delivery workers on one file would send everything twice.
		db.execute('pragma locking_mode = exclusive; begin immediate; commit;');
		// Before WAL: the marks of a sandbox's file must be in the file itself.
		createTables(db);
		db.execute('pragma journal_mode = wal; pragma synchronous = normal; begin immediate; commit;');
		return db;
	} catch (error) {
		db?.close();
		throw toStartError(file, error);
	}
}

/** Gives the StartError for a failure to use a database file: it says which file, and why; or what is wrong with its seed. */
export function toStartError(file: string, error: unknown): StartError {
	if (error instanceof StartError) return error;
	if (error instanceof ApiError) return new UsageError(`seed: ${error.message}`);
	if (reasonOf(error).endsWith('database is locked')) {
		return new StartError(`${file} is in use by another process: stop it, or choose another file`);
	}
	return new StartError(`cannot use the database file ${file}: ${reasonOf(error)}`, {
		cause: error,
	});
}

/** Reads only the file's header: a foreign file must stay as it is. An empty file is a new one. */
function requireOwn(file: string): void {
	// Creates it if need be; SQLite gives its -wal the mode of the file.
	const opened = openSync(file, 'a+', FILE_MODE);
	const header = Buffer.alloc(HEADER.length);
	const length = readSync(opened, header, { position: 0 });
	closeSync(opened);
	if (length === 0) return;
	const isOwn =
		header.toString('latin1').startsWith(HEADER.magic) &&
		header.readUInt32BE(HEADER.applicationId) === APPLICATION_ID &&
		header.readUInt32BE(HEADER.userVersion) === SCHEMA_VERSION;
	if (!isOwn) {
		throw new StartError(
			`${file} is no database of this version of the sandbox: choose another file`,
		);
	}
}

function createTables(db: Database): void {
	const table = db.get(z.object({ name: z.string() }), 'select name from sqlite_master limit 1');
	if (table) return;
	const marks = `pragma application_id = ${APPLICATION_ID}; pragma user_version = ${SCHEMA_VERSION};`;
	db.transaction(() => db.execute(SCHEMA + marks));
}
