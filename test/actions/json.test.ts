import fc from 'fast-check';

import { parseJson } from '../../nodes/CardPlatform/api/json';

test.each([
	['12345678901234567890', '12345678901234567890'],
	['9007199254740993', '9007199254740993'],
	['-0.1234567890123456789', '-0.1234567890123456789'],
	['1e400', '1e400'],
	['1E-400', '1E-400'],
	['123456789012345678901234567890e-10', '123456789012345678901234567890e-10'],
	['9007199254740992', 9007199254740992],
	['0.30000000000000004', 0.30000000000000004],
	['100000000000000000000000', 1e23],
	['1.10', 1.1],
	['1e2', 100],
	['0e99', 0],
	['5e-324', 5e-324],
])('%s is %j', (text, expected) => {
	expect(parseJson(text)).toBe(expected);
	expect(parseJson(`{"a": [${text} ,{"b":${text}}]}`)).toEqual({ a: [expected, { b: expected }] });
});

test('digits in names and strings stay as they are', () => {
	const value = { '"1234567890123456789': 'a \\" 12345678901234567890, 1e400', b: '\\' };
	expect(parseJson(`[12345678901234567890, ${JSON.stringify(value)}]`)).toEqual([
		'12345678901234567890',
		value,
	]);
});

test('a long string full of escapes is read, beside a number that is kept as a string', () => {
	const text = '\\"'.repeat(5_000_000);
	expect(parseJson(`["${text}", 12345678901234567890]`)).toEqual([
		'"'.repeat(5_000_000),
		'12345678901234567890',
	]);
});

test('any JSON that JavaScript writes is read as JSON.parse does', () => {
	fc.assert(
		fc.property(fc.json({ maxDepth: 4 }), (text) => {
			expect(parseJson(text)).toEqual(JSON.parse(text));
		}),
	);
});

test('an integer of any length keeps its digits', () => {
	fc.assert(
		fc.property(fc.bigInt(), (integer) => {
			const value = parseJson(`${integer}`) as number | string;
			expect(BigInt(value)).toBe(integer);
		}),
	);
});

test.each(['', '{', '[1,]', '12345678901234567890x', '01e5'])('%j is no JSON', (text) => {
	expect(parseJson(text)).toBeUndefined();
});
