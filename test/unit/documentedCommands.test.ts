import { globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

import packageJson from '../../package.json';
import { commandsIn } from '../support/commands';

/** What shows that a command works: a file that runs it, and the words in the file that do. */
type Cover = [file: string, words: string] | 'by hand';

const COVER: Record<string, Cover> = {
	'npm ci && npm run demo': ['test/e2e/demo.test.ts', "'demo.ts'"],
	'npm ci && npm test': ['.ci/run', 'npm ci && npm test'],
	'npm ci': ['.ci/run', 'npm ci'],
	'npm test': ['.ci/run', 'npm test'],
	'npm run test:fast': ['package.json', 'npm run test:fast && '],
	'npm run demo': ['test/e2e/demo.test.ts', "'demo.ts'"],
	'npm run sandbox': ['test/sandbox/readme.test.ts', 'npm run sandbox'],
	// The folder and the options are those of the e2e tests, which install the packed tarball.
	'mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes': [
		'playground/scenario/packedNode.ts',
		"'.n8n', 'nodes'",
	],
	'npm install --legacy-peer-deps --ignore-scripts n8n-nodes-card-platform': [
		'playground/scenario/packedNode.ts',
		"'--legacy-peer-deps'",
	],
	'docker compose up -d': 'by hand',
	"docker exec n8n sh -c 'mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes && npm install --legacy-peer-deps --ignore-scripts n8n-nodes-card-platform'":
		'by hand',
	'docker restart n8n': 'by hand',
};

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/*.md')];
const commands = ['README.md', 'CONTRIBUTING.md'].flatMap(commandsIn);

/** The calls of the sandbox are made as they stand by test/sandbox/readme.test.ts. */
const others = commands.filter((command) => !command.startsWith('curl '));

test('every command of README.md and CONTRIBUTING.md is covered', () => {
	expect(others.filter((command) => !Object.hasOwn(COVER, command))).toEqual([]);
	expect(Object.keys(COVER).filter((command) => !others.includes(command))).toEqual([]);
});

test('what covers a command is there', () => {
	const missing = Object.values(COVER).filter(
		(cover) => cover !== 'by hand' && !readFileSync(cover[0], 'utf8').includes(cover[1]),
	);
	expect(missing).toEqual([]);
});

test.each(documents)('every script that %s names exists', (file) => {
	const scripts = [...readFileSync(file, 'utf8').matchAll(/\bnpm run ([\w:]+)/g)];
	for (const [, name = ''] of scripts) expect(Object.keys(packageJson.scripts)).toContain(name);
});

test('the credentials’ links to their documentation lead to a heading', () => {
	const text = globSync('credentials/*.ts').map((file) => readFileSync(file, 'utf8'));
	const anchors = text.flatMap((code) => /documentationUrl =\s+'[^']+#([\w-]+)'/.exec(code)?.[1]);
	expect(anchors).toEqual(['credentials', 'credentials']);
	expect(readFileSync('README.md', 'utf8')).toMatch(/^## Credentials$/m);
});

test('README.md lists every ready-made workflow', () => {
	const readme = readFileSync('README.md', 'utf8');
	const files = globSync('workflows/*.json').map((file) => file.replaceAll('\\', '/'));
	for (const file of files) expect(readme).toContain(`](${file})`);
});

test('the compose file of README.md is one', () => {
	const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
	expect(parse(yaml)).toMatchObject({
		services: { n8n: { container_name: 'n8n', volumes: ['n8n_data:/home/node/.n8n'] } },
		volumes: { n8n_data: null },
	});
});
