import { globSync, readFileSync } from 'node:fs';

import { putTables } from '../../build/docs/page.ts';
import { TABLES } from '../../build/docs/tables.ts';

const read = (file: string) => readFileSync(file, 'utf8');

// That the tables are up to date is checked by npm run lint.
test('each table has its mark, each mark its table, and each row its explanation', () => {
	const marks = globSync(['*.md', 'docs/*.md']).flatMap((file) =>
		[...read(file).matchAll(/<!-- generated: (.+) -->/g)].map(([, name]) => [file, name]),
	);
	const tables = Object.entries(TABLES).flatMap(([file, each]) =>
		Object.keys(each).map((name) => [file, name]),
	);
	expect(marks.sort()).toEqual(tables.sort());
	for (const file of Object.keys(TABLES)) expect(read(file)).not.toMatch(/^\|.*\| *\|/m);
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
