import { globSync, readFileSync, writeFileSync } from 'node:fs';

import n8nPackage from '../../dev/n8n/pinned/package.json';
import packageJson from '../../package.json';
import { useFakeClock } from '../support/execute';
import { fillTables } from './fill';
import { readTables } from './tables';

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

describe('tables that follow from the code', () => {
	useFakeClock();

	test('are as "npm run docs" writes them, each once', async () => {
		const tables = await readTables();
		const names = documents.flatMap((file) => {
			const filled = fillTables(read(file), tables);
			if (process.env.WRITE_DOCS !== undefined) writeFileSync(file, filled.written);
			expect([file, read(file)]).toEqual([file, filled.written]);
			return filled.names;
		});
		expect(names.sort()).toEqual(Object.keys(tables).sort());
	});

	test('have all cells that people write', () => {
		const rows = documents.flatMap((file) =>
			[...read(file).matchAll(/^.*\| TODO \|.*$/gm)].map(([row]) => [file, row]),
		);
		expect(rows).toEqual([]);
	});
});

test('each page that the editor links to exists', () => {
	const files = globSync(['credentials/*.ts', 'nodes/**/*.node.json']);
	const links = files.flatMap((file) => [
		...read(file).matchAll(/blob\/main\/(docs\/[\w-]+\.md)/g),
	]);
	expect(links.length).toBe(8);
	expect(links.filter(([, page = '']) => !documents.includes(page))).toEqual([]);
});
