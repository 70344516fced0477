import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

import type { z } from 'zod/v4';

// Loaded without Node 22's warning that SQLite is experimental: users of a sandbox need not see it.
const emitWarning = process.emitWarning.bind(process);
process.emitWarning = () => undefined;
const sqlite = process.getBuiltinModule('node:sqlite');
process.emitWarning = emitWarning;

/** Values for the `:name` parameters of a statement. */
export type Params = Record<string, SQLInputValue>;

/** A value to write; SQLite has no booleans. */
type Value = SQLInputValue | boolean | undefined;

const toSql = (value: Value): SQLInputValue =>
	typeof value === 'boolean' ? Number(value) : (value ?? null);

type Row = Record<string, Value>;

/** A SQLite database whose rows are checked by a schema when they are read. */
export class Database {
	readonly #sqlite: DatabaseSync;
	readonly #statements = new Map<string, StatementSync>();

	/** Opens `file` (or ':memory:'), creating it if need be. Throws SQLite's error if it cannot. */
	constructor(file: string) {
		this.#sqlite = new sqlite.DatabaseSync(file);
		// SQLite's own lower() knows ASCII only; card names are not.
		this.#sqlite.function('casefold', { deterministic: true }, (value) =>
			String(value).toLowerCase(),
		);
	}

	/** Runs SQL that has no parameters and gives no rows; several statements are fine. */
	execute(sql: string): void {
		this.#sqlite.exec(sql);
	}

	run(sql: string, params: Params = {}): number {
		return Number(this.#statement(sql).run(params).changes);
	}

	/** Adds a row to a table; a column without a value is null. */
	insert(table: string, row: Row): void {
		const columns = Object.keys(row);
		const values = columns.map((column) => toSql(row[column]));
		const places = columns.map(() => '?').join();
		this.#statement(`insert into ${table} (${columns.join()}) values (${places})`).run(...values);
	}

	update(table: string, id: string | number, columns: Row): void {
		const changes = Object.keys(columns).map((column) => `${column} = ?`);
		const values = Object.values(columns).map(toSql);
		this.#statement(`update ${table} set ${changes.join()} where id = ?`).run(...values, id);
	}

	/** Gives all rows of a query. Throws a ZodError when a row is not as the schema says. */
	all<T>(schema: z.ZodType<T>, sql: string, params: Params = {}): T[] {
		return this.#statement(sql)
			.all(params)
			.map((row) => schema.parse(row));
	}

	/** Gives the first row of a query, or undefined when there is none. */
	get<T>(schema: z.ZodType<T>, sql: string, params: Params = {}): T | undefined {
		const row = this.#statement(sql).get(params);
		return row && schema.parse(row);
	}

	/** Runs `work` in one transaction: all of its changes are kept, or none if it throws. */
	transaction<T>(work: () => T): T {
		this.#sqlite.exec('begin immediate');
		try {
			const result = work();
			this.#sqlite.exec('commit');
			return result;
		} catch (error) {
			if (this.#sqlite.isTransaction) this.#sqlite.exec('rollback');
			throw error;
		}
	}

	close(): void {
		this.#sqlite.close();
	}

	#statement(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = this.#sqlite.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}
}
