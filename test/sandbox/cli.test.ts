import { mkdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { parseOptions } from '../../sandbox/cli/options.ts';
import { runCommand } from '../support/commands';
import { runCli, temporaryFile } from './support/cli.ts';
import { call, startSandbox } from './support/sandbox.ts';

async function fails(...args: string[]): Promise<string> {
	const cli = runCli(...args);
	expect(await cli.ended).toBe(1);
	const { stdout, stderr } = cli.output();
	expect(stdout).toBe('');
	expect(stderr.trimEnd().split('\n')).toHaveLength(1);
	return stderr;
}

test('it greets with addresses, accounts and a key that works, and SIGTERM ends it', async () => {
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

test('the hint in the greeting makes an account-scoped key', async () => {
	const cli = runCli('--port', '0');
	await cli.url();
	const [, hint = ''] = /^ +(curl .*account.*)$/m.exec(cli.output().stdout) ?? [];
	expect(JSON.parse(runCommand(`${hint} -s`))).toEqual({
		apiKey: expect.any(String),
		scope: 'account',
		accountId: 1001,
	});
});

test('started again on its file it keeps the key and the data', async () => {
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

test('--help tells every option', async () => {
	const cli = runCli('--help');
	expect(await cli.ended).toBe(0);
	for (const option of ['--port', '--host', '--allow-host', '--db', '--seed']) {
		expect(cli.output().stdout).toContain(option);
	}
});

test.each(['small', 'large', 'none'])('--seed %s is understood', (seed) => {
	expect(parseOptions(['--seed', seed])).toMatchObject({ seed });
});

test('a taken port is named', async () => {
	const { port } = new URL((await startSandbox()).url);
	expect(await fails('--port', port)).toContain(`port ${port} on 127.0.0.1 is already in use`);
});

test('a file that cannot be written, is another program’s, or is in use is named', async () => {
	const folder = temporaryFile('folder');
	mkdirSync(folder);
	expect(await fails('--port', '0', '--db', folder)).toContain(folder);

	const text = temporaryFile('notes.txt');
	writeFileSync(text, 'not a database, but long enough to be looked at as one'.repeat(20));
	expect(await fails('--port', '0', '--db', text)).toContain(`${text}: it is not a database`);

	const foreign = temporaryFile('foreign.sqlite');
	const database = new DatabaseSync(foreign);
	database.exec('create table notes (text)');
	database.close();
	expect(await fails('--port', '0', '--db', foreign)).toContain('of another program');

	const used = temporaryFile('used.sqlite');
	await startSandbox({ db: used });
	expect(await fails('--port', '0', '--db', used)).toContain('another process is using it');
});

test('a file of another version is refused', async () => {
	const file = temporaryFile('old.sqlite');
	const sandbox = await startSandbox({ db: file });
	await sandbox.close();
	const database = new DatabaseSync(file);
	database.exec('pragma user_version = 999');
	database.close();
	expect(await fails('--port', '0', '--db', file)).toContain('another version of the sandbox');
});

test.each([
	[['--prot', '1'], '--prot'],
	[['extra'], 'extra'],
	[['--port'], '--port'],
	[['--port', 'http'], '"http"'],
	[['--port', '70000'], '"70000"'],
	[['--seed', 'big'], '"big"'],
	[['--port', '0', '--host', '203.0.113.1'], '203.0.113.1'],
])('%j is refused', async (args, named) => {
	expect(await fails(...args)).toContain(named);
});
