import { spawnSync } from 'node:child_process';
import { globSync, lstatSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

import { z } from 'zod';

import { npm } from '../../harness/tools/npm.ts';
import { runProcess, startProcess, stopProcess } from '../../harness/tools/processes.ts';
import { waitUntil } from '../../harness/tools/waiting.ts';
import { HELP } from '../../sandbox/cli/options.ts';
import packageJson from '../../sandbox/package.json';
import { commandsIn } from '../support/commands';

const README = 'sandbox/README.md';
const MAX_INSTALLED_BYTES = 10_000_000;

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
async function pack(): Promise<string> {
	const copy = join(folder, 'repository');
	await cp('sandbox', join(copy, 'sandbox'), {
		recursive: true,
		filter: (source) => !['dist', 'node_modules'].includes(basename(source)),
	});
	for (const file of ['package.json', 'tsconfig.json', '.npmrc']) await cp(file, join(copy, file));
	await symlink(resolve('node_modules'), join(copy, 'node_modules'), 'junction');
	await npm(['pack', '--pack-destination', folder], { cwd: join(copy, 'sandbox'), env });
	const [tarball = 'none'] = globSync('*.tgz', { cwd: folder });
	return join(folder, tarball);
}

beforeAll(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), 'card-platform-sandbox-package-')));
	const tarball = await pack();
	project = join(folder, 'project');
	await mkdir(project);
	writeFileSync(join(project, 'package.json'), '{ "private": true }');
	// As the README says, but with the tarball for what npm would fetch.
	const [install = ''] = commandsIn(README).filter((each) => each.startsWith('npm install '));
	const args = install.replace(packageJson.name, tarball).split(' ').slice(1);
	await npm(args, { cwd: project, env });
}, 300_000);

