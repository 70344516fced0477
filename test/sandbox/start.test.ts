import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { parseOptions } from '../../sandbox/cli/options.ts';
import { SandboxClient } from '../../sandbox/client.ts';
import { startSandbox as start } from '../../sandbox/server.ts';
import { runCommand } from '../support/commands';
import { runCli, runCliUnprivileged, type RunningCli, temporaryFile } from './support/cli.ts';
import { call, startSandbox } from './support/sandbox.ts';

/** Waits until a start has failed; gives its one line. */
async function failureOf(cli: RunningCli, exitCode = 1): Promise<string> {
	expect(await cli.ended).toBe(exitCode);
	const { stdout, stderr } = cli.output();
	expect(stdout).toBe('');
	expect(stderr.trimEnd().split('\n')).toHaveLength(1);
	return stderr;
}

/** A sandbox's file with data. */
async function sandboxFile(): Promise<string> {
	const file = temporaryFile('sandbox.sqlite');
	const sandbox = await startSandbox({ db: file });
	await sandbox.close();
	return file;
}

function damage(file: string, from: number, to = Infinity): void {
	const bytes = readFileSync(file);
	bytes.fill(0xaa, from, Math.min(to, bytes.length));
	writeFileSync(file, bytes);
}

test('it prints addresses, accounts and a valid key, and SIGTERM ends it', async () => {
	const cli = runCli('--port', '0');
	const url = await cli.url();
	const { stdout } = cli.output();
	expect(stdout).toContain('1001 Operating, 1002 Marketing');
	const [, key] = /API key +(\S+) \(customer-scoped/.exec(stdout) ?? [];
	const headers = { authorization: `Bearer ${key ?? ''}` };
	expect((await call('GET', `${url}/v1/public/health`, { headers })).status).toBe(200);
	cli.process.kill('SIGTERM');
	expect(await cli.ended).toBe(0);
	expect(cli.output().stderr).toBe('');
});

test('the printed curl command creates an account-scoped key', async () => {
	const cli = runCli('--port', '0');
	await cli.url();
	const [, hint = ''] = /^ +(curl .*account.*)$/m.exec(cli.output().stdout) ?? [];
	expect(JSON.parse(runCommand(`${hint} -s`))).toEqual({
		apiKey: expect.any(String),
		scope: 'account',
		accountId: 1001,
	});
});

test('a restart with the same file keeps the key and the data', async () => {
	const file = temporaryFile('sandbox.sqlite');
	const first = runCli('--port', '0', '--db', file, '--seed', 'none');
	await first.url();
	first.process.kill('SIGINT');
	expect(await first.ended).toBe(0);
	const [, key] = /API key +(\S+)/.exec(first.output().stdout) ?? [];

	const second = runCli('--port', '0', '--db', file);
	const url = await second.url();
	expect(second.output().stdout).toMatch(/API key +the existing key is still valid/);
	expect(second.output().stdout).toContain(`${file}: 0 cards`);
	const headers = { authorization: `Bearer ${key ?? ''}` };
	expect((await call('GET', `${url}/v1/public/health`, { headers })).status).toBe(200);
});

test('--help lists every option', async () => {
	const cli = runCli('--help');
	expect(await cli.ended).toBe(0);
	for (const option of ['--port', '--host', '--allow-host', '--db', '--seed', 'trigger', 'send']) {
		expect(cli.output().stdout).toContain(option);
	}
});

test.each(['small', 'large', 'none'])('--seed %s is accepted', (seed) => {
	expect(parseOptions(['--seed', seed])).toMatchObject({ seed });
});

test.each([
	['all pages but the first', 4096, Infinity],
	['the last page', -4096, Infinity],
	['the header', 0, 100],
])(
	'a start with a damaged file fails and leaves the file unchanged: %s',
	async (_what, from, to) => {
		const file = await sandboxFile();
		const { size } = statSync(file);
		damage(file, from < 0 ? size + from : from, to);
		const before = contents(file);
		const failure = await failureOf(runCli('--port', '0', '--db', file));
		expect(failure).toMatch(/cannot use the database file .+: it is (damaged|not a database) \(/);
		expect(contents(file)).toEqual(before);
	},
);

test('nothing listens after a failed start', async () => {
	const file = await sandboxFile();
	const database = new DatabaseSync(file);
	database.exec('alter table deliveries rename to gone');
	database.close();
	const url = await startAndClose();
	const startup = start({ db: file, port: Number(new URL(url).port) });
	await expect(startup).rejects.toThrow(
		/cannot use the database file .+ no such table: deliveries/,
	);
	await expect(fetch(url)).rejects.toThrow('fetch failed');
	// The file was let go of.
	const again = new DatabaseSync(file);
	again.exec('alter table gone rename to deliveries');
	again.close();
	await startSandbox({ db: file });
});

test('a taken port leaves no new file behind', async () => {
	const { port } = new URL((await startSandbox()).url);
	const file = temporaryFile('sandbox.sqlite');
	const failure = await failureOf(runCli('--port', port, '--db', file));
	expect(failure).toContain(`port ${port} on 127.0.0.1 is already in use`);
	expect(readdirSync(dirname(file))).toEqual([]);
});

test('a failed start frees the port', async () => {
	const { port } = new URL(await startAndClose());
	const failure = await failureOf(runCli('--port', port, '--db', dirname(temporaryFile('x'))));
	expect(failure).toContain('it is not a file');
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(Number(port), '127.0.0.1', resolve);
	});
	server.close();
});

