import { toNamedTexts } from '../../nodes/CardPlatform/actions/values/namedTexts';

test.each<[string, unknown, Record<string, string>]>([
	['nothing', undefined, {}],
	['an empty form', {}, {}],
	[
		'pairs',
		{
			pairs: [
				{ name: ' a ', value: '1' },
				{ name: 'b', value: '' },
			],
		},
		{ a: '1', b: '' },
	],
	['JSON in the form', { json: [{ value: '{"a":"1"}' }] }, { a: '1' }],
	['an object in the form', { json: [{ value: { a: '1' } }] }, { a: '1' }],
	['blank JSON in the form', { json: [{ value: '' }] }, {}],
	['both', { pairs: [{ name: 'a', value: '1' }], json: [{ value: '{"a":"2"}' }] }, { a: '2' }],
	['JSON', '{"a":"1"}', { a: '1' }],
	['an object', { a: '1' }, { a: '1' }],
])('%s', (_name, value, expected) => {
	expect(toNamedTexts(value, 'Custom Fields')).toEqual(expected);
});

test.each<[string, unknown]>([
	['no JSON', 'a=1'],
	['an array', '["a"]'],
	['a number', '{"a":1}'],
	['a nested object', { a: { b: '1' } }],
	['null', '{"a":null}'],
	['no JSON in the form', { json: [{ value: '{' }] }],
	['a pair without a name', { pairs: [{ name: ' ', value: '1' }] }],
])('%s is refused', (_name, value) => {
	expect(() => toNamedTexts(value, 'Custom Fields')).toThrow(
		'Custom Fields is not an object of texts',
	);
});
