import { customFields, spendLimit } from '../../nodes/CardPlatform/actions/card/bodyFields';
import { customQuery } from '../../nodes/CardPlatform/actions/fields';
import {
	quoteValue,
	toAccountId,
	toAmount,
	toBound,
	toDecimalString,
	toStringMap,
	toUuid,
} from '../../nodes/CardPlatform/api/values';
import { userErrorOf } from '../support/userErrorOf';

/** What reads the value of a field. */
const READ: Record<string, (value: unknown) => unknown> = {
	account: (value) => toAccountId(value, 'Account ID'),
	id: (value) => toUuid(value, 'Card'),
	amount: (value) => toAmount(value, 'Amount'),
	bound: (value) => toDecimalString(toBound(value, 'Minimum Amount')),
	query: (value) => customQuery.parse(value, 'Custom Query Parameters', ''),
	json: (value) => customFields.parse(value, 'Custom Fields', ''),
	limit: (value) => spendLimit.parse(value, 'Limit', ''),
};

const ID = '4f1c6a52-3b0e-4d69-9c58-2f6d0d1f7a10';
const pairs = (...all: object[]) => ({ pairs: all });
const anyJson = { a: 1, b: true, c: [1, { d: null }], e: { f: 'g' } };

test.each<[string, unknown, unknown]>([
	['account', '1001', 1001],
	['account', ' 1001 ', 1001],
	['account', 1001, 1001],
	['account', '0', 0],
	['id', ID, ID],
	['id', ID.toUpperCase(), ID],
	// No version that RFC 9562 knows: the API may still have made it.
	['id', ` ${ID.replace('-4d69-9', '-0000-0')} `, ID.replace('-4d69-9', '-0000-0')],
	['id', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
	['amount', ' 250 ', '250.00'],
	['amount', '250.5', '250.50'],
	['amount', '250.05', '250.05'],
	['amount', '007', '7.00'],
	['amount', '99999999999999999999.99', '99999999999999999999.99'],
	['amount', 10, '10.00'],
	['amount', 10.5, '10.50'],
	['amount', 1e3, '1000.00'],
	['bound', 0, '0.00'],
	['query', pairs({ name: ' a ', value: '1' }, { name: 'b', value: ' 2 ' }), { a: '1', b: ' 2 ' }],
	['query', pairs({ name: 'a', value: 2024 }), { a: '2024' }],
	['query', pairs({ name: 'a', value: 1.5 }), { a: '1.5' }],
	['json', anyJson, anyJson],
	['json', JSON.stringify(anyJson), anyJson],
	['json', { memo: '{{ a }}' }, { memo: '{{ a }}' }],
])('%s: %j is %j', (field, value, expected) => {
	expect(READ[field]?.(value)).toEqual(expected);
});

const FIXED = 'is set to Fixed, but has an expression';
const NO_LIMIT = 'Limit is not an object with an amount and a type';
const refused = (field: string, message: string, ...values: unknown[]) =>
	values.map((value): [string, unknown, string] => [field, value, message]);

test.each([
	...refused('account', 'Account ID is empty', ''),
	...refused('account', 'Account ID is not a whole number: "Marketing"', 'Marketing'),
	...refused('account', 'is not a whole number', 10.5, -1, '-1', '1e3', '1001/transfers', ['1001']),
	...refused('account', 'is not a whole number', '9007199254740993'),
	...refused('id', 'Card is not a valid ID', '4f1c6a52', ID.slice(1), `../${ID}`, `${ID}/freeze`),
	...refused('id', 'Card is not a valid ID', 'g'.repeat(36), 5),
	...refused('amount', 'Amount is not a valid amount', '0', '0.00', '-5', '1,000.00', '10,50'),
	...refused('amount', 'Amount is not a valid amount', '$10', '1e3', '5.', '10.555', '１０'),
	...refused('amount', 'Amount is not a valid amount', '1'.repeat(41)),
	...refused('amount', 'Amount is not a valid amount', 0, 0.1 + 0.2, 2 ** 53, NaN, true, {}, ['5']),
	...refused('query', 'is not a list of names and values', '{"a":"1"}', { a: '1' }),
	...refused('query', 'is not a list of names and values', pairs({ name: ' ', value: '1' })),
	...refused('query', 'is not a list of names and values', pairs({ name: 'a', value: [1] })),
	...refused('query', 'is not a list of names and values', pairs({ name: 'a', value: NaN })),
	...refused('json', 'Custom Fields is not a JSON object', 'a=1', '["a"]', '"a"', { '': '1' }),
	// JSON leaves it out.
	...refused('json', 'Custom Fields is not a JSON object', { limit: { amount: undefined } }),
	// It would be sent as null.
	...refused('json', 'Custom Fields is not a JSON object', { a: NaN }, { a: { b: 1, c: [NaN] } }),
	...refused('json', 'Custom Fields is not a JSON object', { since: new Date(NaN) }),
	...refused('json', 'Custom Fields is not a JSON object', '{"ledger":9007199254740993}'),
	// Too deep to be sent.
	...refused(
		'json',
		'Custom Fields is not a JSON object',
		`{"a":${'['.repeat(9_000)}1${']'.repeat(9_000)}}`,
	),
	...refused('json', FIXED, '{"memo":"{{ $json.memo }}"}'),
	...refused('query', FIXED, pairs({ name: 'a', value: '{{ $json.a }}' })),
	...refused('limit', FIXED, { value: { amount: '500', type: '{{ $json.type }}' } }),
	// The card would have no limit.
	...refused('limit', NO_LIMIT, '500', { amount: '500', type: 'monthly' }, { value: '500' }),
	...refused('limit', NO_LIMIT, { value: { amount: '500', type: 5 } }),
])('%s: %j is refused', (field, value, message) => {
	expect(() => READ[field]?.(value)).toThrow(message);
});

test('Custom Fields that contain themselves are refused', () => {
	const fields: Record<string, unknown> = { a: 1 };
	fields.b = { fields };
	expect(() => READ.json?.(fields)).toThrow('Custom Fields is not a JSON object');
});

test.each([
	[0.1 + 0.2, 'toFixed(2)'],
	['1,000.00', 'without a currency symbol, thousands separator'],
	['0.00', 'greater than zero'],
])('the amount %j: the hint is about %s', (value, hint) => {
	expect(userErrorOf(() => toAmount(value, 'Amount')).hint).toContain(hint);
});

test.each([[[]], [[{ name: 'a', value: '' }]]])('names and values %j: the field can go', (all) => {
	expect(userErrorOf(() => toStringMap(pairs(...all), 'Custom')).hint).toContain(
		'remove the field',
	);
});

test.each([
	[97, ''],
	[98, ''],
	[99, '…'],
])('a value of %d characters is quoted with the end %j', (length, end) => {
	const text = JSON.stringify('a'.repeat(length));
	expect(quoteValue('a'.repeat(length))).toBe(`${text.slice(0, 100)}${end}`);
});
