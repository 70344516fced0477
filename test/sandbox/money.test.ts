import fc from 'fast-check';

import { amountSchema, formatAmount } from '../../sandbox/money.ts';

const parse = (text: string) => amountSchema.parse(text);

test('a decimal string is parsed exactly', () => {
	fc.assert(
		fc.property(
			fc.bigInt({ min: 0n, max: 999_999_999_999n }),
			fc.integer({ min: 0, max: 99 }),
			(whole, cents) => {
				const text = `${String(whole)}.${String(cents).padStart(2, '0')}`;
				expect(BigInt(parse(text))).toBe(whole * 100n + BigInt(cents));
				expect(formatAmount(parse(text))).toBe(text);
			},
		),
	);
});

test.each([
	['12', 1200],
	['12.5', 1250],
	['0.07', 7],
	['999999999999.99', 99_999_999_999_999],
])('%s is %d minor units', (text, amount) => {
	expect(parse(text)).toBe(amount);
});

test.each([
	'',
	'-1.00',
	'+1',
	'1.234',
	'1,00',
	'01.00',
	'.5',
	'1.',
	'1e3',
	' 1',
	'1\n',
	'٣',
	'1000000000000',
])('%j is no amount', (text) => {
	expect(amountSchema.safeParse(text).success).toBe(false);
});

test.each([
	[-5, '-0.05'],
	[-12_50, '-12.50'],
	[0, '0.00'],
])('a balance of %d minor units is written %s', (amount, text) => {
	expect(formatAmount(amount)).toBe(text);
});
