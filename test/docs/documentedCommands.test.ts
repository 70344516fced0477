import { globSync, readFileSync } from 'node:fs';

import { parse } from 'yaml';

import n8nPackage from '../../n8n/package.json';
import packageJson from '../../package.json';
import { commandsIn } from '../support/commands';

/** What shows that a command works: a file that runs it, and the words in the file that do. */
type Cover = [file: string, ...words: string[]];

/** The package file, as npm pack names it. */
const TARBALL = `${packageJson.name}-${packageJson.version}.tgz`;

const INSTALL = `npm install --prefix ~/.n8n/nodes --legacy-peer-deps --ignore-scripts ./${TARBALL}`;

const COVER: Record<string, Cover> = {
	'npm ci && npm run demo': ['test/package/demo.n8n.test.ts', "'run.ts'"],
	'npm start': ['test/package/start.n8n.test.ts', "'start', 'run.ts'"],
	'npm ci && npm test': ['.ci/run', 'step npm ci\nstep npm test\n'],
	'npm ci && npm start': ['test/package/start.n8n.test.ts', "'start'"],
	'npm ci': ['.ci/run', 'npm ci'],
	'npm test': ['.ci/run', 'npm test'],
	'npm run test:fast': ['package.json', 'npm run test:fast && '],
	'npm run test:compat': ['.ci/run', 'npm run test:compat -- --only oldest'],
	'npm run docs': ['test/docs/generatedDocs.test.ts', "'npm', ['run', 'docs']"],
	'npm run demo': ['test/package/demo.n8n.test.ts', "'run.ts'"],
	'npm run sandbox': ['test/sandbox/documentedCalls.test.ts', 'npm run sandbox'],
	'npx card-platform-sandbox': ['test/package/sandboxPackage.test.ts', 'npx ${packageJson.name}'],
	'npm ci && npm run build && npm pack': ['harness/n8n/package.ts', "'run', 'build'", "'pack'"],
	[INSTALL]: ['test/package/package.test.ts', 'commandsIn', "'.n8n', 'nodes', 'node_modules'"],
};

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/*.md')];
const commands = ['README.md', 'CONTRIBUTING.md'].flatMap(commandsIn);

const readme = readFileSync('README.md', 'utf8');

const others = commands.filter((command) => !/^(git|docker) /.test(command));

test('every command of README.md and CONTRIBUTING.md is covered', () => {
	expect(others.filter((command) => !Object.hasOwn(COVER, command))).toEqual([]);
	expect(Object.keys(COVER).filter((command) => !others.includes(command))).toEqual([]);
});

test('what covers a command is there', () => {
	const missing = Object.values(COVER).flatMap(([file, ...words]) =>
		words.filter((each) => !readFileSync(file, 'utf8').includes(each)),
	);
	expect(missing).toEqual([]);
});

// No test has Docker. Inside the container they run what is covered above.
test('the commands for Docker fit the compose file of README.md', () => {
	const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
	expect(parse(yaml)).toEqual({
		services: {
			n8n: {
				image: `n8nio/n8n:${n8nPackage.dependencies.n8n}`,
				container_name: 'n8n',
				ports: ['5678:5678'],
				environment: {
					WEBHOOK_URL: expect.stringMatching(/^https:/),
					N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
				},
				volumes: ['n8n_data:/home/node/.n8n'],
			},
		},
		volumes: { n8n_data: null },
	});
	expect(commands.filter((command) => command.startsWith('docker '))).toEqual([
		'docker compose up -d',
		`docker cp ${TARBALL} n8n:/home/node/.n8n/`,
		`docker exec n8n sh -c 'cd ~/.n8n && ${INSTALL}'`,
		'docker restart n8n',
	]);
});

test('README.md clones the repository that package.json names', () => {
	const url = packageJson.repository.url.replace('git+', '');
	const clone = `git clone ${url} && cd ${packageJson.name}`;
	const clones = commands.filter((command) => command.startsWith('git '));
	expect(clones.length).toBeGreaterThan(0);
	expect(new Set(clones)).toEqual(new Set([clone]));
});

test('every script that a document names exists', () => {
	const named = documents.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => ({
			file,
			name,
		})),
	);
	expect(named).toContainEqual({ file: 'README.md', name: 'demo' });
	expect(named.filter(({ name }) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
});

test('the credentials’ links to their documentation lead to a heading', () => {
	const text = globSync('credentials/*.ts').map((file) => readFileSync(file, 'utf8'));
	const anchors = text.flatMap((code) => /documentationUrl =\s+'[^']+#([\w-]+)'/.exec(code)?.[1]);
	expect(anchors).toEqual(['credentials', 'credentials']);
	expect(readme).toMatch(/^## Credentials$/m);
});

test('README.md lists every ready-made workflow', () => {
	const files = globSync('workflows/*.json').map((file) => file.replaceAll('\\', '/'));
	const listed = [...readme.matchAll(/\]\((workflows\/[^)]+\.json)\)/g)].map(([, file]) => file);
	expect(files).not.toEqual([]);
	expect([...new Set(listed)].sort()).toEqual(files.sort());

	const raw =
		'https://raw.githubusercontent.com/n8n-nodes-card-platform/n8n-nodes-card-platform/main/';
	const importable = readme.match(/https:\/\/raw\.githubusercontent\.com\/[^)]+/g);
	expect(importable?.sort()).toEqual(files.map((file) => `${raw}${file}`));
});
