import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { outputSchemas } from '../../dev/build/outputSchemas.ts';
import { npm } from '../../dev/harness/tools/npm.ts';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { eventSchema } from '../../nodes/CardPlatform/api/event';
import { VERSION } from '../../nodes/CardPlatform/api/log';
import sandboxPackage from '../../sandbox/package.json';
import { commandsIn } from '../support/commands';

const NOT_COPIED = /^(node_modules|\.git|\.cache|\.stryker-tmp|coverage|dist|n8n)$/;

const packageSchema = z.object({
	version: z.string(),
	dependencies: z.undefined(),
	optionalDependencies: z.undefined(),
	bundledDependencies: z.undefined(),
	bundleDependencies: z.undefined(),
	peerDependencies: z.object({ 'n8n-workflow': z.string() }).strict(),
	// npm runs these where the package is installed.
	scripts: z
		.object({ preinstall: z.undefined(), install: z.undefined(), postinstall: z.undefined() })
		.passthrough(),
	n8n: z.object({ credentials: z.array(z.string()), nodes: z.array(z.string()) }),
});

let folder: string;
/** The unpacked package, as npm gives it to whoever installs it. */
let unpacked: string;
let packed: string[];

/** A copy of the repository is packed, as a build here would disturb whoever else uses its dist/. */
async function copyRepository(): Promise<string> {
	const copy = join(folder, 'repository');
	await cp('.', copy, {
		recursive: true,
		filter: (source) => !source.split('/').some((part) => NOT_COPIED.test(part)),
	});
	await symlink(resolve('node_modules'), join(copy, 'node_modules'));
	return copy;
}

beforeAll(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), 'card-platform-package-')));
	const copy = await copyRepository();
	// npm builds before it packs; this way it does not print the build's output before the JSON.
	const quiet = ['--json', '--no-foreground-scripts'];
	const answer = await npm(['pack', ...quiet, '--pack-destination', folder], { cwd: copy });
	const [{ filename, files }] = JSON.parse(answer) as [
		{ filename: string; files: { path: string }[] },
	];
	packed = files.map(({ path }) => path);

	unpacked = join(folder, 'unpacked');
	await mkdir(unpacked);
	const tarball = join(folder, filename);
	const tar = spawnSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	if (tar.status !== 0) throw new Error(`tar failed: ${tar.stderr.toString()}`);
}, 300_000);

afterAll(async () => {
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const shown = outputSchemas(z, RESOURCES, eventSchema);

test('the package holds what is built from nodes/, credentials/ and icons/, and nothing else', () => {
	const code = globSync('{nodes,credentials}/**/*.ts').map((file) => file.replace(/ts$/, 'js'));
	const built = [
		...code,
		...globSync('nodes/**/*.json'),
		...globSync('icons/*.svg'),
		...Object.keys(shown).map((path) => `nodes/CardPlatform/__schema__/${path}.json`),
	];
	const expected = built.map((file) => `dist/${file}`);
	const always = ['LICENSE', 'README.md', 'package.json'];
	expect([...packed].sort()).toEqual([...expected, ...always].sort());
	expect(code).toContain('nodes/CardPlatform/CardPlatform.node.js');
});

test('the package holds the output schemas as n8n reads them', () => {
	for (const [path, schema] of Object.entries(shown)) {
		const file = join(unpacked, `dist/nodes/CardPlatform/__schema__/${path}.json`);
		expect([path, JSON.parse(readFileSync(file, 'utf8'))]).toEqual([
			path,
			{ ...schema, version: 1 },
		]);
	}
});

test('every file that n8n is told to load is there, and nothing else has to be installed', () => {
	const file = readFileSync(join(unpacked, 'package.json'), 'utf8');
	const { n8n, version } = packageSchema.parse(JSON.parse(file));
	expect(version).toBe(VERSION);
	// The documents name one version of both.
	expect(sandboxPackage.version).toBe(version);
	const listed = [...n8n.credentials, ...n8n.nodes];
	expect(listed).toHaveLength(5);
	const icons = listed.flatMap((path) => {
		const code = readFileSync(join(unpacked, path), 'utf8');
		return [...code.matchAll(/file:(.+?\.svg)/g)].map(([, icon = '']) => join(path, '..', icon));
	});
	expect(icons).toHaveLength(2 * listed.length);
	expect([...listed, ...icons].filter((path) => !existsSync(join(unpacked, path)))).toEqual([]);
});

/** What n8n's own scan says, which decides whether a package can be verified. It heeds no lint comments. */
function scan(cwd: string, kind: 'published' | 'source'): unknown {
	const run = spawnSync(process.execPath, [resolve('test/support/scan.mjs'), cwd, kind], {
		// Under Jest's value a rule takes every file for its own test's.
		env: { ...process.env, NODE_ENV: 'production' },
		encoding: 'utf8',
	});
	return run.status === 0 ? JSON.parse(run.stdout) : run.stderr;
}

test.each([
	['published package', () => unpacked, 'published'],
	['source', () => join(folder, 'repository'), 'source'],
] as const)(
	'n8n’s scan finds nothing in the %s',
	(_, cwd, kind) => {
		expect(scan(cwd(), kind)).toEqual({ passed: true });
	},
	300_000,
);

test('no comment in the source switches a check off', () => {
	const files = globSync('{nodes,credentials}/**/*.{ts,json}');
	const checkOff = /eslint-disable|@ts-(ignore|expect-error|nocheck)|prettier-ignore/;
	expect(files.filter((file) => checkOff.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('the command of docs/install.md installs it where n8n looks, even in a home with a package.json', async () => {
	const home = join(folder, 'home');
	await mkdir(home);
	await writeFile(join(home, 'package.json'), '{}');
	const [command = ''] = commandsIn('docs/install.md').filter((each) =>
		each.startsWith('npm install '),
	);
	const args = command.replaceAll('~', home).split(' ').slice(1);
	await npm(args, { cwd: folder, env: { ...process.env, npm_config_offline: 'true' } });
	const installed = join(home, '.n8n', 'nodes', 'node_modules');
	const names = (await readdir(installed)).filter((name) => !name.startsWith('.'));
	expect(names).toEqual(['n8n-nodes-card-platform']);
	expect(existsSync(join(home, 'node_modules'))).toBe(false);
});
