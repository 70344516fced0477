import { existsSync, readFileSync } from 'node:fs';

import * as assumptions from '../../nodes/CardPlatform/api/assumptions';
import { openapi } from '../support/openapi';

const rows = readFileSync('docs/assumptions.md', 'utf8')
	.split('\n')
	.filter((line) => /^\| \d/.test(line))
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.filter((cells) => cells.length === 7);

const inCode = rows.flatMap(([, , , , , where = '']) =>
	[...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);
const isConstant = (name: string) => /^[A-Z_]+$/.test(name);

test('the rows name every constant of assumptions.ts, and files that exist', () => {
	expect(rows.length).toBeGreaterThanOrEqual(30);
	expect(new Set(inCode.filter(isConstant))).toEqual(new Set(Object.keys(assumptions)));
	const files = inCode.filter((name) => !isConstant(name));
	expect(files.filter((name) => !existsSync(`nodes/CardPlatform/${name}`))).toEqual([]);
});

test('an assumption of openapi.yaml that refers to the rows begins with a § that they have', () => {
	const sections = rows.flatMap(([, first = '']) => first.match(/[\d.]+/g) ?? []);
	const others: unknown[] = [];
	JSON.stringify(openapi, (key, value: unknown) => {
		if (key !== 'x-assumption' || !String(value).includes('docs/assumptions.md')) return value;
		const [, section = ''] = /^§([\d.]*\d)/.exec(String(value)) ?? [];
		if (!sections.includes(section)) others.push(value);
		return undefined;
	});
	expect(others).toEqual([]);
});
