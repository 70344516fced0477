import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { collectMessages } from '../../build/docs/messages.ts';
import { hintsTo } from '../../build/docs/tables.ts';

const page = readFileSync('docs/messages.md', 'utf8');

let folder = '';

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'messages-'));
});

afterAll(() => {
	rmSync(folder, { recursive: true });
});

/** What the scan finds in code, by message; other.ts exports a hint. */
function scan(code: string): Record<string, string[] | undefined> {
	const files = { 'code.ts': code, 'other.ts': "export const HINT = 'Imported.';" };
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	const found = collectMessages(Object.keys(files).map((name) => join(folder, name)));
	return Object.fromEntries(found.map(({ text, hints }) => [text, hints]));
}

test.each<[string, string, Record<string, string[] | undefined>]>([
	['strings', "new UserError('A', 'Do.')", { A: ['Do.'] }],
	['what varies', 'new UserError(`A ${b}${c} d ${e}`, `Do ${f}.`)', { 'A … d …': ['Do ….'] }],
	[
		'branches',
		"new UserError(a ? 'A' : 'B', c ? 'C.' : 'D.')",
		{ A: ['C.', 'D.'], B: ['C.', 'D.'] },
	],
	[
		'one message with two hints',
		"new UserError('A', 'Do.'); new UserError('A', 'Or.');",
		{ A: ['Do.', 'Or.'] },
	],
	[
		'variables, each in its scope',
		"function a() { const hint = 'One.'; throw new UserError('A', hint); } function b() { const hint = 'Two.'; throw new UserError('B', hint); }",
		{ A: ['One.'], B: ['Two.'] },
	],
	[
		'what is imported, passed on and returned',
		"import { HINT } from './other'; const make = (hint: string) => new UserError('A', hint); make(HINT); make('Passed.'); const say = () => 'Returned.'; new UserError('B', say());",
		{ A: ['Imported.', 'Passed.'], B: ['Returned.'] },
	],
	[
		'a hint that only the running code knows',
		"new UserError('A', text.join(' ')); new UserError('B', 'Do.'); new UserError('B', other);",
		{ A: undefined, B: undefined },
	],
	[
		'objects and what is logged',
		"const message = 'A'; use({ message, hint: 'Do.' }, { message: 'B', description: 'Do.' }); logger.warn(`C ${d}`, {});",
		{ A: ['Do.'], B: ['Do.'], 'C …': [] },
	],
	['what was made elsewhere', 'new UserError(error.message, error.hint)', {}],
])('the scan finds %s', (_, code, expected) => {
	expect(scan(code)).toEqual(expected);
});

test.each(["'A' + b", 'say(a)', 'texts[0]'])('a message %s is refused', (expression) => {
	expect(() => scan(`\nnew UserError(${expression}, 'Do.')`)).toThrow(
		/code\.ts:2: write the message as one string or template/,
	);
});

// That the page has all of them is checked by npm run lint.
test('the shipped code has messages of every kind', () => {
	const messages = new Map(collectMessages().map(({ text, hints }) => [text, hints]));
	expect([...messages.keys()]).toEqual(
		expect.arrayContaining([
			'A card ID looks like 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
			'No server is listening at … (connection refused)',
			'No money was moved now for … of … items, because their transfers were made earlier: ….',
			'Unknown error',
			'Card Platform Trigger could not check a delivery: …',
		]),
	);
	expect(messages.get('… is not a valid amount: …')).toHaveLength(4);
});

test('each hint to an error response stands in the page, beside its status', () => {
	const rows = page.split('\n').filter((line) => line.startsWith('| '));
	const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);
	const missing = statuses.flatMap((status) =>
		hintsTo(status).filter((hint) => {
			const names = [String(status), String(status).replace(/\d\d$/, 'xx'), 'others'];
			return !names.some((name) => rows.includes(`| ${name} | ${hint} |`));
		}),
	);
	expect(missing).toEqual([]);
});
