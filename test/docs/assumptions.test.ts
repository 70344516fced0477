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

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const quantity = (count: number, unit: string, one = `a ${unit}`) =>
	count === 1 ? one : `${WORDS[count] ?? count} ${unit}s`;

const minutes = (ms: number) => quantity(ms / 60_000, 'minute');

const hours = (ms: number) => quantity(ms / 3_600_000, 'hour', 'hour');

const code = (text: string) => `\`${text}\``;

const card = assumptions.CARD_BODY_FIELDS;

/** How the rows about a constant say its value. */
const PHRASES: Record<keyof typeof assumptions, string[]> = {
	QUERY_PARAMETER_NAMES: Object.values(assumptions.QUERY_PARAMETER_NAMES).map(code),
	CARD_BODY_FIELDS: [
		...[card.name, card.type, card.categories].map(code),
		code(`${card.limit}: {${card.limitAmount}, ${card.limitType}}`),
	],
	CARD_BODY_CLEARED: Object.entries(assumptions.CARD_BODY_CLEARED).map(([name, value]) =>
		code(`${name}: ${JSON.stringify(value)}`),
	),
	MAX_PAGE_SIZE: [`at most ${assumptions.MAX_PAGE_SIZE};`],
	REQUEST_TIMEOUT_MS: [minutes(assumptions.REQUEST_TIMEOUT_MS)],
	MAX_RETRIES: [`up to ${assumptions.MAX_RETRIES} times`],
	MAX_RETRY_AFTER_MS: [`at most ${minutes(assumptions.MAX_RETRY_AFTER_MS)}`],
	EARLIER_TRANSFER_MS: [`more than ${minutes(assumptions.EARLIER_TRANSFER_MS)}`],
	LATE_TRANSACTION_MS: [`the last ${hours(assumptions.LATE_TRANSACTION_MS)}`],
	MAX_CLOCK_DIFFERENCE_MS: [`At most ${hours(assumptions.MAX_CLOCK_DIFFERENCE_MS)}`],
	DEFAULT_CONCURRENT_REQUESTS: [quantity(assumptions.DEFAULT_CONCURRENT_REQUESTS, 'request')],
	TIMESTAMP_TOLERANCE_SECONDS: [quantity(assumptions.TIMESTAMP_TOLERANCE_SECONDS, 'second')],
	SANDBOX_KEY_PREFIX: [code(assumptions.SANDBOX_KEY_PREFIX)],
};

test.each(Object.entries(PHRASES))('the rows about %s say its value', (name, phrases) => {
	const about = rows.filter(([, , , , where]) => where?.includes(code(name)));
	const text = about.map(([, , , assumed]) => assumed).join(' ');
	expect(phrases.filter((phrase) => !text.includes(phrase))).toEqual([]);
});

test.each<[keyof typeof assumptions, unknown, string]>([
	['MAX_PAGE_SIZE', 100, 'pages of at most 100'],
	['REQUEST_TIMEOUT_MS', 60_000, 'At most a minute, up to its last byte'],
	['MAX_RETRIES', 3, 'up to 3 times'],
	['MAX_RETRY_AFTER_MS', 60_000, '`Retry-After` (at most a minute)'],
	['EARLIER_TRANSFER_MS', 300_000, 'more than five minutes before its request'],
	['LATE_TRANSACTION_MS', 3_600_000, 'reads the last hour again'],
	['MAX_CLOCK_DIFFERENCE_MS', 26 * 3_600_000, 'At most 26 hours'],
	['TIMESTAMP_TOLERANCE_SECONDS', 300, '300 seconds in both directions'],
	['SANDBOX_KEY_PREFIX', 'sandbox_', 'starts with `sandbox_`'],
	['CARD_BODY_CLEARED', { categories: [], limit: null }, '`limit: null` removes the limit'],
])('the row of %s says what it is: %j', (name, value, words) => {
	expect(assumptions[name]).toEqual(value);
	const row = rows.find(([, , , , where = '']) => where.includes(`\`${name}\``));
	expect(row?.[3]).toContain(words);
});
