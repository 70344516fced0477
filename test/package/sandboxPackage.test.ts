import { globSync, lstatSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

import { npm } from '../../dev/harness/tools/npm.ts';
import { runProcess, startProcess, stopProcess } from '../../dev/harness/tools/processes.ts';
import { waitUntil } from '../../dev/harness/tools/waiting.ts';
import packageJson from '../../sandbox/package.json';

const README = readFileSync('sandbox/README.md', 'utf8');

let folder: string;
/** A folder in which nothing but the package is installed. */
let project: string;

const installed = (path = '') => join(project, 'node_modules', packageJson.name, path);

/** The Node that runs this test comes first, as it does where npx finds its own. */
const env = {
	...process.env,
	PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
	npm_config_offline: 'true',
	npm_config_update_notifier: 'false',
};

/** A copy is packed, as a build here would disturb whoever else uses sandbox/dist. */
beforeAll(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), 'card-platform-sandbox-package-')));
	const copy = join(folder, 'repository');
	const filter = (source: string) => !['dist', 'node_modules'].includes(basename(source));
	for (const part of ['sandbox', 'workflows', 'docs/images']) {
		await cp(part, join(copy, part), { recursive: true, filter });
	}
	for (const file of ['package.json', 'tsconfig.json', '.npmrc']) await cp(file, join(copy, file));
	await symlink(resolve('node_modules'), join(copy, 'node_modules'));
	await npm(['pack', '--pack-destination', folder], { cwd: join(copy, 'sandbox'), env });
	project = join(folder, 'project');
	await mkdir(project);
	writeFileSync(join(project, 'package.json'), '{ "private": true }');
	const [tarball = ''] = globSync('*.tgz', { cwd: folder });
	await npm(['install', join(folder, tarball)], { cwd: project, env });
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

test('it installs no other package, less than 10 MB, and nothing of this machine; its libraries’ licences are there', () => {
	const listed = globSync('node_modules/*', { cwd: project }).map((file) => basename(file));
	expect(listed.filter((name) => !name.startsWith('.'))).toEqual([packageJson.name]);
	expect(packageJson).not.toHaveProperty('dependencies');
	const paths = globSync('**/*', { cwd: installed() }).map((path) => installed(path));
	const bytes = paths.reduce((sum, path) => sum + lstatSync(path).size, 0);
	expect(bytes).toBeGreaterThan(100_000);
	expect(bytes).toBeLessThan(10_000_000);
	const licences = readFileSync(installed('dist/LICENSES.txt'), 'utf8');
	for (const library of ['hono', '@hono/node-server', 'yaml', 'zod']) {
		expect(`\n${licences}`).toContain(`\n${library} `);
	}
	for (const path of paths.filter((each) => /\.(js|ts)$/.test(each))) {
		const code = readFileSync(path, 'utf8');
		for (const place of [folder, dirname(realpathSync('node_modules'))]) {
			// A relative path to it begins with `..`.
			expect(code).not.toContain(place.slice(1));
		}
	}
});

test('started by npx, it serves the API, the dashboard and every file that they load', async () => {
	let output = '';
	const child = startProcess('npx', [packageJson.name, '--port', '0'], {
		cwd: project,
		env,
		onOutput: (text) => (output += text),
	});
	const greeting = () => /Base URL +(http:\S+)\/v1[^]*API key +(\S+)/.exec(output) ?? undefined;
	try {
		const limits = { what: 'the greeting', withinMs: 60_000 };
		const [, url, apiKey] = await waitUntil(greeting, limits);
		const get = async (path: string) => {
			const headers = { authorization: `Bearer ${apiKey ?? ''}` };
			const response = await fetch(new URL(path, url), { headers });
			expect([path, response.status]).toEqual([path, 200]);
			return response.text();
		};
		expect(JSON.parse(await get('/v1/public/cards'))).toMatchObject({ totalItemCount: 13 });
		expect(JSON.parse(await get('/sandbox/openapi.json'))).toMatchObject({ openapi: '3.1.1' });
		const loaded = new Set<string>();
		const links = (await get('/dashboard')).matchAll(/href="(\/(?:dashboard|sandbox)\/[^"]*)"/g);
		for (const [, path = ''] of links) {
			const page = await get(path);
			for (const [, asset = ''] of page.matchAll(
				/(?:src|href)="([^"]+\.(?:css|js|svg|json|png))"/g,
			)) {
				loaded.add(asset);
			}
		}
		expect([...loaded].join()).toMatch(/htmx\.js[^]*freeze-and-ask\.png[^]*freeze-and-ask\.json/);
		for (const asset of loaded) await get(asset);
	} finally {
		await stopProcess(child);
	}
}, 120_000);

test('the README’s code prints the purchase; the options of the start are typed', async () => {
	const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(README) ?? [];
	const file = join(project, 'example.mjs');
	// Its output is not JSON, as console.log writes an object.
	writeFileSync(file, code.replace(/console\.log\((.*)\)/, 'console.log(JSON.stringify($1))'));
	const output = await runProcess(process.execPath, [file], { cwd: project });
	const bought = { amount: '18.40', merchantName: 'Corner Bakery' };
	expect(JSON.parse(output)).toMatchObject(bought);

	const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
	const check = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023'];
	const tsc = [resolve('node_modules/typescript/bin/tsc'), ...check, '--module', 'nodenext'];
	const start = (options: string) => {
		const typed = join(project, 'start.mts');
		const statement = `export const { url } = await startSandbox(${options});`;
		writeFileSync(typed, `import { startSandbox } from '${packageJson.name}';\n${statement}`);
		return runProcess(process.execPath, [...tsc, ...types, typed], { cwd: project });
	};
	await start("{ seed: 'none', onExchange: ({ status }) => status + 1 }");
	await expect(start("{ port: '0' }")).rejects.toThrow();
}, 300_000);

test('an older Node is named, with the one that is needed', async () => {
	const bin = installed(packageJson.bin['card-platform-sandbox']);
	const older = "Object.defineProperty(process.versions, 'node', { value: '22.12.0' })";
	const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, bin, '--help'];
	const needed = 'Node 22.13.0 or later is required, for node:sqlite; this is Node 22.12.0';
	await expect(runProcess(process.execPath, args, {})).rejects.toThrow(needed);
	expect(README).toContain('Node 22.13 or later');
});
