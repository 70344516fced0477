import { existsSync, readFileSync } from 'node:fs';

import * as assumptions from '../../nodes/CardPlatform/api/assumptions';

const rows = readFileSync('docs/assumptions.md', 'utf8')
	.split('\n')
	.filter((line) => /^\| \d/.test(line))
	.map((line) => line.split('|').map((cell) => cell.trim()))
	// The second table, of what can be read in two ways, has a column less.
	.filter((cells) => cells.length === 7);

const inCode = rows.flatMap(([, , , , where = '']) =>
	[...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);
const isConstant = (name: string) => /^[A-Z_]+$/.test(name);

test('each row says what is open, what is assumed, where, and what to do', () => {
	expect(rows.length).toBeGreaterThanOrEqual(30);
	for (const row of rows) expect(row.slice(1, 6).every((cell) => cell !== '')).toBe(true);
});

test('the rows and assumptions.ts name the same constants', () => {
	expect(new Set(inCode.filter(isConstant))).toEqual(new Set(Object.keys(assumptions)));
});

test('every file that is named exists', () => {
	const missing = inCode
		.filter((name) => !isConstant(name))
		.filter((name) => !existsSync(`nodes/CardPlatform/${name}`));
	expect(missing).toEqual([]);
});

test('every query parameter that may be renamed is named', () => {
	const text = rows.flat().join(' ');
	for (const name of Object.keys(assumptions.QUERY_PARAMETER_NAMES))
		expect(text).toContain(`\`${name}\``);
});
