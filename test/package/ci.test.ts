import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import { testedVersions } from '../../compatibility/versions.ts';
import packageJson from '../../package.json';
import sandboxPackage from '../../sandbox/package.json';

const permissionsSchema = z.record(z.enum(['read', 'write']));

const stepSchema = z.object({
	uses: z.string().optional(),
	run: z.string().optional(),
	env: z.record(z.string()).optional(),
	with: z.record(z.unknown()).optional(),
});

const workflowSchema = z.object({
	permissions: permissionsSchema,
	concurrency: z.object({ group: z.string() }),
	on: z.record(z.unknown()),
	jobs: z.record(
		z.object({
			needs: z.string().optional(),
			'timeout-minutes': z.number(),
			permissions: permissionsSchema.optional(),
			strategy: z
				.object({ matrix: z.record(z.array(z.union([z.number(), z.string()]))) })
				.optional(),
			steps: z.array(stepSchema).nonempty(),
		}),
	),
});

const read = (file: string) =>
	workflowSchema.parse(parse(readFileSync(`.github/workflows/${file}`, 'utf8')));

const files = globSync('.github/workflows/*').map((file) => basename(file));
const commandsOf = (steps: z.infer<typeof stepSchema>[]) => steps.flatMap(({ run }) => run ?? []);

test('there are three workflows', () => {
	expect(files.sort()).toEqual(['ci.yml', 'nightly.yml', 'publish.yml']);
});

describe.each(files)('%s', (file) => {
	const { jobs, permissions } = read(file);
	const steps = Object.values(jobs).flatMap((job) => job.steps);

	test('runs only scripts that package.json has', () => {
		const names = commandsOf(steps)
			.flatMap((command) => command.split('&&'))
			.flatMap((command) => /\bnpm (?:run )?(\S+)/.exec(command)?.[1] ?? [])
			.filter((name) => !['ci', 'publish'].includes(name));
		expect(names.length).toBeGreaterThan(0);
		expect(names.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
	});

	test('pins every action to a commit', () => {
		const actions = steps.flatMap(({ uses }) => uses ?? []);
		expect(actions).not.toEqual([]);
		for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
	});

	test('writes nothing, but the identity that npm asks for', () => {
		const all = [permissions, ...Object.values(jobs).map((job) => job.permissions ?? {})];
		const written = all.flatMap((each) =>
			Object.entries(each).flatMap(([name, access]) => (access === 'write' ? [name] : [])),
		);
		expect(written).toEqual(file === 'publish.yml' ? ['id-token'] : []);
	});

	test('leaves no git credentials behind and uses no secret', () => {
		const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
		for (const { with: options } of checkouts)
			expect(options).toMatchObject({ 'persist-credentials': false });
		expect(readFileSync(`.github/workflows/${file}`, 'utf8')).not.toContain('secrets.');
	});
});

test('the files that a cache is keyed by exist', () => {
	const text = readFileSync('.github/workflows/ci.yml', 'utf8');
	const keys = [...text.matchAll(/hashFiles\('([^']+)'\)/g)].map(([, file = '']) => file);
	expect(keys.length).toBeGreaterThan(0);
	expect(keys.filter((file) => !existsSync(file))).toEqual([]);
});

test('CI runs the fast tests on each supported Node, all tests once, and the queue', () => {
	const { jobs } = read('ci.yml');
	expect(jobs.fast?.strategy?.matrix).toEqual({ node: [20, 22, 24] });
	expect(commandsOf(jobs.fast?.steps ?? [])).toContain('npm run test:fast');
	expect(commandsOf(jobs.all?.steps ?? [])).toContain('npm ci && npm test');
	expect(commandsOf(jobs.queue?.steps ?? [])).toContain('npm run test:queue -- --events 500');
});

test('each night the end-to-end tests run on every supported n8n', () => {
	const { jobs, on } = read('nightly.yml');
	expect(on).toHaveProperty('schedule');
	const { strategy, steps } = jobs.compatibility ?? {};
	expect(strategy?.matrix.n8n).toEqual(testedVersions().map(({ version }) => version));
	expect(commandsOf(steps ?? [])).toContain('npm run test:compat -- --only ${{ matrix.n8n }}');
});

test('the sandbox has the version of the connector, and can be published', () => {
	expect(packageJson.workspaces).toEqual(['sandbox']);
	expect(sandboxPackage.version).toBe(packageJson.version);
	expect(sandboxPackage).not.toHaveProperty('private');
	// n8n would load a package of that name as nodes.
	expect(sandboxPackage.name).not.toMatch(/n8n-nodes/);
});

test('publishing starts from a tag, checks it, tests, and attests where the package comes from', () => {
	const { jobs, on } = read('publish.yml');
	expect(on).toEqual({ push: { tags: ['v*'] } });
	expect(commandsOf(jobs.test?.steps ?? [])).toEqual([
		expect.stringMatching(/^test "\$GITHUB_REF_NAME" = "v\$\(.*package\.json.*version/),
		'npm ci && npm test',
	]);
	expect(jobs.publish?.needs).toBe('test');
	expect(jobs.publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
	expect(commandsOf(jobs.publish?.steps ?? [])).toEqual([
		'npm ci',
		'npm run build',
		`npm publish --provenance --access public --workspace ${sandboxPackage.name}`,
		'npm publish --provenance --access public',
	]);
});

const formSchema = z.object({
	name: z.string(),
	description: z.string(),
	body: z
		.array(
			z.object({
				type: z.enum(['markdown', 'input', 'textarea', 'checkboxes']),
				id: z.string().optional(),
				attributes: z.record(z.unknown()),
			}),
		)
		.nonempty(),
});

test.each(['bug.yml', 'feature.yml'])('the form %s is one, and asks for no secrets', (file) => {
	const text = readFileSync(`.github/ISSUE_TEMPLATE/${file}`, 'utf8');
	const { body } = formSchema.parse(parse(text));
	const ids = body.flatMap(({ id }) => id ?? []);
	expect(ids).toEqual([...new Set(ids)]);
	expect(text).toMatch(/do not paste API keys|without keys/i);
});