async function startAndClose(): Promise<string> {
	const sandbox = await startSandbox();
	await sandbox.close();
	return sandbox.url;
}

/** Every file of the folder of a database, with its bytes. */
const contents = (file: string) =>
	readdirSync(dirname(file)).map((name) => [
		name,
		readFileSync(join(dirname(file), name)).toString('hex'),
	]);

test.each([
	['another program’s', 'create table notes (text)', 'of another program'],
	[
		'another program’s with an id',
		'pragma application_id = 7; create table notes (text)',
		'of another program',
	],
	[
		'a newer sandbox’s',
		`pragma application_id = 1129337666; pragma user_version = 999; create table cards (id)`,
		'another version',
	],
	[
		'an older sandbox’s',
		`pragma application_id = 1129337666; pragma user_version = 1; create table cards (id)`,
		'another version',
	],
])('%s file is refused and left unchanged', async (_whose, sql, named) => {
	const file = temporaryFile('foreign.sqlite');
	const database = new DatabaseSync(file);
	database.exec(sql);
	database.close();
	const before = contents(file);
	expect(await failureOf(runCli('--port', '0', '--db', file))).toContain(named);
	expect(contents(file)).toEqual(before);
});

test('a file in use by another program stays as it is, with its -wal', async () => {
	const file = temporaryFile('foreign.sqlite');
	const database = new DatabaseSync(file);
	// All of it is in the -wal: the file itself shows neither tables nor whose it is.
	database.exec('pragma journal_mode = wal; create table notes (text)');
	const before = contents(file);
	expect(await failureOf(runCli('--port', '0', '--db', file))).toContain('of another program');
	expect(contents(file)).toEqual(before);
	database.close();
});

test('the file of a sandbox that was killed right after its start can be opened', async () => {
	const file = temporaryFile('sandbox.sqlite');
	const cli = runCli('--port', '0', '--db', file);
	await cli.url();
	cli.process.kill('SIGKILL');
	await cli.ended;
	expect(existsSync(`${file}-wal`)).toBe(true);
	await startSandbox({ db: file });
});

test('a file that another sandbox uses is refused', async () => {
	const file = temporaryFile('used.sqlite');
	await startSandbox({ db: file });
	expect(await failureOf(runCli('--port', '0', '--db', file))).toContain(
		'another process is using it',
	);
});

