import { readFileSync } from 'node:fs';

import { readApiConfig } from '../../nodes/CardPlatform/api/config';
import { hintFor } from '../../nodes/CardPlatform/transport/hints';
import { collectMessages } from '../support/messages';

const page = readFileSync('docs/troubleshooting.md', 'utf8');

const rows = page
	.split('\n')
	.filter((line) => line.startsWith('| '))
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.map((cells) => cells.slice(1, -1));

/** The only text of a cell, if it is a literal one. */
const literal = (cell = '') => /^`([^`]+)`$/.exec(cell)?.[1];

const documented = rows.flatMap(([cell]) => literal(cell) ?? []);

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const isMatch = (pattern: string, text: string) =>
	new RegExp(`^${pattern.split('…').map(escape).join('.*')}$`, 's').test(text);

/** The API's own words with its status and code; they are explained by status. */
const API_WORDS = '… (… …)';

/** A message and its hint, as the test of a credential shows them; each is explained for itself. */
const MESSAGE_AND_HINT = '…. …';

const messages = collectMessages().filter((text) => ![API_WORDS, MESSAGE_AND_HINT].includes(text));

test('the scan finds what it should', () => {
	expect(messages).toEqual(
		expect.arrayContaining([
			'There is nothing to update',
			'A card ID looks like 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
			'No server is listening at … (connection refused)',
			'No money was moved now for … of … items, because their transfers were made earlier: …….',
			'signature-mismatch',
			'Unknown error',
			'Card Platform Trigger could not check a delivery: …',
		]),
	);
	expect(page).toContain(`\`${API_WORDS}\``);
});

/** The most specific row for a message: a row that nothing but such messages fit is stale. */
const rowOf = (text: string) =>
	documented
		.filter((row) => isMatch(row, text))
		.reduce((best, row) => (row.length > best.length ? row : best), '');

test('each message has a row that says what it means and what to do, and each row its message', () => {
	expect(messages.filter((text) => rowOf(text) === '')).toEqual([]);
	expect(rows.filter((cells) => cells.includes(''))).toEqual([]);

	const used = new Set(messages.map(rowOf));
	expect(documented.filter((row) => !used.has(row))).toEqual([]);
	expect(documented).toEqual([...new Set(documented)]);
	// A row of hardly more than placeholders would match anything.
	for (const row of documented) expect(row.replace(/[^a-z]/gi, '').length).toBeGreaterThan(6);
});

const PATHS = [
	'/cards',
	'/cards/1',
	'/cards/1/freeze',
	'/accounts/1',
	'/transactions/1',
	'/payments',
	'/health',
];

const config = (keyScope: string) =>
	readApiConfig({ baseUrl: 'https://api.example.com/v1/public', apiKey: 'key', keyScope });

const hints = Array.from({ length: 300 }, (_, index) => 300 + index).flatMap((status) =>
	PATHS.flatMap((path) =>
		['account', 'customer'].flatMap((scope) =>
			(['read', 'once'] as const).map((effect) => ({
				status,
				hint: hintFor(status, { path, effect }, config(scope)),
			})),
		),
	),
);

/** The rows about a hint: the statuses, such as 404 or 5xx, and how the hint begins. */
const hintRows = rows.flatMap(([statuses = '', start]) => {
	const begin = literal(start);
	return begin === undefined ? [] : [{ statuses, begin }];
});

const covers = (statuses: string, status: number): boolean =>
	statuses === 'other'
		? !hintRows.some((row) => /\d/.test(row.statuses) && covers(row.statuses, status))
		: statuses === 'any' || statuses.replace('xx', String(status).slice(1)) === String(status);

test('each hint to a response of the API has one row, beside the statuses that give it', () => {
	for (const hint of new Set(hints.map((each) => each.hint))) {
		expect([hint, hintRows.filter(({ begin }) => hint.startsWith(begin)).length]).toEqual([
			hint,
			1,
		]);
	}
	for (const { statuses, begin } of hintRows) {
		const given = hints.filter(({ hint }) => hint.startsWith(begin));
		expect([begin, given.length]).not.toEqual([begin, 0]);
		expect([begin, given.filter(({ status }) => !covers(statuses, status))]).toEqual([begin, []]);
	}
});
