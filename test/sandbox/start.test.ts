import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { parseOptions } from '../../sandbox/cli/options.ts';
import { StartError, UsageError } from '../../sandbox/http/errors.ts';
import { type SandboxOptions, startSandbox as start } from '../../sandbox/server.ts';
import { openapi } from '../support/openapi';
import { runCli, runCliAfter, temporaryFile } from './support/cli.ts';
import { call, startSandbox } from './support/sandbox.ts';

test('it prints addresses and a key that a restart keeps, with the data; signals end it', async () => {
	const file = temporaryFile('sandbox.sqlite');
	const first = runCli('--port', '0', '--db', file, '--seed', 'none');
	await first.url();
	const { stdout } = first.output();
	expect(stdout).toContain('1001 Operating, 1002 Marketing, 1003 New projects');
	const [, key = ''] = /API key +(\S+)/.exec(stdout) ?? [];
	first.process.kill('SIGINT');
	expect(await first.ended).toBe(0);

	const second = runCli('--port', '0', '--db', file, '--host', '0.0.0.0');
	const url = await second.url();
	expect(second.output().stdout).toContain(key);
	expect(second.output().stdout).toContain(`${file}: 0 cards`);
	const headers = { authorization: `Bearer ${key}` };
	expect((await call('GET', `${url}/v1/public/health`, { headers })).status).toBe(200);
	second.process.kill('SIGTERM');
	expect(await second.ended).toBe(0);
	expect(second.output().stderr).toBe(
		'sandbox: warning: --host 0.0.0.0 lets other machines use the API, without encryption\n',
	);
});

const HOOK = { url: 'http://127.0.0.1:9/', secret: 'secret-1' };

/** Newer ones no longer warn. */
const LIKE_NODE_22 = `
	const load = process.getBuiltinModule;
	process.getBuiltinModule = (name) => {
		if (name === 'node:sqlite') process.emitWarning('SQLite is experimental', 'ExperimentalWarning');
		return load(name);
	};`;

test('--json greets scripts with one line, and prints nothing else, also where Node 22 warns of node:sqlite', async () => {
	const options = '--port 0 --json --clock 2026-01-31T12:00:00Z';
	const cli = runCliAfter(LIKE_NODE_22, ...options.split(' '));
	const url = await cli.url();
	expect((await call('GET', `${url}/v1/public/health`)).status).toBe(401);
	const clock = { now: '2026-01-31T12:00:00.000Z', frozen: true };
	expect(await call('GET', `${url}/sandbox/clock`)).toMatchObject({ body: clock });
	cli.process.kill('SIGTERM');
	await cli.ended;
	const { stdout, stderr } = cli.output();
	const apiKey: unknown = expect.stringMatching(/^sandbox_/);
	expect(JSON.parse(stdout)).toEqual({ url, apiUrl: `${url}/v1/public`, apiKey });
	expect([stdout.trim().split('\n').length, stderr]).toEqual([1, '']);
});

test.each([
	[['--help'], '--webhook-secret', '--merchant-name'],
	[['trigger', '--help'], '--merchant-name', '--webhook-secret'],
])('%j lists its own options', async (args, own, foreign) => {
	const cli = runCli(...args);
	expect(await cli.ended).toBe(0);
	expect(cli.output().stdout).toContain(own);
	expect(cli.output().stdout).not.toContain(foreign);
});

test('a file keeps what it has: no second endpoint for a webhook, and no seed, which is said', async () => {
	const said = jest.spyOn(console, 'error').mockImplementation();
	const own = { db: temporaryFile('sandbox.sqlite'), webhooks: [HOOK], apiKey: 'my+own+key' };
	const { db } = own;
	const starts: SandboxOptions[] = [{ ...own, seed: 'none' }, own, { ...own, seed: 'small' }];
	for (const options of starts) {
		const sandbox = await startSandbox(options);
		expect((await sandbox.client.overview()).counts).toMatchObject({ endpoints: 3, cards: 0 });
		expect((await sandbox.api('GET', '/health', 'Bearer my+own+key')).status).toBe(200);
		await sandbox.close();
	}
	expect(said.mock.calls).toEqual([[`sandbox: ${db} has data already, so the seed is not used`]]);
	said.mockRestore();
	expect(readdirSync(dirname(db))).toEqual(['sandbox.sqlite']);
});

