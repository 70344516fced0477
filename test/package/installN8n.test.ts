import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { npm } from '../../harness/tools/npm.ts';
import { n8nVariable, repositoryFolder } from '../../harness/tools/paths.ts';

let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'card-platform-install-'));
});

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Writes a package.json into a folder of its name. */
async function writePackage(name: string, content: object): Promise<void> {
	await mkdir(join(folder, name), { recursive: true });
	await writeFile(join(folder, name, 'package.json'), JSON.stringify({ name, ...content }));
}

test('a machine without a compiler is named before the installation, and where SQLite fails', async () => {
	const dependencies = { n8n: 'file:n8n', node: 'file:node', sqlite3: 'file:sqlite3' };
	await writePackage('.', { dependencies });
	await writePackage('n8n', { version: '1.0.0' });
	await writePackage('node', { version: '1.0.0' });
	await writePackage('sqlite3', {
		version: '1.0.0',
		scripts: { install: 'echo at stack; exit 1' },
	});
	await npm(['install', '--package-lock-only', '--ignore-scripts'], { cwd: folder });

	const programs = join(folder, 'programs');
	await mkdir(programs);
	await writeFile(join(programs, 'g++'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
	const script = join(repositoryFolder, 'harness', 'n8n', 'install.ts');
	const PATH = [programs, process.env.PATH].join(delimiter);
	const { stdout, stderr, status } = spawnSync(process.execPath, [script], {
		encoding: 'utf8',
		env: { ...process.env, PATH, [n8nVariable]: folder },
	});

	const [warning, , ...failure] = stdout.trimEnd().split('\n');
	expect(warning).toMatch(/^GitHub has to be reachable: .*without g\+\+/);
	expect(failure).toEqual([
		'SQLite could not be downloaded from GitHub.',
		expect.stringMatching(/^What to do: .*g\+\+/),
	]);
	expect([stderr, status]).toEqual(['', 1]);
});
