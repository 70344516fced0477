import { execFileSync } from 'node:child_process';
import {
	cpSync,
	globSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

import { putTables } from '../../build/docs/page.ts';
import { TABLES } from '../../build/docs/tables.ts';

const read = (file: string) => readFileSync(file, 'utf8');

const documents = Object.entries(TABLES);

test.each(documents)('%s has the tables of the code; if not, npm run docs', (file, tables) => {
	expect(read(file)).toBe(putTables(read(file), tables));
});

test.each(documents)('%s explains each row of its tables', (file, tables) => {
	const [, ...regions] = read(file).split('<!-- generated: ');
	const rows = regions.flatMap((region) => region.split('<!-- /')[0]?.match(/^\|.*/gm) ?? []);
	expect(rows.filter((row) => /\|\s*\|/.test(row))).toEqual([]);
	expect(rows.length).toBe(
		Object.values(tables).reduce((sum, each) => sum + each.rows.length + 2, 0),
	);
});

test('each mark has its table', () => {
	const marks = [...globSync('*.md'), ...globSync('docs/*.md')].flatMap((file) =>
		[...read(file).matchAll(/<!-- generated: (.+) -->/g)].map(([, name]) => [file, name]),
	);
	const tables = documents.flatMap(([file, each]) => Object.keys(each).map((name) => [file, name]));
	expect(marks.sort()).toEqual(tables.sort());
});

test('a page without a place for a table is refused', () => {
	const table = { head: ['A'], rows: [['a']] };
	expect(() => putTables('<!-- /generated -->\n<!-- generated: a -->', { a: table })).toThrow(
		': a',
	);
	expect(() => putTables('<!-- /generated -->', { a: table })).toThrow(': a');
});

test('what is written by hand stays with its row, and a pipe is no border', () => {
	const mark = '<!-- generated: a -->';
	const page = `${mark}\n| A | B |\n|---|---|\n| old | gone |\n| x\\|y | by \\| hand |\n<!-- /generated -->`;
	const rows = [
		['new', undefined],
		['x|y', undefined],
	];
	expect(putTables(page, { a: { head: ['A', 'B'], rows } })).toBe(
		`${mark}\n\n| A | B |\n|---|---|\n| new |  |\n| x\\|y | by \\| hand |\n\n<!-- /generated -->`,
	);
});

test('npm run docs writes them', () => {
	const folder = mkdtempSync(join(tmpdir(), 'docs-'));
	try {
		for (const each of ['build', 'harness']) symlinkSync(resolve(each), join(folder, each));
		cpSync('package.json', join(folder, 'package.json'));
		for (const [file] of documents) {
			cpSync(file, join(folder, file));
			writeFileSync(
				join(folder, file),
				read(file).replaceAll(/\| (Freeze a card|401)\b/g, '| changed'),
			);
		}
		const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
		execFileSync('npm', ['run', 'docs'], {
			cwd: folder,
			env: { ...process.env, PATH },
			stdio: 'pipe',
		});
		for (const [file] of documents) expect(read(join(folder, file))).toBe(read(file));
	} finally {
		rmSync(folder, { recursive: true });
	}
});
