import { readFileSync } from 'node:fs';

import { readApiConfig } from '../../nodes/CardPlatform/api/config';
import { hintFor } from '../../nodes/CardPlatform/transport/hints';
import { collectMessages } from '../support/messages';

const page = readFileSync('docs/troubleshooting.md', 'utf8');

const rows = page
	.split('\n')
	.filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.map((cells) => cells.slice(1, -1));

/** The only text of a cell, where it is a literal one. */
const literal = (cell = '') => /^`([^`]+)`$/.exec(cell)?.[1];

const documented = rows.map(([cell]) => literal(cell)).filter((text) => text !== undefined);

const documentedHints = rows.map(([, cell]) => literal(cell)).filter((text) => text !== undefined);

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const isMatch = (pattern: string, text: string) =>
	new RegExp(`^${pattern.split('…').map(escape).join('.*')}$`, 's').test(text);

/** The API's own words with its status and code; they are explained by status. */
const API_WORDS = '… (… …)';

/** A message and its hint, as the test of a credential shows them; each is explained for itself. */
const MESSAGE_AND_HINT = '…. …';

const messages = collectMessages().filter(
	({ text }) => ![API_WORDS, MESSAGE_AND_HINT].includes(text),
);

test('the scan finds what it should', () => {
	const texts = messages.map(({ text }) => text);
	for (const one of [
		'There is nothing to update',
		'A card ID looks like 4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
		'No server is listening at … (connection refused)',
		'signature-mismatch',
		'A signing secret contains white space',
		'Card Platform Trigger could not check a delivery: …',
	])
		expect(texts).toContain(one);
	expect(page).toContain(`\`${API_WORDS}\``);
});

test('each message has a row that says what it means and what to do', () => {
	const missing = messages.filter(({ text }) => !documented.some((row) => isMatch(row, text)));
	expect(missing).toEqual([]);
	for (const cells of rows) expect(cells.every((cell) => cell !== '')).toBe(true);
});

/** The most specific row for a message: a row that nothing but such messages fit is stale. */
const rowOf = (text: string) =>
	documented
		.filter((row) => isMatch(row, text))
		.reduce((best, row) => (row.length > best.length ? row : best), '');

test('each row is about a message that there is', () => {
	const used = new Set(messages.map(({ text }) => rowOf(text)));
	expect(documented.filter((row) => !used.has(row))).toEqual([]);
	expect(documented).toEqual([...new Set(documented)]);
	// A row of hardly more than placeholders would match anything.
	for (const row of documented) expect(row.replace(/[^a-z]/gi, '').length).toBeGreaterThan(6);
});

const config = (keyScope: string) =>
	readApiConfig({ baseUrl: 'https://api.example.com/v1/public', apiKey: 'key', keyScope });

const PATHS = [
	'/cards',
	'/cards/1',
	'/cards/1/freeze',
	'/accounts/1',
	'/transactions/1',
	'/payments',
	'/health',
];

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

test('each hint to an answer of the API has a row, and each row its hint', () => {
	const rowsOf = (hint: string) => documentedHints.filter((start) => hint.startsWith(start));
	for (const hint of new Set(hints.map(({ hint }) => hint)))
		expect([hint, rowsOf(hint).length]).toEqual([hint, 1]);
	const stale = documentedHints.filter(
		(start) => !hints.some(({ hint }) => hint.startsWith(start)),
	);
	expect(stale).toEqual([]);
});

test('each hint stands beside the statuses that give it', () => {
	const hintRows = rows.flatMap(([cell = '', second]) => {
		const start = literal(second);
		return start === undefined ? [] : [{ cell, start }];
	});
	/** Such as 404 or 5xx. */
	const covers = (cell: string, status: number) =>
		cell === 'any' || cell.replace('xx', String(status).slice(1)) === String(status);
	const named = (status: number) =>
		hintRows.some(({ cell }) => cell !== 'any' && covers(cell, status));
	const misplaced = hintRows.flatMap(({ cell, start }) =>
		hints
			.filter(({ hint }) => hint.startsWith(start))
			.filter(({ status }) => (cell === 'other' ? named(status) : !covers(cell, status)))
			.map(({ status }) => `${cell}, not ${status}: ${start}`),
	);
	expect(new Set(misplaced)).toEqual(new Set());
});