test('openapi.yaml is served as JSON', async () => {
	const sandbox = await startSandbox();
	expect((await sandbox.control('GET', '/openapi.json')).body).toEqual(openapi);
});

test.each([
	['--prot 1', /^sandbox: .*--prot.*\n$/],
	[
		'--db  --api-key hush --webhook x --webhook-secret hush',
		/^sandbox: --db: must not be empty; --api-key: [^;]*; --webhook: .*; --webhook-secret: ((?!hush).)*\n$/,
	],
])('a mistake in the command line exits with 2 and is said in one line: %s', async (args, said) => {
	const cli = runCli(...args.split(' '));
	expect(await cli.ended).toBe(2);
	expect(cli.output()).toEqual({ stdout: '', stderr: expect.stringMatching(said) });
});

test('a sandbox whose output nobody reads any more goes on', async () => {
	const cli = runCli('--port', '0');
	const url = await cli.url();
	cli.process.stdout?.destroy();
	for (let calls = 0; calls < 3; calls++) {
		expect((await call('GET', `${url}/v1/public/health`)).status).toBe(401);
	}
	cli.process.kill('SIGTERM');
	expect([await cli.ended, cli.output().stderr]).toEqual([0, '']);
});

test('keys and webhooks come from the command line or the environment', () => {
	const env = {
		SANDBOX_API_KEY: 'key-of-env',
		SANDBOX_WEBHOOK_URL: 'http://a/ http://b/',
		SANDBOX_WEBHOOK_SECRET: 'secret-1 secret-2',
	};
	const webhooks = [
		{ url: 'http://a/', secret: 'secret-1' },
		{ url: 'http://b/', secret: 'secret-2' },
	];
	expect(parseOptions([], env)).toMatchObject({ apiKey: 'key-of-env', webhooks });
	const own = ['--api-key', 'key-of-args', '--webhook', 'http://c', '--webhook-secret', 'secret-3'];
	expect(parseOptions(own, env)).toMatchObject({
		apiKey: 'key-of-args',
		webhooks: [{ url: 'http://c', secret: 'secret-3' }],
	});
});

test.each([
	[['--webhook', 'http://a'], 'each --webhook needs a --webhook-secret'],
	[['extra'], 'extra'],
	[['--port'], '--port'],
	[['--port', '70000'], '"70000"'],
	[['--seed', 'big'], '"big"'],
	[['--port', ''], '--port must be a number from 0 to 65535, not ""'],
])('%j is refused as a mistake', (args, named) => {
	expect(() => parseOptions(args)).toThrow(named);
});

const CARD = { name: 'Travel' };

test.each<[SandboxOptions, string, typeof StartError?]>([
	[{ host: '203.0.113.1' }, '203.0.113.1', StartError],
	[{ seed: { cards: 1 } }, 'seed.cards: expected array, received number'],
	[{ seed: { cards: [CARD, CARD] } }, 'seed: cards.1.name: already used'],
	[{ db: '' }, 'db: must not be empty'],
	[{ host: ' ' }, 'host: must not be empty'],
	[{ port: 70_000 }, 'port: expected number to be <=65535'],
	[{ clock: '2026-01-31' }, 'clock: expected a time such as 2026-01-31T12:00:00Z'],
	[{ clock: '9999-01-01T00:00:00Z' }, 'clock: the clock must show a time from 1970 to 9998'],
	[{ apiKey: 'hush hush' }, 'apiKey: expected 8 to 200 letters'],
	[{ webhooks: [{ ...HOOK, secret: 'hush' }] }, 'webhooks.0.secret: expected 8 to 255'],
	[{ webhooks: [{ ...HOOK, url: 'ftp://a:hush@b' }] }, 'webhooks.0.url: expected an http'],
	[{ db: '/no/such/folder/a.sqlite' }, 'ENOENT: no such file or directory', StartError],
	[{ db: '/tmp' }, 'EISDIR: illegal operation on a directory', StartError],
])(
	'the options %j are refused, without a secret in the message',
	async (options, named, kind = UsageError) => {
		const failure: unknown = await start(options).catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(kind);
		expect(failure instanceof UsageError).toBe(kind === UsageError);
		expect(String(failure)).toContain(named);
		expect(String(failure)).not.toContain('hush');
	},
);

