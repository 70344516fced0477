import { readFileSync } from 'node:fs';

import { collectMessages } from '../../build/docs/messages.ts';
import { hintsTo } from '../../build/docs/tables.ts';

const page = readFileSync('docs/messages.md', 'utf8');

// That the tables are up to date is checked by npm run lint, and that no cell is empty by generatedDocs.test.ts.
test('the scan finds what it should, with what to do', () => {
	const messages = new Map(collectMessages().map(({ text, hints }) => [text, hints]));
	expect([...messages.keys()]).toEqual(
		expect.arrayContaining([
			'A card ID looks like 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
			'No server is listening at … (connection refused)',
			'No money was moved now for … of … items, because their transfers were made earlier: …….',
			'Unknown error',
			'Card Platform Trigger could not check a delivery: …',
		]),
	);
	expect(messages.get('There is nothing to update')).toEqual([
		'Add at least one field under "Update Fields" and set its value.',
	]);
	expect(messages.get('… is empty')).toHaveLength(2);
	expect(messages.get('An event arrived without a valid timestamp')?.[0]).toContain(
		'Check that no proxy changes headers',
	);
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
