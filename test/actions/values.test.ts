import { spendLimit } from '../../nodes/CardPlatform/actions/fields';
import {
	toAccountId,
	toAmount,
	toJsonMap,
	toStringMap,
	toUuid,
} from '../../nodes/CardPlatform/api/values';
import { userErrorOf } from '../support/userErrorOf';

describe('an account ID', () => {
	test.each<[unknown, number]>([
		['1001', 1001],
		[' 1001 ', 1001],
		[1001, 1001],
		['0', 0],
	])('%j is account %d', (value, expected) => {
		expect(toAccountId(value, 'Account ID')).toBe(expected);
	});

	test.each<[unknown, string]>([
		['', 'Account ID is empty'],
		['Marketing', 'Account ID is not a whole number: "Marketing"'],
		[10.5, 'is not a whole number'],
		[-1, 'is not a whole number'],
		['-1', 'is not a whole number'],
		['1001/transfers', 'is not a whole number'],
		['9007199254740993', 'is not a whole number'],
		[['1001'], 'is not a whole number'],
	])('%j is refused', (value, message) => {
		expect(() => toAccountId(value, 'Account ID')).toThrow(message);
	});
});

describe('an ID', () => {
	test.each([
		'4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10',
		'CA4D0000-0000-4000-8000-000000000003',
		// No version that RFC 9562 knows: the API may still have made it.
		' ca4d0000-0000-0000-0000-000000000003 ',
		'ffffffff-ffff-ffff-ffff-ffffffffffff',
	])('%j is an ID, in lower case', (value) => {
		expect(toUuid(value, 'Card')).toBe(value.trim().toLowerCase());
	});

	const id = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';

	test.each(['4f1c6a52', id.slice(1), `../${id}`, `${id}/freeze`, 'g'.repeat(36), 5])(
		'%j is refused',
		(value) => {
			expect(() => toUuid(value, 'Card')).toThrow('Card is not a valid ID');
		},
	);
});

describe('an amount', () => {
	test.each<[unknown, string]>([
		['250', '250.00'],
		['250.5', '250.50'],
		['250.05', '250.05'],
		['007', '7.00'],
		['99999999999999999999.99', '99999999999999999999.99'],
		[10, '10.00'],
		[10.5, '10.50'],
		[1e3, '1000.00'],
	])('%j is %s', (value, expected) => {
		expect(toAmount(value, 'Amount')).toBe(expected);
	});

	test.each<[unknown]>([
		['0'],
		['0.00'],
		['-5'],
		['1,000.00'],
		['10,50'],
		['$10'],
		['1e3'],
		['5.'],
		['10.555'],
		['１０'],
		[0],
		[0.1 + 0.2],
		[2 ** 53],
		[Number.NaN],
		[true],
		[{ amount: '10' }],
	])('%j is refused', (value) => {
		expect(() => toAmount(value, 'Amount')).toThrow('Amount is not a valid amount');
	});

	test('an amount with a rounding error: the hint says how to round it', () => {
		const { hint } = userErrorOf(() => toAmount(0.1 + 0.2, 'Amount'));
		expect(hint).toContain('toFixed(2)');
	});
});

test.each([
	['500'],
	[{ amount: '500', type: 'monthly' }],
	[{ value: '500' }],
	[{ value: { amount: '500', type: 5 } }],
])('a limit of %j is refused: the card would have none', (limit) => {
	expect(() => spendLimit.parse(limit, 'Limit', '')).toThrow(
		'Limit is not an object with an amount and a type',
	);
});

describe('custom query parameters', () => {
	const pairs = (...all: object[]) => ({ pairs: all });

	test.each<[unknown, Record<string, string>]>([
		[pairs({ name: ' a ', value: '1' }, { name: 'b', value: ' 2 ' }), { a: '1', b: ' 2 ' }],
		[pairs({ name: 'a', value: 2024 }), { a: '2024' }],
	])('%j', (value, expected) => {
		expect(toStringMap(value, 'Custom Query Parameters')).toEqual(expected);
	});

	test.each<[unknown]>([
		['{"a":"1"}'],
		[{ a: '1' }],
		[pairs({ name: ' ', value: '1' })],
		[pairs({ name: 'a', value: [1] })],
		[pairs({ name: 'a', value: NaN })],
	])('%j is refused', (value) => {
		expect(() => toStringMap(value, 'Custom Query Parameters')).toThrow(
			'Custom Query Parameters is not a list of names and values',
		);
	});
});

describe('custom fields', () => {
	const anyJson = { a: 1, b: true, c: [1, { d: null }], e: { f: 'g' } };

	test.each<[unknown]>([[anyJson], [JSON.stringify(anyJson)]])('%j', (value) => {
		expect(toJsonMap(value, 'Custom Fields')).toEqual(anyJson);
	});

	test.each<[string, unknown]>([
		['no JSON', 'a=1'],
		['an array', '["a"]'],
		['a string', '"a"'],
		['undefined within, which JSON leaves out', { limit: { amount: undefined } }],
		['a blank name', { '': '1' }],
		['NaN, which would be sent as null', { limit: NaN }],
		['NaN within, beside others', { limit: { b: 1, amount: [NaN] } }],
		['an invalid date', { since: new Date(NaN) }],
	])('%s is refused', (_name, value) => {
		expect(() => toJsonMap(value, 'Custom Fields')).toThrow('Custom Fields is not a JSON object');
	});
});
