import { existsSync, readFileSync } from 'node:fs';

import * as assumptions from '../../nodes/CardPlatform/api/assumptions';

const rows = readFileSync('docs/assumptions.md', 'utf8')
	.split('\n')
	.filter((line) => /^\| \d/.test(line))
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.filter((cells) => cells.length === 7);

const inCode = rows.flatMap(([, , , , where = '']) =>
	[...where.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);
const isConstant = (name: string) => /^[A-Z_]+$/.test(name);

test('each row says what is open, what is assumed, where, and what to do', () => {
	expect(rows.length).toBeGreaterThanOrEqual(30);
	for (const row of rows) expect(row.slice(1, 6).every((cell) => cell !== '')).toBe(true);
});

test('the rows name every constant of assumptions.ts, and files that exist', () => {
	expect(new Set(inCode.filter(isConstant))).toEqual(new Set(Object.keys(assumptions)));
	const files = inCode.filter((name) => !isConstant(name));
	expect(files.filter((name) => !existsSync(`nodes/CardPlatform/${name}`))).toEqual([]);
});

/** The value of each constant, and how its rows say it. */
const SAID: Record<keyof typeof assumptions, [value: unknown, ...words: string[]]> = {
	QUERY_PARAMETER_NAMES: [
		Object.fromEntries(Object.keys(assumptions.QUERY_PARAMETER_NAMES).map((name) => [name, name])),
		'`name`, `status`, `sort`, `createdAfter`, `createdBefore`, `page`, `pageSize`',
		'`cardId`',
		'`accountId`',
	],
	CARD_BODY_FIELDS: [
		{
			...{ name: 'name', type: 'type', categories: 'categories' },
			...{ limit: 'limit', limitAmount: 'amount', limitType: 'type' },
		},
		'`name`, `type`, `categories`, `limit: {amount, type}`',
	],
	CARD_BODY_CLEARED: [
		{ categories: [], limit: null },
		'`categories: []` clears the categories, `limit: null` removes the limit',
	],
	MAX_PAGE_SIZE: [100, 'pages of at most 100;'],
	REQUEST_TIMEOUT_MS: [60_000, 'At most a minute, up to its last byte'],
	MAX_RETRIES: [3, 'up to 3 times'],
	MAX_RETRY_AFTER_MS: [60_000, '`Retry-After` (at most a minute)'],
	EARLIER_TRANSFER_MS: [300_000, 'more than five minutes before its request'],
	LATE_TRANSACTION_MS: [3_600_000, 'reads the last hour again'],
	MAX_CLOCK_DIFFERENCE_MS: [26 * 3_600_000, 'At most 26 hours'],
	DEFAULT_CONCURRENT_REQUESTS: [32, 'up to 32 requests'],
	TIMESTAMP_TOLERANCE_SECONDS: [300, '300 seconds in both directions'],
	SANDBOX_KEY_PREFIX: ['sandbox_', 'starts with `sandbox_`'],
};

test.each(Object.entries(assumptions))('the rows about %s say its value', (name, value) => {
	const [expected, ...words] = new Map(Object.entries(SAID)).get(name) ?? [];
	expect(value).toEqual(expected);
	const about = rows.filter(([, , , , where]) => where?.includes(`\`${name}\``));
	const text = about.map(([, , , assumed]) => assumed).join(' ');
	expect(words.filter((each) => !text.includes(each))).toEqual([]);
});
