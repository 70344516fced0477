import { toJsonMap, toStringMap } from '../../nodes/CardPlatform/actions/stringMap';

test.each<[string, unknown, Record<string, string>]>([
	[
		'pairs',
		{
			pairs: [
				{ name: ' a ', value: '1' },
				{ name: 'b', value: '2' },
			],
		},
		{ a: '1', b: '2' },
	],
	['JSON in the form', { json: [{ value: '{"a":"1"}' }] }, { a: '1' }],
	['an object in the form', { json: [{ value: { a: '1' } }] }, { a: '1' }],
	['a number in the form', { pairs: [{ name: 'a', value: 2024 }] }, { a: '2024' }],
	['both', { pairs: [{ name: 'a', value: '1' }], json: [{ value: '{"a":"2"}' }] }, { a: '2' }],
	['JSON', '{"a":"1"}', { a: '1' }],
	['an object', { a: '1' }, { a: '1' }],
])('%s', (_name, value, expected) => {
	expect(toStringMap(value, 'Custom Query Parameters')).toEqual(expected);
	expect(toJsonMap(value, 'Custom Fields')).toEqual(expected);
});

const anyJson = { a: 1, b: true, c: [1, { d: null }], e: { f: 'g' } };

test.each<[string, unknown]>([
	['JSON', JSON.stringify(anyJson)],
	['an object', anyJson],
	['JSON in the form', { json: [{ value: JSON.stringify(anyJson) }] }],
	['an object in the form', { json: [{ value: anyJson }] }],
])('%s: a field takes any JSON, a query parameter does not', (_name, value) => {
	expect(toJsonMap(value, 'Custom Fields')).toEqual(anyJson);
	expect(() => toStringMap(value, 'Custom Query Parameters')).toThrow(
		'Custom Query Parameters is not an object of strings',
	);
});

test('names and values that look like the form but are not do not become a field', () => {
	const value = { pairs: [{ name: 'a', value: [1] }] };
	expect(() => toJsonMap(value, 'Custom Fields')).toThrow('Custom Fields is not a JSON object');
});

test.each<[string, unknown]>([
	['no JSON', 'a=1'],
	['an array', '["a"]'],
	['a string', '"a"'],
	['no JSON in the form', { json: [{ value: '{' }] }],
	['a pair without a name', { pairs: [{ name: ' ', value: '1' }] }],
	['undefined within, which JSON leaves out', { limit: { amount: undefined } }],
	['a blank name', { '': '1' }],
	['NaN, which would be sent as null', { limit: NaN }],
	['NaN within', { limit: { amount: [NaN] } }],
	['an invalid date', { since: new Date(NaN) }],
])('%s is refused', (_name, value) => {
	expect(() => toJsonMap(value, 'Custom Fields')).toThrow('Custom Fields is not a JSON object');
	expect(() => toStringMap(value, 'Custom Query Parameters')).toThrow(
		'Custom Query Parameters is not an object of strings',
	);
});

test('a value that would be sent as null is refused, also beside others', () => {
	expect(() => toJsonMap({ a: { b: 1, c: Number.NaN } }, 'Custom Fields')).toThrow('Custom Fields');
});