test('an empty file becomes a sandbox’s', async () => {
	const file = temporaryFile('empty.sqlite');
	writeFileSync(file, '');
	await startSandbox({ db: file });
});

test('only its owner can read a new file and its -wal', async () => {
	const file = temporaryFile('sandbox.sqlite');
	const before = process.umask(0);
	try {
		await startSandbox({ db: file });
	} finally {
		process.umask(before);
	}
	const modes = readdirSync(dirname(file)).map((name) => [
		name,
		(statSync(join(dirname(file), name)).mode & 0o777).toString(8),
	]);
	expect(modes).toEqual([
		['sandbox.sqlite', '600'],
		['sandbox.sqlite-wal', '600'],
	]);
});

test.each([
	[['--prot', '1'], '--prot'],
	[['extra'], 'extra'],
	[['--port'], '--port'],
	[['--port', 'http'], '"http"'],
	[['--port', '70000'], '"70000"'],
	[['--seed', 'big'], '"big"'],
	[['--db', ''], '--db must not be empty'],
	[['--host', ''], '--host must not be empty'],
	[['--port', ''], '--port must be a number from 0 to 65535, not ""'],
	[['--port', '-1'], '--port'],
])('%j is refused as a mistake', async (args, named) => {
	expect(await failureOf(runCli(...args), 2)).toContain(named);
});

test.each([
	[['--host', '203.0.113.1'], '203.0.113.1'],
	[['--allow-host', ''], 'the allowed host must be like localhost:4010'],
	[['--db', '/no/such/folder/a.sqlite'], 'the folder /no/such/folder does not exist'],
])('%j is refused', async (args, named) => {
	expect(await failureOf(runCli('--port', '0', ...args))).toContain(named);
});

test.each(['http://localhost:4010', 'localhost:4010/dashboard', 'a@b', 'a b', 'localhost:x'])(
	'the allowed host %j is refused',
	async (allowHost) => {
		await expect(start({ allowHost })).rejects.toThrow(
			'the allowed host must be like localhost:4010',
		);
	},
);

test('startSandbox refuses an empty file name', async () => {
	await expect(start({ db: '' })).rejects.toThrow('the database file has no name');
});

test.each([
	['a read-only file', 0o400, 0o700, 'it is read-only'],
	['an unreadable file', 0o000, 0o700, 'it cannot be read'],
	['a read-only folder', 0o600, 0o500, 'is not writable'],
])('%s is named', async (_what, fileMode, folderMode, named) => {
	const file = await sandboxFile();
	const folder = dirname(file);
	chmodSync(file, fileMode);
	chmodSync(folder, folderMode);
	const failure = await failureOf(runCliUnprivileged('--port', '0', '--db', file));
	chmodSync(folder, 0o700);
	expect(failure).toContain(named);
});

test('a new file in a read-only folder is refused', async () => {
	const folder = temporaryFile('folder');
	mkdirSync(folder, { mode: 0o555 });
	const file = join(folder, 'sandbox.sqlite');
	expect(await failureOf(runCliUnprivileged('--port', '0', '--db', file))).toMatch(
		/not writable|does not exist/,
	);
});

test('--host prints a warning only if other machines can connect', async () => {
	const open = runCli('--port', '0', '--host', '0.0.0.0');
	const url = await open.url();
	expect(open.output().stderr).toBe(
		`sandbox: warning: --host 0.0.0.0 lets other machines connect to port ${new URL(url).port}, without encryption. Whoever has an API key can use the API; control plane and dashboard accept only requests from this machine\n`,
	);
	expect((await new SandboxClient(url).overview()).name).toBe('card-platform-sandbox');
	for (const host of ['localhost', '127.0.0.1']) {
		const closed = runCli('--port', '0', '--host', host);
		await closed.url();
		expect(closed.output().stderr).toBe('');
	}
});
