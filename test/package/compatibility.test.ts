import { globSync, readFileSync } from 'node:fs';

import { insertInto, isCompatible, toMarkdown } from '../../compatibility/report.ts';
import {
	type PartResult,
	parts,
	patternOf,
	resultOf,
	type VersionResult,
} from '../../compatibility/suite.ts';
import { testedVersions } from '../../compatibility/versions.ts';

const part = (more: Partial<PartResult> = {}): PartResult => ({
	title: 'Cards',
	passed: 2,
	failed: [],
	skipped: [],
	...more,
});
const version = (n8n: string, ...of: PartResult[]): VersionResult => ({
	n8n,
	node: '22',
	parts: of,
});

test('the table has a row for each part and a column for each n8n, and names what was left out', () => {
	const results = [
		version(
			'1.123.81',
			part({ skipped: ['freezes', 'unfreezes'] }),
			part({ title: 'Events', passed: 0 }),
		),
		version('2.8.4', part(), part({ title: 'Events', passed: 1, failed: ['a', 'b'] })),
	];
	expect(toMarkdown(results)).toBe(
		[
			'|  | n8n 1.123.81 (Node.js 22) | n8n 2.8.4 (Node.js 22) |',
			'| - | - | - |',
			'| Cards | 2 pass, 2 left out | 2 pass |',
			'| Events | not run | **2 of 3 fail** |',
			'',
			'Left out:',
			'',
			'- n8n 1.123.81, Cards: freezes, and 1 more',
		].join('\n'),
	);
});

test.each<[string, PartResult, boolean]>([
	['all pass', part(), true],
	['some are left out', part({ skipped: ['freezes'] }), true],
	['one fails', part({ failed: ['freezes'] }), false],
	['none ran', part({ passed: 0 }), false],
])('where %s', (_name, one, expected) => {
	expect(isCompatible(version('2.8.4', part(), one))).toBe(expected);
});

test.each([
	['it cannot be loaded', []],
	['what comes after its tests fails', [{ fullName: 'freezes', status: 'passed' }]],
])('a file fails its part when %s', (_name, assertionResults) => {
	const message = 'afterAll failed';
	const file = {
		name: '/x/test/transfers/transfers.n8n.test.ts',
		status: 'failed',
		message,
		assertionResults,
	};
	const own = { title: 'Transfers', files: ['transfers/transfers'] };
	expect(resultOf(own, [file])).toMatchObject({ failed: [message], skipped: [] });
	expect(resultOf({ ...own, files: ['trigger/trigger'] }, [file])).toMatchObject({
		failed: [],
		passed: 0,
	});
});

test('the results replace those of before, and nothing else', () => {
	const begin = '<!-- results: written by npm run test:compat -- --write -->';
	const page = `A\n${begin}\nold\n<!-- end of results -->\nB\n`;
	const written = insertInto(page, [version('2.8.4', part())]);
	expect(written).not.toContain('old');
	expect(written).toMatch(/^A\n[\s\S]*\| Cards \| 2 pass \|[\s\S]*\nB\n$/);
	expect(insertInto(written, [version('2.8.4', part())])).toBe(written);
	expect(() => insertInto('A', [])).toThrow('no place for the results');
});

test('docs/compatibility.md has the results of every n8n, and none fails', () => {
	const [, page = ''] = readFileSync('docs/compatibility.md', 'utf8').split(/<!-- .*results.*-->/);
	const rows = page.split('\n').filter((line) => / (pass|fail|not run)\b/.test(line));
	expect(rows.map((row) => row.split('|')[1]?.trim())).toEqual(parts.map(({ title }) => title));
	for (const { version: n8n } of testedVersions()) expect(page).toContain(`| n8n ${n8n} (`);
	expect(page).not.toMatch(/\*\*\d+ of \d+ fail|not run/);
});

test('every file of end-to-end tests is in a part, but those of the editor and of our own scripts', () => {
	const files = globSync('test/**/*.n8n.test.ts');
	const own = (file: string) => /\.editor\.|package\/(bench|demo|start)\./.test(file);
	const tested = files.filter((file) =>
		parts.some((each) => new RegExp(patternOf(each.files)).test(file)),
	);
	expect(tested.sort()).toEqual(files.filter((file) => !own(file)).sort());
});
