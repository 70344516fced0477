import { readCardBody } from '../../nodes/CardPlatform/actions/card/body';
import { readCollection } from '../../nodes/CardPlatform/actions/item';

const read = (values: Record<string, unknown>) => readCardBody(readCollection(values, 'UTC'));

test('only what was added is in the body', () => {
	expect(read({})).toEqual({});
	expect(read({ limit: {} })).toEqual({});
	expect(read({ limit: { value: { amount: '500' } } })).toEqual({ limit: { amount: '500.00' } });
	expect(read({ name: ' Travel ', categories: ['parking'] })).toEqual({
		name: 'Travel',
		categories: ['parking'],
	});
});

test.each([
	['500'],
	[{ amount: '500', type: 'monthly' }],
	[{ value: '500' }],
	[{ value: { amount: '500', type: 5 } }],
	[null],
])('a limit of %j is refused: the card would have none', (limit) => {
	expect(() => read({ limit })).toThrow('Limit is not an amount and a type');
});

test.each([['parking'], [{ parking: true }], [[5]]])(
	'categories of %j are refused',
	(categories) => {
		expect(() => read({ categories })).toThrow('Categories is not a list');
	},
);
