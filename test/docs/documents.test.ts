import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import n8nPackage from '../../dev/n8n/pinned/package.json';
import { RESOURCES } from '../../nodes/CardPlatform/actions/table';
import { RESPONSES } from '../../nodes/CardPlatform/webhook/rejections';
import packageJson from '../../package.json';

const { name, version } = packageJson;

const read = (file: string) => readFileSync(file, 'utf8');
const documents = globSync([
	'*.md',
	'docs/*.{md,yml}',
	'workflows/*.md',
	'.ci/run',
	'.github/workflows/*',
]);

/** What a pattern finds in all documents, each once. */
const found = (pattern: RegExp) => [
	...new Set(
		documents.flatMap((file) => [...read(file).matchAll(pattern)].map(([all, one]) => one ?? all)),
	),
];

test.each([
	['n8n is the pinned one', /n8nio\/n8n:(\S+)/g, n8nPackage.dependencies.n8n],
	[
		'the package file is that of npm pack',
		new RegExp(`${name}-\\d.*?\\.tgz`, 'g'),
		`${name}-${version}.tgz`,
	],
	[
		// This command is run by test/package/package.test.ts.
		'it is installed by one command',
		/npm install --prefix [^\s]*n8n[^'\n]*/g,
		`npm install --prefix ~/.n8n/nodes --legacy-peer-deps --ignore-scripts ./${name}-${version}.tgz`,
	],
])('in every document, %s', (_, pattern, expected) => {
	expect(found(pattern)).toEqual([expected]);
});

test('docs/operations.md describes each operation as the editor does', () => {
	const rows = RESOURCES.flatMap((resource) =>
		resource.operations.map(
			({ name: operation, description }) => `| ${resource.name}: ${operation} | ${description} |`,
		),
	);
	expect(read('docs/operations.md').match(/^\| [A-Z][\w ]+: .*$/gm)).toEqual(rows);
});

test('docs/troubleshooting.md says what to do about each response of the trigger', () => {
	const responses = Object.entries(RESPONSES).map(
		([reason, { status }]) => `${status} \`${reason}\``,
	);
	const rows = [...read('docs/troubleshooting.md').matchAll(/^\| (\d{3} `.+?`) \| \S.* \|$/gm)];
	expect(rows.map(([, response]) => response)).toEqual(responses);
});

test('each page that the editor links to exists', () => {
	const files = globSync(['credentials/*.ts', 'nodes/**/*.node.json']);
	const links = files.flatMap((file) => [
		...read(file).matchAll(/blob\/main\/(docs\/[\w-]+\.md)/g),
	]);
	expect(links.length).toBe(8);
	expect(links.filter(([, page = '']) => !documents.includes(page))).toEqual([]);
});

test('workflows/README.md describes every ready-made workflow, and imports it', () => {
	const sections = read('workflows/README.md').split(/^### /m);
	const raw = `https://raw.githubusercontent.com/${name}/${name}/main/workflows/`;
	const files = sections.flatMap((section) => {
		const link = /\*\*File\*\*: \[(.+)\]\((.+)\)/.exec(section);
		return link === null ? [] : [link.slice(1)];
	});
	const workflows = globSync('workflows/*.json').map((file) => basename(file));
	expect(files.sort()).toEqual(workflows.sort().map((file) => [file, raw + file]));
});