afterAll(async () => {
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** All files below the project's node_modules. */
const files = () =>
	globSync('node_modules/**/*', { cwd: project }).filter((file) =>
		lstatSync(join(project, file)).isFile(),
	);

test('it installs no other package and, with everything, less than 10 MB', () => {
	const listed = globSync('node_modules/*', { cwd: project }).map((file) => basename(file));
	expect(listed.filter((name) => !name.startsWith('.'))).toEqual([packageJson.name]);
	const bytes = files().reduce((sum, file) => sum + lstatSync(join(project, file)).size, 0);
	expect(bytes).toBeGreaterThan(100_000);
	expect(bytes).toBeLessThan(MAX_INSTALLED_BYTES);
	expect(packageJson).not.toHaveProperty('dependencies');
});

test('it holds compiled code, with the licences of the libraries in it, and nothing of this machine', () => {
	const paths = globSync('**/*', { cwd: installed() });
	expect(paths.filter((path) => path.endsWith('.ts'))).toEqual([join('dist', 'index.d.ts')]);
	const licences = readFileSync(installed('dist/LICENSES.txt'), 'utf8');
	for (const library of ['hono', '@hono/node-server', 'undici', 'yaml', 'zod']) {
		const { version } = z
			.object({ version: z.string() })
			.parse(JSON.parse(readFileSync(`node_modules/${library}/package.json`, 'utf8')));
		expect(`\n${licences}`).toContain(`\n${library} ${version}\n\n`);
	}
	for (const path of paths.filter((each) => /\.(js|ts)$/.test(each))) {
		const code = readFileSync(installed(path), 'utf8');
		for (const place of [folder, dirname(realpathSync('node_modules'))]) {
			// A relative path to it begins with `..`.
			expect(code).not.toContain(place.slice(1));
		}
	}
});

const addressesSchema = z.object({ url: z.string(), apiKey: z.string() });

/** Runs a command of the README until it has greeted, then `check`. */
async function whileRunning(
	command: string,
	check: (sandbox: z.infer<typeof addressesSchema>) => Promise<void>,
): Promise<void> {
	let output = '';
	const child = startProcess('sh', ['-c', command], {
		cwd: project,
		env,
		onOutput: (text) => (output += text),
	});
	try {
		const greeting = await waitUntil(
			() => {
				if (child.exitCode !== null) throw new Error(output);
				const [, url] = /Base URL +(http:\S+)\/v1\/public/.exec(output) ?? [];
				const [, apiKey] = /API key +(\S+) \(/.exec(output) ?? [];
				return addressesSchema.safeParse({ url, apiKey }).data;
			},
			{ what: `the greeting of ${command}`, withinMs: 60_000 },
		);
		await check(greeting);
	} finally {
		await stopProcess(child);
	}
}

const isShort = (command: string) => / (trigger|send) /.test(command);
// The calls of the control plane are run by test/sandbox/documentedCalls.test.ts.
const commands = commandsIn(README).filter((each) => !each.startsWith('curl '));
const npxCommands = commands.filter((each) => each.startsWith('npx ') && !isShort(each));
const shortCommands = commands.filter(isShort);

test('the README’s commands are those that are run here', () => {
	const others = commands.filter((each) => !npxCommands.includes(each) && !isShort(each));
	expect(npxCommands).toEqual([
		`npx ${packageJson.name}`,
		`npx ${packageJson.name} --db sandbox.db`,
	]);
	expect(others).toEqual([
		`npm install --save-dev ${packageJson.name}`,
		// No test has Docker. What it runs in the container is run here, with its options.
		expect.stringMatching(/^docker run .* npx --yes card-platform-sandbox --host 0\.0\.0\.0 /),
	]);
});

test('the README’s table lists the options of --help', () => {
	const table = readFileSync(README, 'utf8').match(/^\| `--[a-z-]+/gm) ?? [];
	const options = HELP.match(/^ {2}--[a-z-]+/gm) ?? [];
	expect(table.map((row) => row.slice(3))).toEqual(options.map((row) => row.trim()));
});

test('the README’s trigger and send print JSON', async () => {
	expect(shortCommands.map((each) => each.split(' ')[2])).toEqual(['trigger', 'send']);
	await whileRunning(`npx ${packageJson.name} --port 0`, async ({ url }) => {
		for (const command of shortCommands) {
			// The last --url counts: here nothing receives webhooks there, which is a 404.
			const run = spawnSync('sh', ['-c', `${command} --url ${url}/webhook/`], {
				cwd: project,
				env: { ...env, SIGNING_SECRET: 'whsec_secret' },
				encoding: 'utf8',
			});
			const expected = command.includes('trigger')
				? { event: { amount: '80.00', merchantCountry: 'RO' } }
				: { httpStatus: 404, ignored: null };
			expect(JSON.parse(run.stdout)).toMatchObject(expected);
			expect(run.status).toBe(command.includes('trigger') ? 0 : 1);
		}
	});
});

const [dockerArgs = ''] = commands.flatMap(
	(each) => /npx --yes (card-platform-sandbox .*)$/.exec(each)?.[1] ?? [],
);

test.each([...npxCommands, `npx ${dockerArgs}`])(
	'%s: API, dashboard, API reference and every file that they load',
	async (command) => {
		await whileRunning(`${command} --port 0`, async ({ url, apiKey }) => {
			const get = async (path: string) => {
				const headers = { authorization: `Bearer ${apiKey}` };
				const response = await fetch(new URL(path, url), { headers });
				const body = await response.text();
				expect([path, response.status, body !== '']).toEqual([path, 200, true]);
				return body;
			};
			expect(JSON.parse(await get('/v1/public/cards'))).toMatchObject({ totalItemCount: 13 });
			expect(JSON.parse(await get('/sandbox/openapi.json'))).toMatchObject({ openapi: '3.1.1' });

			const dashboard = await get('/dashboard');
			const pages = [...dashboard.matchAll(/href="(\/(?:dashboard|sandbox)\/[^"]*)"/g)];
			expect(pages.length).toBeGreaterThan(3);
			const loaded = new Set<string>();
			for (const [, path = ''] of pages) {
				const page = path.includes('/assets/') ? '' : await get(path);
				for (const [, asset = ''] of page.matchAll(/(?:src|href)="([^"]+\.(?:css|js|svg))"/g)) {
					loaded.add(asset);
				}
			}
			expect(loaded.size).toBeGreaterThan(2);
			for (const asset of loaded) await get(asset);
		});
	},
	120_000,
);

const example = () => {
	const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(README, 'utf8')) ?? [];
	return code;
};

test('the README’s code runs and prints the purchase', async () => {
	expect(example().trim().split('\n').length).toBeLessThanOrEqual(12);
	const file = join(project, 'example.mjs');
	// Its output is not JSON, as console.log writes an object.
	writeFileSync(file, example().replace(/console\.log\((.*)\)/, 'console.log(JSON.stringify($1))'));
	const output = await runProcess(process.execPath, [file], { cwd: project });
	expect(JSON.parse(output)).toMatchObject({
		amount: '18.40',
		merchantName: 'Corner Bakery',
		cardId: 'ca4d0000-0000-4000-8000-000000000003',
	});
});

test('a program that imports the package keeps its own global dispatcher', async () => {
	const file = join(project, 'dispatcher.mjs');
	const its = "globalThis[Symbol.for('undici.globalDispatcher.1')]";
	const code = [
		`const own = (${its} = {});`,
		`await import('${packageJson.name}');`,
		`console.log(${its} === own);`,
	];
	writeFileSync(file, code.join('\n'));
	expect(await runProcess(process.execPath, [file], { cwd: project })).toBe('true\n');
});

/** Type-checks a module in the project, with declarations of libraries checked too. */
function typeErrors(code: string): string[] {
	const file = join(project, 'example.mts');
	writeFileSync(file, code);
	const tsc = resolve('node_modules/typescript/bin/tsc');
	const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2023'];
	const modules = ['--module', 'nodenext', '--types', 'node'];
	const typeRoots = ['--typeRoots', resolve('node_modules/@types')];
	const run = spawnSync(process.execPath, [tsc, ...options, ...modules, ...typeRoots, file], {
		cwd: project,
		encoding: 'utf8',
	});
	return run.stdout.split('\n').filter((line) => line.includes('error TS'));
}

test('the package is typed, without the types of another package', () => {
	expect(typeErrors(example())).toEqual([]);
	const wrong = example()
		.replace("amount: '18.40'", 'amount: 18.4')
		.replace('event.transactionId', 'event.transaction');
	expect(typeErrors(wrong)).toEqual([
		expect.stringContaining("Type 'number' is not assignable to type 'string'"),
		expect.stringContaining("Property 'transaction' does not exist"),
	]);
}, 300_000);

test('an older Node is named, with the one that is needed', () => {
	const bin = installed(packageJson.bin['card-platform-sandbox']);
	const older = "Object.defineProperty(process.versions, 'node', { value: '22.12.0' })";
	const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, bin, '--help'];
	const run = spawnSync(process.execPath, args, { encoding: 'utf8' });
	expect(run).toMatchObject({
		status: 1,
		stdout: '',
		stderr: `sandbox: Node 22.13.0 or later is required, for node:sqlite; this is Node 22.12.0\n`,
	});
	expect(readFileSync(README, 'utf8')).toContain('Node 22.13 or later');
});