function openWith(file: string, sql: string): DatabaseSync {
	const database = new DatabaseSync(file);
	database.exec(sql);
	return database;
}

test.each<[string, (file: string) => unknown]>([
	['a text file', (file) => writeFileSync(file, 'notes')],
	['a database without a version', (file) => openWith(file, 'create table notes (text)').close()],
	...[
		'pragma application_id = 7; pragma user_version = 11',
		'pragma application_id = 1129337666; pragma user_version = 999',
		'pragma application_id = 1129337666; pragma user_version = 1',
	].map((header): [string, (file: string) => void] => [
		`a database with ${header}`,
		(file) => openWith(file, `${header}; create table cards (id)`).close(),
	]),
	// All of it is in the -wal: the file itself shows neither tables nor whose it is.
	['in use', (file) => openWith(file, 'pragma journal_mode = wal; create table notes (text)')],
])('a foreign file is refused in one line and left unchanged: %s', async (_, write) => {
	const file = temporaryFile('foreign.sqlite');
	const user = write(file);
	const contents = () =>
		readdirSync(dirname(file)).map((name) => [
			name,
			readFileSync(join(dirname(file), name)).toString('hex'),
		]);
	const before = contents();
	const failure: unknown = await start({ db: file }).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(StartError);
	expect(String(failure)).toMatch(
		/^.*is no database of this version of the sandbox: choose another file$/,
	);
	expect(contents()).toEqual(before);
	if (user instanceof DatabaseSync) user.close();
});

test('after a failed start nothing listens and the file is let go of', async () => {
	const file = temporaryFile('sandbox.sqlite');
	await (await startSandbox({ db: file })).close();
	openWith(file, 'alter table deliveries rename to gone').close();
	const used = await startSandbox();
	await used.close();
	const startup = start({ db: file, port: Number(new URL(used.url).port) });
	await expect(startup).rejects.toThrow(
		/cannot use the database file .+ no such table: deliveries/,
	);
	await expect(fetch(used.url)).rejects.toThrow('fetch failed');
	openWith(file, 'alter table gone rename to deliveries').close();
	await startSandbox({ db: file });
});

test('a taken port is named, with the option for another one, and leaves no file behind', async () => {
	const { port } = new URL((await startSandbox()).url);
	const file = temporaryFile('new.sqlite');
	await expect(start({ port: Number(port), db: file })).rejects.toThrow(
		`cannot listen on 127.0.0.1, port ${port} (--port 0 takes any free one): `,
	);
	expect(readdirSync(dirname(file))).toEqual([]);
});

test('the file of a sandbox that runs is refused, and after a kill it can be opened', async () => {
	const file = temporaryFile('sandbox.sqlite');
	writeFileSync(file, '');
	const cli = runCli('--port', '0', '--db', file);
	await cli.url();
	await expect(start({ db: file })).rejects.toThrow(
		`${file} is in use by another process: stop it, or choose another file`,
	);
	cli.process.kill('SIGKILL');
	await cli.ended;
	expect(readdirSync(dirname(file))).toContain('sandbox.sqlite-wal');
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
	for (const name of readdirSync(dirname(file))) {
		expect(statSync(join(dirname(file), name)).mode & 0o777).toBe(0o600);
	}
});
