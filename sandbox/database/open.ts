import { closeSync, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { z } from 'zod';

import { reasonOf, StartError } from '../http/errors.ts';
import { Database } from './database.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts';

/** Only the user who runs the sandbox may read its file: it holds signing secrets. */
const FILE_MODE = 0o600;

/**
 * Opens a sandbox's database file (or ':memory:') and creates the tables if it is empty. Throws a
 * StartError when the file cannot be written, is damaged, is in use, or is not a sandbox's: then it is
 * not changed.
 */
export function openDatabase(file: string): Database {
	if (file === '') throw new StartError('the database file has no name');
	let db: Database | undefined;
	try {
		if (file !== ':memory:') {
			// Creates it if need be; SQLite gives its -wal the mode of the file.
			closeSync(openSync(file, 'a+', FILE_MODE));
			requireOwn(file);
		}
		db = new Database(file === ':memory:' ? file : resolve(file));
		// One process at a time: two delivery workers on one file would send everything twice.
		db.execute('pragma locking_mode = exclusive; begin immediate; commit;');
		requireUndamaged(db);
		// Before WAL, so that the marks that tell whose file it is are always in the file itself.
		createTables(db);
		db.execute('pragma journal_mode = wal; pragma synchronous = normal; begin immediate; commit;');
		return db;
	} catch (error) {
		db?.close();
		throw toStartError(file, error);
	}
}

/** Gives the StartError for a failure to use a database file: it says which file, and why. */
export function toStartError(file: string, error: unknown): StartError {
	if (error instanceof StartError) return error;
	return new StartError(`cannot use the database file ${file}: ${reasonOf(error)}`, {
		cause: error,
	});
}

/** Reads only: not even a lock is taken, and neither -wal nor -shm is read or written. */
function requireOwn(file: string): void {
	const url = pathToFileURL(file);
	url.searchParams.set('immutable', '1');
	const db = new Database(url);
	try {
		const id = pragma(db, 'application_id');
		const isNew = id === 0 && countTables(db) === 0 && !existsSync(`${file}-wal`);
		if (isNew) return;
		if (id !== APPLICATION_ID) {
			throw new StartError(`${file} is the database of another program; choose another file`);
		}
		if (pragma(db, 'user_version') !== SCHEMA_VERSION) {
			throw new StartError(`${file} was created by another version of the sandbox; delete it`);
		}
	} finally {
		db.close();
	}
}

function requireUndamaged(db: Database): void {
	const found = db.get(z.object({ quick_check: z.string() }), 'pragma quick_check(1)');
	if (found?.quick_check !== 'ok')
		throw new Error(`it is damaged (${oneLine(found?.quick_check)})`);
}

const oneLine = (words = ''): string => words.replace(/\s+/g, ' ');

function createTables(db: Database): void {
	if (countTables(db) > 0) return;
	const marks = `pragma application_id = ${APPLICATION_ID}; pragma user_version = ${SCHEMA_VERSION};`;
	db.transaction(() => db.execute(SCHEMA + marks));
}

const pragma = (db: Database, name: string): number | undefined =>
	db.get(z.record(z.number()), `pragma ${name}`)?.[name];

function countTables(db: Database): number {
	const row = z.object({ tables: z.number() });
	return db.get(row, 'select count(*) as tables from sqlite_master')?.tables ?? 0;
}
